/**
 * @module Comma-separated values by RFC 4180: CRLF after each record, quotes where a cell needs them.
 *
 * Spreadsheets run a cell that starts like a formula (OWASP, "CSV Injection"), and disagree on where a
 * cell starts: a German Excel splits at semicolons, ignores quotes inside a cell and ends the row at a
 * line break; others trim spaces first. So every formula character that could start a cell gets an
 * apostrophe: at the start of a value or after a separator or line break in it, whatever blanks, quotes
 * and apostrophes precede it. Removing these apostrophes restores the value.
 */

/** Ends a cell for some reader: list separators (Persian too), tab, and all line breaks. */
const SEPARATOR = ";|\u{61B}\\t\\n\\v\\f\\r\u{85}\u{2028}\u{2029}";

/** Dropped by some spreadsheet at the start of a cell: spaces, controls, invisible characters. */
const BLANK = "\\s\\p{Z}\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\"'";

/** `= + - @`, their full-width and small forms, and the minus sign. */
const FORMULA = "=+\\-@＝＋－＠﹦﹢﹣﹫−";

/** The formula character is optional so that a long prefix is read only once. */
const CELL_START = new RegExp(`((?:^|[${SEPARATOR}])[${SEPARATOR}${BLANK}]*)([${FORMULA}])?`, "gu");

/** Quotes separators other than the comma too, for readers that split at several. */
const NEEDS_QUOTES = new RegExp(`[",${SEPARATOR}]`);

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
