/** @module Columns that line up, within the width of the terminal. */

import { fit, oneLine, type Paint, widthOf } from "./text.ts";

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly align?: "right";
  /** Columns that it takes even where its cells need fewer. */
  readonly least?: number;
  /** May be cut down to so many columns where the terminal is too narrow. */
  readonly flexible?: number;
  /** Emphasis for a cell, by its text. */
  readonly emphasis?: (cell: string) => keyof Paint | undefined;
}

const GAP = "  ";

/**
 * The lines of a table, titles first.
 *
 * @param rows cells; unsafe characters in them are replaced
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { paint, width }: { readonly paint: Paint; readonly width: number },
): string[] {
  const cells = rows.map((row) => row.map(oneLine));
  const titles = columns.map(({ title }) => title);
  const widths = columns.map(({ least = 0 }, index) =>
    [titles, ...cells].reduce((width, row) => Math.max(width, widthOf(row[index] ?? "")), least)
  );
  shrink(widths, columns, { width });
  const line = (row: readonly string[], style: (text: string, column: Column) => string): string =>
    columns
      .map((column, index) => {
        const text = fit(row[index] ?? "", widths[index]!);
        const pad = " ".repeat(widths[index]! - widthOf(text));
        if (column.align === "right") return pad + style(text, column);
        return style(text, column) + (index === columns.length - 1 ? "" : pad);
      })
      .join(GAP)
      .trimEnd();
  return [
    line(titles, paint.dim),
    ...cells.map((row) =>
      line(row, (text, { emphasis }) => {
        const kind = emphasis?.(text);
        return kind === undefined ? text : paint[kind](text);
      })
    ),
  ];
}

/** Takes from the widest flexible column, a bit at a time, until all fits or nothing is left to take. */
function shrink(
  widths: number[],
  columns: readonly Column[],
  { width }: { readonly width: number },
): void {
  let tooMuch = widths.reduce((sum, one) => sum + GAP.length + one, -GAP.length) - width;
  for (; tooMuch > 0; tooMuch--) {
    const [widest] = widths.keys()
      .filter((index) => widths[index]! > (columns[index]!.flexible ?? Infinity))
      .toArray()
      .sort((a, b) => widths[b]! - widths[a]!);
    if (widest === undefined) return;
    widths[widest]!--;
  }
}
