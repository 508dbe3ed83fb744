/** @module Cells as they are sent and as they are written to a CSV, nasty ones above all. */

/** Each value of a lead, and what stands in the file. */
export const CELLS: readonly (readonly [cell: string, written: string])[] = [
  ["plain", "plain"],
  ["", ""],
  ["a,b", `"a,b"`],
  [`say "hi"`, `"say ""hi"""`],
  ["two\nlines", `"two\nlines"`],
  ["two\r\nlines", `"two\r\nlines"`],
  ["one; two", `"one; two"`],
  ["tab\tbed", `"tab\tbed"`],
  ["Ünïcode 🚀", "Ünïcode 🚀"],
  // Formula characters where no cell can begin.
  ["a=1", "a=1"],
  ["a, =1", `"a, =1"`],
  ["a =1 -1 +1 @1", "a =1 -1 +1 @1"],
  ["x;y=1", `"x;y=1"`],
  // At the start.
  ["=1+1", "'=1+1"],
  [`=HYPERLINK("https://evil.example","x")`, `"'=HYPERLINK(""https://evil.example"",""x"")"`],
  ["+49 30 123", "'+49 30 123"],
  ["-1", "'-1"],
  ["−1", "'−1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["＝1", "'＝1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠1", "'＠1"],
  ["﹦1", "'﹦1"],
  ["﹢1", "'﹢1"],
  ["﹣1", "'﹣1"],
  ["﹫1", "'﹫1"],
  ["=", "'="],
  // Behind what a spreadsheet drops.
  [" =1", " '=1"],
  ["\t=1", `"\t'=1"`],
  ["\r=1", `"\r'=1"`],
  ["\n=1", `"\n'=1"`],
  ["\v=1", `"\v'=1"`],
  ["\u{FEFF}\u{A0} \u{200B}=1", "\u{FEFF}\u{A0} \u{200B}'=1"],
  [`"=1"`, `"""'=1"""`],
  // Behind what ends a cell somewhere.
  ["x;=1+1", `"x;'=1+1"`],
  ["x; =1;+1 ;-1", `"x; '=1;'+1 ;'-1"`],
  [`x;"=1"`, `"x;""'=1"""`],
  [`x;"";=1`, `"x;"""";'=1"`],
  ["x\t=1", `"x\t'=1"`],
  ["x|@1", `"x|'@1"`],
  ["x\u{61B}=1", `"x\u{61B}'=1"`],
  ["x\n- one\n- two", `"x\n'- one\n'- two"`],
  ["x\r\n\r\n=1", `"x\r\n\r\n'=1"`],
  ["x\u{2028}=1", `"x\u{2028}'=1"`],
  ["x\u{85}=1", `"x\u{85}'=1"`],
  // With an apostrophe already: one more, which comes off again.
  ["'=1", "''=1"],
  ["' '=1", "' ''=1"],
  ["x;'=1", `"x;''=1"`],
  ["'tis", "'tis"],
];

/** What a spreadsheet takes for the beginning of a formula. */
export const FORMULA_CHARACTERS = [..."=+-@＝＋－＠﹦﹢﹣﹫−"];

/** Spaces and invisible characters, of which some spreadsheet drops each: by code point. */
export const INVISIBLE: readonly string[] = [
  ...range(0x01, 0x20),
  ...range(0x7F, 0xA0),
  ...range(0x2000, 0x200F),
  ...range(0x2028, 0x202F),
  ...range(0x205F, 0x206F),
  ...[0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x1680, 0x180E, 0x3000, 0x3164, 0xFE0F, 0xFEFF, 0xFFA0]
    .map((point) => String.fromCodePoint(point)),
];

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n));
}

/** Takes away what was added: an apostrophe right before a formula character where a cell may begin. */
export function withoutAdded(text: string): string {
  let begins = true;
  let original = "";
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    const isAdded = begins && character === "'" &&
      FORMULA_CHARACTERS.includes(characters[index + 1] ?? "");
    if (!isAdded) original += character;
    const ends = /[;|\u{61B}\t\n\v\f\r\u{85}\u{2028}\u{2029}]/u.test(character);
    begins = ends || (begins && (/["']/.test(character) || INVISIBLE.includes(character)));
  }
  return original;
}
