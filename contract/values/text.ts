/** @module Texts: of any length, format and pattern, and those that break them; random bytes. */

import fc from "fast-check";
import { patternOf } from "../document/schema_for_ajv.ts";
import { FORMATS } from "../document/formats.ts";
import { CannotGenerate } from "./options.ts";
import type { Rules } from "./schema_rules.ts";

/** Characters of a text that need not be longer. */
const LENGTH = 200;
/** Characters of the longest random text, unless more are needed. */
const LONG = 5_000;

/** @throws {CannotGenerate} */
export function strings(rules: Rules): fc.Arbitrary<string> {
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
  if (known !== undefined) return known.values();
  const bounds = { minLength: least, maxLength: Math.min(most, Math.max(least, LONG)) };
  const full = { minLength: bounds.maxLength, maxLength: bounds.maxLength };
  // A unit is a code point, as JSON Schema counts.
  return fc.oneof(
    { withCrossShrink: true },
    fc.string({ unit: CODE_POINTS, ...bounds }),
    fc.string(bounds),
    fc.string({ unit: CODE_POINTS, ...full }),
    fc.string({ unit: fc.constantFrom("😀", "\u0301", "ß", "\u202e", "x"), ...full }),
  );
}

/** Any code point but surrogates. fast-check's `binary` unit does the same, but takes seconds. */
const CODE_POINTS = fc.oneof(
  { withCrossShrink: true },
  ...[[0x20, 0x7e], [0, 0xff], [0x100, 0xd7ff], [0xe000, 0xffff], [0x10000, 0x10ffff]]
    .map(([min, max]) => fc.integer({ min: min!, max: max! })),
).map((code) => String.fromCodePoint(code));

/** The shortest text, of one character if it may have one. @throws {CannotGenerate} */
export function smallestText(rules: Rules): string {
  const { pattern, format, minLength, maxLength } = rules;
  const length = Number(minLength || Math.min(1, Number(maxLength ?? 1)));
  const known = FORMATS[`${format}`];
  if (typeof pattern !== "string" && known === undefined) return "a".repeat(length);
  const isLong = known !== undefined && known.smallest.length >= length;
  const ofFormat = isLong ? known.smallest : known?.ofLength?.(length);
  const text = typeof pattern === "string" ? matchOf(pattern, length) : ofFormat;
  if (text !== undefined) return text;
  const what = pattern === undefined ? `format ${format}` : `pattern ${pattern}`;
  const size = minLength === undefined ? "" : ` with ${minLength} characters`;
  throw new CannotGenerate(`${what} cannot be generated${size}`);
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

const TYPES = [
  ...["", "text/plain", "text/json", "application/xml", "application/problem+json"],
  ...["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"],
  ...["application/octet-stream", "*/*", "/", ";", ","],
];

/** What parsers of JSON and databases mishandle: a lone surrogate, NUL, the name of a prototype. */
const ODD = ["\\ud800", "\\u0000", '"__proto__":{},'].map((text) => new TextEncoder().encode(text));

/** Header values: visible ASCII, spaces, tabs and the upper half of Latin-1 (RFC 9110 §5.5). */
const FIELD = fc.string({
  unit: fc.constantFrom(...'azAZ09!#$%&*+-./:;<=>?@[]^_`{|}~"\\(), \t\x80\xa0\xff'),
  maxLength: 80,
}).map((text) => text.trim());

export function mediaTypes(right: string): fc.Arbitrary<string> {
  const wrong = fc.constantFrom(...TYPES, `x${right}`, `${right}x`, `${right},${right}`);
  const others = [FIELD.map((text) => `${right};${text}`), wrong, FIELD];
  return fc.oneof({ arbitrary: fc.constant(right), weight: 5 }, ...others);
}

export function anyBytes(valid: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const bytes = fc.uint8Array({ maxLength: 400 }).map((noise) => new Uint8Array(noise));
  const text = fc.oneof(fc.json(), fc.string({ unit: CODE_POINTS, maxLength: 400 }))
    .map((one) => new TextEncoder().encode(one));
  const inserted = fc.oneof(fc.uint8Array({ maxLength: 5 }), fc.constantFrom(...ODD));
  const damage = fc.tuple(valid, fc.nat(), fc.nat({ max: 5 }), inserted);
  const damaged = damage.map(([body, at, removed, insert]) => {
    const whole = new TextEncoder().encode(body);
    const start = at % (whole.length + 1);
    return new Uint8Array([...whole].toSpliced(start, removed, ...insert));
  });
  // Small ones first, for shrinking.
  return fc.oneof({ withCrossShrink: true }, bytes, text, damaged);
}
