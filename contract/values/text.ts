/** @module Strings: of any length, of a format, of a pattern. */

import fc from "fast-check";
import { FORMATS } from "./formats.ts";
import { codePoints } from "./noise.ts";
import { CannotGenerate, type ValueOptions } from "./options.ts";
import { isMatch, matches, matchOf } from "./patterns.ts";
import type { Rules } from "./rules.ts";

/** Characters of a text that need not be longer. */
const LENGTH = 200;
/** Characters of the longest random text, unless more are needed. */
const LONG = 5_000;

/** @throws {CannotGenerate} */
export function strings(rules: Rules, options: ValueOptions): fc.Arbitrary<string> {
  const { minLength, maxLength, pattern, format } = rules;
  const least = Number(minLength ?? 0);
  const most = Number(maxLength ?? least + LENGTH);
  if (typeof pattern === "string") {
    const lengths = [least, least + 1, least + 20, most].filter((length) => length <= LONG);
    const long = lengths.map((length) => matchOf(pattern, length)).filter((text) =>
      text !== undefined
    );
    return fc.oneof(matches(pattern), fc.constantFrom(...long, smallestText(rules)))
      .filter((text) => isMatch(pattern, text));
  }
  const known = FORMATS[String(format)];
  if (known !== undefined) return known.values(options);
  const bounds = { minLength: least, maxLength: Math.min(most, Math.max(least, LONG)) };
  const full = { minLength: bounds.maxLength, maxLength: bounds.maxLength };
  // A unit is a code point, as JSON Schema counts.
  return fc.oneof(
    { withCrossShrink: true },
    fc.string({ unit: codePoints(), ...bounds }),
    fc.string(bounds),
    fc.string({ unit: codePoints(), ...full }),
    fc.string({ unit: fc.constantFrom("😀", "\u0301", "ß", "\u202e", "x"), ...full }),
  );
}

/** The shortest text, of one character if it may have one. @throws {CannotGenerate} */
export function smallestText(rules: Rules): string {
  const { pattern, format, minLength, maxLength } = rules;
  const text = textOf(rules, Number(minLength ?? Math.min(1, Number(maxLength ?? 1))));
  if (text !== undefined) return text;
  const what = pattern === undefined ? `format ${String(format)}` : `pattern ${String(pattern)}`;
  const size = minLength === undefined ? "" : ` with ${String(minLength)} characters`;
  throw new CannotGenerate(`${what} cannot be generated${size}`);
}

/** A text of at least so many characters, as few as possible. */
export function textOf({ pattern, format }: Rules, length: number, unit = "a"): string | undefined {
  if (typeof pattern === "string") return matchOf(pattern, length);
  const known = FORMATS[String(format)];
  if (known === undefined) return unit.repeat(length);
  return known.smallest.length >= length ? known.smallest : known.ofLength?.(length);
}
