/**
 * @module Text for a terminal. What a sender wrote may hold escape sequences that would move the
 * cursor, rename the window or hide the rest of a line: none of it reaches a terminal unchanged.
 */

import type { Terminal } from "./command.ts";

/** C0, DEL, C1, and what turns the direction of writing around. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Two columns wide on a terminal; an approximation of Unicode's East Asian Width. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6])/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The text in one line, with U+FFFD for what would do something to a terminal. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(UNSAFE, "\u{FFFD}");
}

/** The lines of a text, each of them safe. */
export function lines(text: string): string[] {
  return text.split(/\r\n|[\r\n\u2028\u2029]/).map((line) =>
    line.replaceAll("\t", "  ").replace(UNSAFE, "\u{FFFD}")
  );
}

/** A value as JSON in one line, with escapes for what would do something to a terminal. */
export function json(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** How many columns a text takes on a terminal. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...graphemes.segment(text)].reduce((sum, { segment }) => sum + cell(segment), 0);
}

function cell(grapheme: string): number {
  return WIDE.test(grapheme) ? 2 : 1;
}

/** The text, or so much of it that it takes `width` columns with an ellipsis at its end. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let taken = 1;
  for (const { segment } of graphemes.segment(text)) {
    taken += cell(segment);
    if (taken > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** A number as people read it, such as `1,204`. */
export function numeral(n: number): string {
  return n.toLocaleString("en");
}

/** A number and its noun, such as `1,204 leads` or `2 deliveries`. */
export function count(n: number, noun: string): string {
  const many = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${numeral(n)} ${n === 1 ? noun : many}`;
}

/** Emphasis where the terminal shows it. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
}

/** The emphasis of a terminal; none where it shows no colours. */
export function paintFor({ colours }: Pick<Terminal, "colours">): Paint {
  return {
    bold: (text) => colours ? `\x1b[1m${text}\x1b[22m` : text,
    dim: (text) => colours ? `\x1b[2m${text}\x1b[22m` : text,
  };
}
