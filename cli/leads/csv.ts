/**
 * @module Comma-separated values by RFC 4180: CRLF after each record, quotes where a cell needs them.
 *
 * Spreadsheets run a cell that begins like a formula (OWASP, "CSV Injection"). Where a cell begins is
 * up to them: a German Excel splits at semicolons, where quotes in the middle of a cell do not count
 * and a line break in a value ends the row; others trim spaces first. So an apostrophe goes before
 * every formula character at which some spreadsheet's cell could begin: at the start of a value or
 * behind a separator or line break in it, whatever blanks, quotes and apostrophes stand in between.
 * All else is as it was sent, and taking each such apostrophe away gives back the value.
 */

/** What ends a cell somewhere: list separators (Persian's too), tab, and all line breaks. */
const SEPARATOR = ";|\u{61B}\\t\\n\\v\\f\\r\u{85}\u{2028}\u{2029}";

/** What a spreadsheet may drop before it looks at a cell: spaces, controls, invisible characters. */
const DROPPED = "\\s\\p{Z}\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\"'";

/** `= + - @`, the full-width and the small forms, and the minus sign. */
const FORMULA = "=+\\-@＝＋－＠﹦﹢﹣﹫−";

/** The formula character is optional so that what leads up to it is read once, however long. */
const CELL_START = new RegExp(
  `((?:^|[${SEPARATOR}])[${SEPARATOR}${DROPPED}]*)([${FORMULA}])?`,
  "gu",
);

/** Separators beside the comma are quoted for readers that split at several. */
const NEEDS_QUOTES = new RegExp(`[",${SEPARATOR}]`);

/**
 * One record, line end included.
 *
 * @example What needs quotes, and what a spreadsheet would run
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(csvRecord(["Acme, Inc.", "=1+1"]), `"Acme, Inc.",'=1+1\r\n`);
 * strictEqual(csvRecord(["x; =1+1"]), `"x; '=1+1"\r\n`);
 * ```
 */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = text.replace(
    CELL_START,
    (_, before: string, formula?: string) =>
      formula === undefined ? before : `${before}'${formula}`,
  );
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
