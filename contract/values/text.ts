/** @module Texts: of any length, of a format; those that match a pattern, and those that do not. */

import fc from "fast-check";
import { patternOf } from "../document/pattern.ts";
import { FORMATS } from "./formats.ts";
import { codePoints } from "./noise.ts";
import { CannotGenerate, type ValueOptions } from "./options.ts";
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
    const long = lengths.flatMap((length) => matchOf(pattern, length) ?? []);
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

/** Texts that all dialects read alike: `.`, `\s` and `$` differ about controls. */
function isMatch(pattern: string, text: string): boolean {
  return patternOf(pattern)?.test(text) === true && text.trim() === text &&
    !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}

/** Most of these match. @throws {CannotGenerate} */
function matches(pattern: string): fc.Arbitrary<string> {
  // Assertions are left to the filter.
  const regexp = patternOf(pattern) && patternOf(pattern.replace(/\(\?<?[=!][^()]*\)/g, ""));
  try {
    return fc.stringMatching(regexp!, { size: "xsmall" });
  } catch {
    throw new CannotGenerate(`pattern ${pattern} cannot be generated`);
  }
}

/** So long texts are matched by any pattern in time. */
const SHORT = 16;

const shortest = new Map<string, string | undefined>();

/** The shortest match with one character repeated until it is long enough. */
function matchOf(pattern: string, length: number): string | undefined {
  if (!shortest.has(pattern)) shortest.set(pattern, shortestOf(pattern));
  const text = shortest.get(pattern);
  const characters = [...text ?? ""];
  const missing = length - characters.length;
  if (text === undefined || missing <= 0) return text;
  // Where repeated alternatives overlap, a test takes exponential time in the length.
  if (/\([^()]*[|*+][^()]*\)[*+{]/.test(pattern) && length > SHORT) return undefined;
  return [...characters.keys(), characters.length].reverse()
    .map((at) => characters.toSpliced(at, 0, (characters[at] ?? "a").repeat(missing)).join(""))
    .find((one) => isMatch(pattern, one));
}

function shortestOf(pattern: string): string | undefined {
  const sampled = fc.sample(matches(pattern), { numRuns: 50, seed: 3 });
  const tries = ["a", "1", "A", "Aa1!aaaa", ...sampled];
  let [text] = tries.filter((one) => isMatch(pattern, one)).sort((a, b) => a.length - b.length);
  for (let at = 0; text !== undefined && at < [...text].length;) {
    const less: string = [...text].toSpliced(at, 1).join("");
    if (less !== "" && isMatch(pattern, less)) text = less;
    else at++;
  }
  for (const at of [...text ?? ""].keys()) {
    const plain = ["a", "0"].map((one) => [...text!].with(at, one).join(""));
    text = plain.find((one) => isMatch(pattern, one)) ?? text;
  }
  return text;
}

/** Characters and words that patterns exclude. */
const MISSES = ["!", "a", "A", "1", " ", "-", "a b", "<>", "~~~~~~~~~", "é", ""];

/** Texts that do not match, and have the length of one that does. */
export function missesOf(pattern: string, length: number): string[] {
  const match = matchOf(pattern, length) ?? "";
  return [...MISSES, ...MISSES.flatMap((one) => [one + match, match + one])]
    .filter((text) => patternOf(pattern)?.test(text) === false);
}
