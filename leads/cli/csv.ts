/**
 * @module Comma-separated values by RFC 4180: CRLF after each record, quotes where a cell needs them.
 *
 * Spreadsheets run a cell that begins like a formula; such a cell gets a leading apostrophe
 * (OWASP, "CSV Injection": `= + - @`, tab, CR, LF, and the full-width forms).
 */

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * One record, line end included.
 *
 * @example What needs quotes, and what a spreadsheet would run
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(csvRecord(["Acme, Inc.", "=1+1"]), `"Acme, Inc.",'=1+1\r\n`);
 * ```
 */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
