/** @module A reader of CSV as spreadsheets are: quotes count at the start of a cell, the rest is text. */

/**
 * The records of a file.
 *
 * @param options.separators each of these characters ends a cell
 * @param options.quote what begins a quoted cell; "" for a reader that knows no quotes
 */
export function readCsv(
  text: string,
  { separators = ",", quote = '"' }: {
    readonly separators?: string;
    readonly quote?: string;
  } = {},
): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === quote) {
      for (at++; at < text.length; at++) {
        if (text[at] !== quote) cell += text[at];
        else if (text[at + 1] === quote) cell += text[++at];
        else break;
      }
      at++;
    }
    while (at < text.length && !separators.includes(text[at]!) && !/[\r\n]/.test(text[at]!)) {
      cell += text[at++];
    }
    record.push(cell);
    if (at < text.length && separators.includes(text[at]!)) {
      at++;
      continue;
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    records.push(record);
    record = [];
  }
  return records;
}
