/**
 * @module Text for a terminal. What a sender wrote may hold escape sequences that would move the
 * cursor, rename the window or hide the rest of a line: none of it reaches a terminal unchanged.
 */

/** C0, DEL, C1, and what turns the direction of writing around. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** The text in one line, with U+FFFD for what would do something to a terminal. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(UNSAFE, "\u{FFFD}");
}

/** A value as JSON in one line, with escapes for what would do something to a terminal. */
export function json(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A number and its noun, such as `1,204 leads` or `2 deliveries`. */
export function count(n: number, noun: string): string {
  const many = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${n.toLocaleString("en")} ${n === 1 ? noun : many}`;
}

/** Lines of cells in columns, titles first; numbers to the right. No line without a row. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  if (rows.length === 0) return [];
  const cells = [titles, ...rows].map((row) =>
    row.map((cell) => typeof cell === "number" ? cell.toLocaleString("en") : oneLine(cell))
  );
  const widths = titles.map((_, column) =>
    cells.reduce((width, row) => Math.max(width, row[column]!.length), 0)
  );
  return cells.map((row) =>
    row.map((cell, column) =>
      typeof rows[0]![column] === "number"
        ? cell.padStart(widths[column]!)
        : cell.padEnd(widths[column]!)
    ).join("  ").trimEnd()
  );
}
