/** @module Tables at 60 to 200 columns, with hostile text. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import fc from "fast-check";
import { cellsOf, cut } from "../../../cli/leads/table.ts";
import { dead, delivered, HOUR, test, waiting } from "./fixture.ts";

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

test("the tables of list, stats and show fit 60 to 200 columns; in a pipe nothing is cut", async (cli) => {
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
  const { id } = await cli.put({ lead: short, deliveries: { [target]: dead(now) } });
  for (const columns of [60, 80, 120, 200]) {
    cli.columns = columns;
    for (const words of [["list"], ["stats"], ["show", id]]) {
      const lines = (await cli.printed(...words)).split("\n")
        .filter((line) => words[0] !== "show" || line.startsWith("    ")); // its tables
      for (const line of lines) ok(cellsOf(line) <= columns, `${columns}: ${line}`);
      if (words[0] === "stats") match(lines.join("\n"), /^very-long-\S+… +0 +4 +1$/m);
    }
    const list = await cli.printed("list");
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
  const all = await cli.printed("list") + await cli.printed("stats");
  for (const text of [...companies, email, target]) ok(all.includes(text));
  ok(!all.includes("…"));
});
