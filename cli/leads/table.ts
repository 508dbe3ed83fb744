/** @module Tables that fit a terminal. */

import { oneLine } from "./text.ts";

/** How a table fits; columns by their number. */
interface Fit {
  /** The width of the terminal; Infinity: nothing is cut. */
  readonly columns: number;
  /** Columns that shrink, with an ellipsis. */
  readonly long: readonly number[];
  /** Columns that are left out to make room for them, the first one first. */
  readonly optional: readonly number[];
}

/** Columns shrink below this width only when the optional ones are left out. */
const ROOMY = 16;

/** East Asian Width W and F (Unicode Standard Annex #11), and emoji. */
const WIDE =
  /(?!\p{RI})\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{1B2FF}\u{1D300}-\u{1D376}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}]/gu;

/** Marks, joiners, tags, and the end of a decomposed Hangul syllable. U+FE0F widens what it follows. */
const ZERO =
  /(?!\uFE0F)[\p{Mn}\p{Me}\u1160-\u11FF\uD7B0-\uD7FF\u200B-\u200D\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]/gu;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * How many cells a text takes at most. Terminals disagree about joined emoji: the sum of their parts is
 * counted, so that a line may end early but never breaks.
 */
export function cellsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  const visible = text.replace(ZERO, "");
  return [...visible].length + (visible.match(WIDE)?.length ?? 0);
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

/** The lines of a table, titles first, as wide as its cells need and the terminal allows. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, long, optional }: Fit = { columns: Infinity, long: [], optional: [] },
): string[] {
  const cells = [titles, ...rows].map((row) => row.map(oneLine));
  const widths = titles.map((_, n) =>
    cells.reduce((width, row) => Math.max(width, cellsOf(row[n]!)), 0)
  );
  const excess = () => widths.reduce((sum, width) => sum + width + 2, -2) - columns;
  const spare = long.reduce((sum, n) => sum + Math.max(0, widths[n]! - ROOMY), 0);
  for (const n of optional) if (excess() > spare) widths[n] = -2; // neither the column nor its gap
  while (excess() > 0) {
    // The widest one, so that a short one stays whole.
    const widest = long.reduce((a, b) => widths[b]! > widths[a]! ? b : a, long[0]!);
    if (widths[widest] === 1) break;
    widths[widest]!--;
  }
  return cells.map((row) =>
    row.flatMap((cell, n) => {
      const width = widths[n]!;
      if (width < 0) return [];
      const text = cut(cell, width);
      return text + " ".repeat(width - cellsOf(text));
    }).join("  ").trimEnd()
  );
}
