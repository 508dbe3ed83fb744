/** @module csvRecord(): RFC 4180, and no cell that a spreadsheet runs, whichever separator it splits at. */

import { fail, strictEqual as equal } from "node:assert/strict";
import { csvRecord } from "../../../cli/leads/csv.ts";

const CELLS: readonly (readonly [cell: string, written: string])[] = [
  ["", ""],
  ["a,b", `"a,b"`],
  [`say "hi"`, `"say ""hi"""`],
  ["two\r\nlines", `"two\r\nlines"`],
  // Formula characters where no cell can start.
  ["a, =1", `"a, =1"`],
  ["a =1 -1 +1 @1 🚀", "a =1 -1 +1 @1 🚀"],
  ["x;y=1", `"x;y=1"`],
  // At the start, after characters that a spreadsheet drops, after a separator, after an apostrophe.
  [`=HYPERLINK("https://evil.example","x")`, `"'=HYPERLINK(""https://evil.example"",""x"")"`],
  ["\u{FEFF}\u{A0} \u{200B}=1", "\u{FEFF}\u{A0} \u{200B}'=1"],
  [`x;"";=1`, `"x;"""";'=1"`],
  ["x\r\n\r\n=1", `"x\r\n\r\n'=1"`],
  ["' '=1", "' ''=1"],
  ["'tis", "'tis"],
];

/** Starts a formula in some spreadsheet. */
const FORMULA = "=+\\-@＝＋－＠﹦﹢﹣﹫−";

/** Ends a cell for some reader, besides the comma of an unquoted one. */
const SEPARATORS = ";\t|\u{61B}\n\v\f\r\u{85}\u{2028}\u{2029}";

/** Spaces and invisible characters that some spreadsheet drops. */
const INVISIBLE = range(0x01, 0x20) + range(0x7F, 0xA0) + range(0x2000, 0x200F) +
  range(0x2028, 0x202F) + range(0x205F, 0x206F) +
  "\u{AD}\u{34F}\u{61C}\u{115F}\u{1160}\u{1680}\u{180E}\u{3000}\u{3164}\u{FE0F}\u{FEFF}\u{FFA0}";

function range(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, n) => first + n));
}

/** Whether some reader of the record, even one that ignores quotes, finds a formula. */
function runs(record: string): boolean {
  return new RegExp(`(?:^|[${SEPARATORS}])["'${INVISIBLE}]*(?<!')[${FORMULA}]`, "u").test(record);
}

/** The value of a record of one cell, without the added apostrophes. */
function original(record: string): string {
  const cell = record.slice(0, -2);
  const written = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
  const before = `(?:^|[${SEPARATORS}])[${SEPARATORS}"'${INVISIBLE}]*`;
  return written.replace(new RegExp(`(${before})'([${FORMULA}])`, "gu"), "$1$2");
}

Deno.test("csvRecord() quotes by RFC 4180 and disarms formulas", () => {
  for (const [cell, written] of CELLS) {
    equal(csvRecord([cell, cell]), `${written},${written}\r\n`, JSON.stringify(cell));
  }
});

Deno.test("csvRecord() disarms a formula after any invisible character and any separator, reversibly", () => {
  for (const formula of FORMULA.replace("\\", "")) {
    for (const dropped of ["", ...INVISIBLE]) {
      for (const before of ["", ...Array.from(SEPARATORS, (one) => `x${one}`)]) {
        const value = `${before}${dropped}${formula}1;${formula}2`;
        const record = csvRecord([value]);
        if (runs(record)) fail(JSON.stringify(record));
        equal(original(record), value);
      }
    }
  }
});

Deno.test("csvRecord() takes linear time", () => {
  const startedAt = performance.now();
  for (const text of ["\n", ";'\" "]) csvRecord([text.repeat(200_000)]);
  equal(performance.now() - startedAt < 2_000, true);
});
