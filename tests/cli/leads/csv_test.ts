/** @module CSV that no spreadsheet runs, whichever separator it splits at, and that loses nothing. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import fc from "fast-check";
import { csvRecord } from "../../../cli/leads/csv.ts";
import { CELLS, FORMULA_CHARACTERS, INVISIBLE, withoutAdded } from "./cells.ts";
import { readCsv } from "./read_csv.ts";

Deno.test("csvRecord() quotes by RFC 4180 and disarms formulas", () => {
  for (const [cell, written] of CELLS) {
    equal(csvRecord([cell, cell]), `${written},${written}\r\n`, JSON.stringify(cell));
  }
});

/** What a spreadsheet would run once it has dropped what it does not show. */
function runs(cell: string): boolean {
  const shown = [...cell].find((character) => !INVISIBLE.includes(character));
  return FORMULA_CHARACTERS.includes(shown ?? "");
}

const SEPARATORS = [",", ";", "\t", "|", "\u{61B}"];

/** All cells of a file for readers of each separator, with quotes and without. */
function cellsOfAllReaders(text: string): string[] {
  return [",;\t", ...SEPARATORS].flatMap((separators) => [
    ...readCsv(text, { separators }).flat(),
    // A reader that takes quotes for text would split at each comma, which is no list separator then.
    ...(separators.includes(",") ? [] : readCsv(text, { separators, quote: "" }).flat()),
  ]);
}

Deno.test("a formula behind any space or invisible character is disarmed, at the start and after each separator", () => {
  const armed: string[] = [];
  for (const formula of FORMULA_CHARACTERS) {
    for (const dropped of ["", ...INVISIBLE]) {
      for (const before of ["", ...SEPARATORS, "\n", "\r"]) {
        const text = csvRecord(["id", `${before && `x${before}`}${dropped}${formula}1`, "end"]);
        if (cellsOfAllReaders(text).some(runs)) armed.push(text);
      }
    }
  }
  deepEqual(armed, []);
});

const NASTY = fc.string({
  unit: fc.constantFrom(..."=+-@＝−\"',;\t\n\r|a1 ", "\u{A0}", "\u{200B}", "\u{FEFF}", "\v", "🚀"),
  maxLength: 12,
});

Deno.test("no reader finds a cell that runs, whatever leads hold, and the original comes back", () => {
  fc.assert(
    fc.property(fc.array(NASTY, { minLength: 1, maxLength: 4 }), (values) => {
      // A record begins with the lead's id and ends with its deliveries.
      const text = csvRecord(["019aa6b1", ...values, "crm.example waiting"]).repeat(2);
      const armed = cellsOfAllReaders(text).filter(runs);
      deepEqual(armed, []);
      const [record] = readCsv(text, { separators: "," });
      deepEqual(record!.slice(1, -1).map(withoutAdded), values);
    }),
    { numRuns: 5_000 },
  );
});

Deno.test("a value of many line breaks is written in time that grows with its length alone", () => {
  const startedAt = performance.now();
  csvRecord(["\n".repeat(500_000)]);
  csvRecord([";'\" ".repeat(500_000)]);
  equal(performance.now() - startedAt < 2_000, true);
});
