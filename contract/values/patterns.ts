/** @module Texts that match a pattern, and texts that do not. */

import fc from "fast-check";
import { patternOf } from "../document/pattern.ts";
import { CannotGenerate } from "./options.ts";

/** Texts that all dialects read alike: `.`, `\s` and `$` differ about controls. */
export function isMatch(pattern: string, text: string): boolean {
  return patternOf(pattern)?.test(text) === true && text.trim() === text &&
    !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}

/** Most of these match. @throws {CannotGenerate} */
export function matches(pattern: string): fc.Arbitrary<string> {
  // Assertions are left to the filter.
  const regexp = patternOf(pattern) && patternOf(pattern.replace(/\(\?<?[=!][^()]*\)/g, ""));
  try {
    if (regexp !== undefined) return fc.stringMatching(regexp, { size: "small" });
  } catch {
    // Said below.
  }
  throw new CannotGenerate(`pattern ${pattern} cannot be generated`);
}

const known = new Map<string, string | undefined>();

/** The shortest match with one character repeated until it is long enough. */
export function matchOf(pattern: string, length: number): string | undefined {
  if (!known.has(pattern)) known.set(pattern, shortestOf(pattern));
  const text = known.get(pattern);
  const characters = [...text ?? ""];
  const missing = length - characters.length;
  if (text === undefined || missing <= 0) return text;
  return [...characters.keys(), characters.length].reverse()
    .map((at) => characters.toSpliced(at, 0, (characters[at] ?? "a").repeat(missing)).join(""))
    .find((one) => isMatch(pattern, one));
}

function shortestOf(pattern: string): string | undefined {
  const tries = [
    "a",
    "1",
    "A",
    "Aa1!aaaa",
    ...fc.sample(matches(pattern), { numRuns: 50, seed: 3 }),
  ];
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
