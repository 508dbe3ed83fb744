/** @module Strings: of any length, of a format, of a pattern. */

import fc from "fast-check";
import type { Json } from "../document.ts";
import { codePoints } from "./noise.ts";
import { FORMATS } from "./formats.ts";
import { CannotGenerate, type ValueOptions } from "./options.ts";
import type { Rules } from "./rules.ts";

/** Characters of a text that need not be longer. */
const LENGTH = 200;
/** Characters of the longest random text, unless more are needed. */
const LONG = 5_000;

export function strings(rules: Rules, options: ValueOptions): fc.Arbitrary<string> {
  const { minLength, maxLength, pattern, format } = rules;
  const known = FORMATS[String(format)];
  if (pattern !== undefined) return matches(String(pattern), rules);
  if (known !== undefined) return known.values(options);
  const least = Number(minLength ?? 0);
  const most = Number(maxLength ?? least + LENGTH);
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
  const least = Number(rules["minLength"] ?? Math.min(1, Number(rules["maxLength"] ?? 1)));
  const text = textOf(rules, least);
  if (text !== undefined) return text;
  const { pattern, format } = rules;
  const what = pattern === undefined ? `format ${String(format)}` : `pattern ${String(pattern)}`;
  const size = rules["minLength"] === undefined ? "" : ` with ${least} characters`;
  throw new CannotGenerate(`${what} cannot be generated${size}`);
}

/** A text of at least so many characters, and of exactly so many if `exact`. */
export function textOf(rules: Rules, length: number, { exact = false, unit = "a" } = {}) {
  const { pattern, format } = rules;
  const known = FORMATS[String(format)];
  if (pattern !== undefined) {
    const text = stretched(String(pattern), length);
    return text === undefined || (exact && sizeOf(text) !== length) ? undefined : text;
  }
  if (known === undefined) return unit.repeat(length);
  const text = sizeOf(known.smallest) >= length ? known.smallest : known.ofLength?.(length);
  return text === undefined || (exact && sizeOf(text) !== length) ? undefined : text;
}

/** Length in code points, as JSON Schema counts. */
export function sizeOf(text: string): number {
  return [...text].length;
}

/** A pattern as JSON Schema has it, or with what other dialects write for the same. */
export function regexpOf(pattern: string): RegExp | undefined {
  const translated = pattern.replaceAll("\\Z", "$").replaceAll("\\A", "^").replaceAll(
    "(?P<",
    "(?<",
  );
  const tries = [[pattern, "u"], [pattern, ""], [translated, "u"], [translated, ""]] as const;
  for (const [source, flags] of tries) {
    try {
      return new RegExp(source, flags);
    } catch {
      // The next one.
    }
  }
  return undefined;
}

/** Texts that dialects of regular expressions read alike: `.`, `\s` and `$` differ about controls. */
function matches(pattern: string, { minLength, maxLength }: Rules): fc.Arbitrary<string> {
  const regexp = regexpOf(pattern);
  const base = samples(pattern);
  const [least, most] = [Number(minLength ?? 0), Number(maxLength ?? Infinity)];
  const fits = (text: string) =>
    regexp!.test(text) && isPlain(text) && sizeOf(text) >= least && sizeOf(text) <= most;
  if (fc.sample(base, { numRuns: 20, seed: 1 }).filter(fits).length >= 5) return base.filter(fits);
  const lengths = [least, least + 1, Math.min(most, least + 20)];
  const found = [
    ...lengths.map((length) => stretched(pattern, length)),
    ...fc.sample(base, { numRuns: 200, seed: 2 }),
  ].filter((text) => text !== undefined && fits(text));
  if (found.length === 0) throw new CannotGenerate(`pattern ${pattern} cannot be generated`);
  return fc.constantFrom(...new Set(found as string[]));
}

function isPlain(text: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(text) && text.trim() === text;
}

/** @throws {CannotGenerate} */
function samples(pattern: string): fc.Arbitrary<string> {
  // Assertions are left to the filter.
  const regexp = regexpOf(pattern) && regexpOf(pattern.replace(/\(\?<?[=!][^()]*\)/g, ""));
  try {
    if (regexp !== undefined) return fc.stringMatching(regexp, { size: "small" });
  } catch {
    // Said below.
  }
  throw new CannotGenerate(`pattern ${pattern} cannot be generated`);
}

const shortest = new Map<string, string>();

/** A short text of the pattern with one character repeated until it is long enough. */
function stretched(pattern: string, length: number): string | undefined {
  const regexp = regexpOf(pattern);
  const text = shortest.get(pattern) ?? shortestOf(pattern, regexp);
  if (text === undefined || regexp === undefined) return undefined;
  shortest.set(pattern, text);
  const characters = [...text];
  const missing = length - characters.length;
  if (missing <= 0) return text;
  const places = [...characters.keys()].reverse();
  return [
    ...places.map((at) => characters.toSpliced(at, 0, characters[at]!.repeat(missing)).join("")),
    text + "a".repeat(missing),
  ]
    .find((one) => regexp.test(one));
}

function shortestOf(pattern: string, regexp: RegExp | undefined): string | undefined {
  let text =
    ["a", "1", "A", "a1", "Aa1!aaaa", ...fc.sample(samples(pattern), { numRuns: 50, seed: 3 })]
      .filter((one) => regexp?.test(one) && isPlain(one))
      .sort((a, b) => a.length - b.length)[0];
  for (let at = 0; text !== undefined && at < sizeOf(text);) {
    const less: string = [...text].toSpliced(at, 1).join("");
    if (less !== "" && regexp!.test(less) && isPlain(less)) text = less;
    else at++;
  }
  return text;
}

/** Words that a pattern may exclude. */
const MISSES = ["!", "a", "A", "1", " ", "-", "a b", "<>", "~".repeat(9), "é", ""];

/** A text of allowed length that does not match. */
export function missOf({ pattern, minLength, maxLength }: Rules): Json | undefined {
  const regexp = regexpOf(String(pattern));
  const shortest = stretched(String(pattern), Number(minLength ?? 0)) ?? "";
  return [...MISSES, ...MISSES.flatMap((one) => [one + shortest, shortest + one])].find((text) =>
    regexp?.test(text) === false && sizeOf(text) >= Number(minLength ?? 0) &&
    sizeOf(text) <= Number(maxLength ?? Infinity)
  );
}
