/** @module Tables that fit a terminal. */

import { oneLine } from "./text.ts";

type Row = readonly (string | number)[];

/** How a table fits; columns by their number. */
export interface Fit {
  /** The width of the terminal; Infinity: nothing is cut. */
  readonly columns?: number;
  /** Columns that shrink, with an ellipsis. */
  readonly long?: readonly number[];
  /** Columns that are left out to make room for them, the first one first. */
  readonly optional?: readonly number[];
  /** The least width of each column, for rows that follow. */
  readonly least?: readonly number[];
}

/** Columns shrink below this width only when the optional ones are left out. */
const ROOMY = 16;

const GAP = "  ";

/** East Asian Width W and F (Unicode Standard Annex #11), and emoji. */
const WIDE =
  /(?!\p{RI})\p{Emoji_Presentation}|[\u1100-\u115F\u2329\u232A\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{1D300}-\u{1D376}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}]/u;

/** Combining marks, joiners, tags, and the vowels and finals of a decomposed Hangul syllable. */
const ZERO =
  /[\p{Mn}\p{Me}\u1160-\u11FF\uD7B0-\uD7FF\u200B-\u200D\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]/u;

const ASCII = /^[ -~]*$/;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * How many cells a text takes at most. Terminals disagree about joined emoji: the sum of their parts is
 * counted, so that a line may end early but never breaks.
 */
export function cellsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let cells = 0;
  let last = 0;
  for (const character of text) {
    // U+FE0F makes an emoji of a narrow character.
    if (character === "\u{FE0F}") last = last === 1 ? 1 : 0;
    else last = ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
    cells += last;
  }
  return cells;
}

/** The text in at most so many cells, ending in an ellipsis if it is cut. */
export function cut(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  let kept = "";
  let left = cells - 1;
  for (const { segment } of graphemes.segment(text)) {
    left -= cellsOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Formats rows as wide as these rows and titles need. */
export function rowFormat(
  titles: readonly string[],
  rows: readonly Row[],
  { columns = Infinity, long = [], optional = [], least = [] }: Fit = {},
): (row: Row) => string {
  const widths = titles.map((title, n) =>
    rows.reduce<number>(
      (width, row) => Math.max(width, cellsOf(textOf(row[n]!))),
      Math.max(title.length, least[n] ?? 0),
    )
  );
  const left = new Set(titles.keys());
  const excess = () =>
    [...left].reduce((sum, n) => sum + widths[n]! + GAP.length, -GAP.length) - columns;
  const spare = long.reduce((sum, n) => sum + Math.max(0, widths[n]! - ROOMY), 0);
  for (const n of optional) if (excess() > spare) left.delete(n);
  while (excess() > 0) {
    // The widest one, so that a short one stays whole.
    const widest = long.reduce((a, b) => widths[b]! > widths[a]! ? b : a, long[0]!);
    if (widths[widest] === 1) break;
    widths[widest]!--;
  }
  return (row) =>
    [...left].map((n) => {
      const text = textOf(row[n]!);
      const shown = columns === Infinity ? text : cut(text, widths[n]!);
      const blanks = " ".repeat(Math.max(0, widths[n]! - cellsOf(shown)));
      return typeof rows[0]?.[n] === "number" ? blanks + shown : shown + blanks;
    }).join(GAP).trimEnd();
}

/** The lines of a table, titles first, numbers right-aligned. Without rows there are no lines. */
export function table(titles: readonly string[], rows: readonly Row[], fit?: Fit): string[] {
  return rows.length === 0 ? [] : [titles, ...rows].map(rowFormat(titles, rows, fit));
}

function textOf(cell: string | number): string {
  return typeof cell === "number" ? cell.toLocaleString("en") : oneLine(cell);
}
