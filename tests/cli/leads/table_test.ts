/** @module Tables at 60 to 200 columns, with hostile text. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import fc from "fast-check";
import { cellsOf, cut } from "../../../cli/leads/table.ts";
import { dead, delivered, waiting, withCli } from "./fixture.ts";

/** As terminals show them; of joined emoji the most that a terminal takes. */
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

Deno.test("cut() keeps whole graphemes and at most so many cells", () => {
  const graphemes = new Intl.Segmenter("en");
  const parts = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment);
  const texts = fc.array(fc.constantFrom(...CELLS.map(([text]) => text), " ", "x"))
    .map((some) => some.join(""));
  fc.assert(fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, most) => {
    const short = cut(text, most);
    ok(cellsOf(short) <= most);
    if (cellsOf(text) <= most) return equal(short, text);
    const kept = parts(short.slice(0, -1));
    deepEqual([short.at(-1), parts(text).slice(0, kept.length)], ["…", kept]);
    ok(cellsOf(short) + cellsOf(parts(text)[kept.length]!) > most, "it could be longer");
  }));
});

Deno.test("the tables of list, stats and show fit 60 to 200 columns; in a pipe nothing is cut", () =>
  withCli(async (cli) => {
    const now = cli.clock.now();
    const target = `very-long-${"target-".repeat(30)}.example:8443`;
    const states = { crm: delivered(now), [target]: waiting(now + 11 * 3_600_000) };
    const companies = [
      "日本語".repeat(60),
      "👨\u200D👩\u200D👧".repeat(40),
      "Z\u0301\u0328".repeat(90),
    ];
    const email = `${"a".repeat(64)}@${"b".repeat(60)}.example`;
    for (const company of [...companies, "A\x1b[2J\u202E\t\u3000B", "GmbH"]) {
      const lead = { company, email, plan: "unspecified" as const, message: "x" };
      await cli.put({ lead, deliveries: states });
    }
    const short = { company: "Kurz AG", email: "k@example.com" };
    const { id } = await cli.put({ lead: short, deliveries: { [target]: dead(now) } });
    const commands = [["list"], ["stats"], ["show", id]];
    for (const columns of [60, 80, 120, 200]) {
      cli.columns = columns;
      for (const words of commands) {
        const lines = (await cli.printed(...words)).split("\n")
          .filter((line) => words[0] !== "show" || line.startsWith("    ")); // its tables
        for (const line of lines) ok(cellsOf(line) <= columns, `${columns}: ${line}`);
        if (words[0] === "stats") match(lines.join("\n"), /^very-long-\S+… +0 +5 +1$/m);
      }
      const list = await cli.printed("list");
      match(list, /^\w{8} +in 0s +waiting, in 11h /m);
      equal(list.includes("…"), true, "long ones are cut");
      match(list, columns > 60 ? / k@example.com +Kurz AG$/m : / k@examp\S* +Kurz AG$/m);
      equal(/ PLAN +/.test(list), columns > 80);
      const [titles = "", ...rows] = list.split("\n");
      const last = rows.find((row) => row.includes("Kurz"))!;
      equal(titles.indexOf("COMPANY"), last.indexOf("Kurz"), "columns are aligned");
      const wide = rows.find((row) => row.includes("日"))!;
      equal(cellsOf(wide.slice(0, wide.indexOf("日"))), titles.indexOf("COMPANY"));
    }
    cli.columns = Infinity;
    const all = await cli.printed("list");
    for (const text of [...companies, email]) ok(all.includes(text));
    ok((await cli.printed("stats")).includes(target));
    ok(!/[…]/.test(all));
  }));
