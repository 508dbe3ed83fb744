/** @module Text in a picture: in the display font, measured, and broken into lines of equal length. */

import { Resvg } from "@resvg/resvg-wasm";

/** Sizes for at most two lines, then for at most three; the best first. */
const SIZES = [[120, 112, 104, 96, 88, 80, 72], [72, 64, 56, 48, 40, 32, 24]] as const;
const SPACING = -0.01;
const SPACE = 0.25;
const COLOUR = "#f4f7f8";

export class Lettering {
  readonly #font: Uint8Array;
  readonly #widths = new Map<string, number>();

  /** Characters that were asked for and that the font does not have. */
  readonly lacking = new Set<string>();

  /** @throws {Error} if the font cannot be read */
  constructor(font: Uint8Array) {
    this.#font = font;
    let isFont = false;
    try {
      isFont = this.canWrite("e");
    } catch { /* a font of another kind */ }
    if (!isFont) {
      throw new Error("static/assets/display.woff2: not a font in WOFF2 with letters");
    }
  }

  drawingOf(svg: string): InstanceType<typeof Resvg> {
    return new Resvg(svg, { font: { fontBuffers: [this.#font], loadSystemFonts: false } });
  }

  /** Whether the font has every character. */
  canWrite(words: string): boolean {
    const lacking = [...words.replaceAll(/\s/g, "")].filter((one) => this.#widthOf(one) === 0);
    for (const one of lacking) this.lacking.add(one);
    return lacking.length === 0;
  }

  /** The width in ems. */
  widthOf(words: string): number {
    const all = words.split(" ");
    return all.reduce((sum, word) => sum + this.#widthOf(word), SPACE * (all.length - 1));
  }

  /** The largest size that fits, in the fewest lines; undefined if none does. */
  fit(title: string, room: number): { size: number; rows: readonly string[] } | undefined {
    const narrowest = [1, 2, 3].flatMap((lines) =>
      splits(title.split(" "), lines)
        .map((rows) => ({ rows, width: Math.max(...rows.map((row) => this.widthOf(row))) }))
        .sort((a, b) => a.width - b.width).slice(0, 1)
    );
    const choices = SIZES.flatMap((sizes, n) => sizes.map((size) => ({ size, most: n + 2 })));
    return choices.flatMap(({ size, most }) =>
      narrowest.filter(({ rows, width }) => rows.length <= most && width * size <= room)
        .map(({ rows }) => ({ size, rows }))
    )[0];
  }

  /** Unpacking the font takes longer than all else, so each word is measured once. */
  #widthOf(word: string): number {
    const known = this.#widths.get(word);
    if (known !== undefined) return known;
    const text = textAt(word, { size: 100, x: 0, y: 0 });
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`;
    const width = (this.drawingOf(svg).getBBox()?.width ?? 0) / 100;
    this.#widths.set(word, width);
    return width;
  }
}

export function textAt(
  words: string,
  { size, x, y }: Readonly<Record<"size" | "x" | "y", number>>,
): string {
  const escaped = words.replace(/[&<]/g, (one) => `&#${one.codePointAt(0)};`);
  return `<text x="${x}" y="${y}" font-size="${size}" letter-spacing="${SPACING * size}" ` +
    `fill="${COLOUR}">${escaped}</text>`;
}

/** Every way to break words into lines. */
function splits(words: readonly string[], lines: number): string[][] {
  if (lines === 1) return [[words.join(" ")]];
  return words.slice(1).flatMap((_, at) =>
    splits(words.slice(at + 1), lines - 1)
      .map((rest) => [words.slice(0, at + 1).join(" "), ...rest])
  );
}
