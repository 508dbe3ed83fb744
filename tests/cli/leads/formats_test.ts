/** @module Tables at 60 to 200 columns and CSV, with hostile text. */

import { fail, match, ok, strictEqual as equal } from "node:assert/strict";
import fc from "fast-check";
import { cellsOf, cut } from "../../../cli/leads/table.ts";
import { dead, delivered, HOUR, test, waiting } from "./fixture.ts";
import { csvRecord } from "../../../cli/leads/csv.ts";

const CELLS: readonly (readonly [text: string, cells: number])[] = [
  ["", 0],
  ["カタカナ ｶﾅ", 11],
  ["한국".normalize("NFD"), 4],
  ["ＡＢ，", 6],
  ["é".normalize("NFD"), 1],
  [`Z${"\u0301\u0328".repeat(50)}`, 1],
  ["a\u200Bb\u200Dc\uFEFF", 3],
  ["❤\uFE0F", 2],
  ["1\uFE0F\u20E3", 2],
  ["🇩🇪", 2],
  ["👨\u200D👩\u200D👧", 6],
  ["… – ü ﷺ", 7],
];

Deno.test("cellsOf() counts wide characters and emoji as two cells, marks as none", () => {
  for (const [text, cells] of CELLS) equal(cellsOf(text), cells, JSON.stringify(text));
});

Deno.test("cut() keeps whole graphemes and as many cells as fit", () => {
  const graphemes = new Intl.Segmenter("en");
  const parts = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment);
  const texts = fc.array(fc.constantFrom(...CELLS.map(([text]) => text), " ", "x"));
  fc.assert(fc.property(texts, fc.integer({ min: 1, max: 30 }), (some, most) => {
    const text = some.join("");
    if (cellsOf(text) <= most) return equal(cut(text, most), text);
    const kept = parts(cut(text, most).slice(0, -1));
    const longer = parts(text).slice(0, kept.length + 1);
    equal(cut(text, most), `${longer.slice(0, -1).join("")}…`);
    ok(cellsOf(kept.join("")) < most && cellsOf(longer.join("")) >= most);
  }));
});

test("the table of list fits 60 to 200 columns; in a pipe nothing is cut", async (cli) => {
  const now = cli.clock.now();
  const target = `very-long-${"target-".repeat(30)}.example:8443`;
  const deliveries = { crm: delivered(now), [target]: waiting(now + 11 * HOUR) };
  const joined = "👨\u200D👩\u200D👧".repeat(40);
  const companies = ["日本語".repeat(60), joined, "Z\u0301\u0328".repeat(90)];
  const email = `${"a".repeat(64)}@${"b".repeat(60)}.example`;
  for (const company of [...companies, "A\x1b[2J\u202E\t\u3000B"]) {
    await cli.put({ lead: { company, email, plan: "unspecified" }, deliveries });
  }
  const short = { company: "Kurz AG", email: "k@example.com" };
  await cli.put({ lead: short, deliveries: { [target]: dead(now) } });
  for (const columns of [60, 80, 120, 200]) {
    cli.columns = columns;
    const list = await cli.printed("list");
    for (const line of list.split("\n")) ok(cellsOf(line) <= columns, `${columns}: ${line}`);
    match(list, /^\w{8} +in 0s +waiting, in 11h .*…/m);
    match(list, columns > 60 ? / k@example.com +Kurz AG$/m : / k@examp\S* +Kurz AG$/m);
    equal(/ PLAN +/.test(list), columns > 80);
    const [titles = "", ...rows] = list.split("\n");
    for (const company of ["Kurz", "日"]) {
      const row = rows.find((row) => row.includes(company))!;
      const before = cellsOf(row.slice(0, row.indexOf(company)));
      equal(before, titles.indexOf("COMPANY"), "columns are aligned");
    }
  }
  cli.columns = 20; // too narrow
  match(await cli.printed("list"), /^\w{8} +in 0s +waiting, in 11h {2}… {2}…$/m);
  cli.columns = Infinity;
  const all = await cli.printed("list");
  for (const text of [...companies, email]) ok(all.includes(text));
  ok(!all.includes("…"));
});

const WRITTEN: readonly (readonly [cell: string, written: string])[] = [
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
  for (const [cell, written] of WRITTEN) {
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
