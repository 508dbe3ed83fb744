/**
 * @module Random single changes that make a valid value invalid: odd characters, far beyond a bound,
 * another type, an odd name.
 */

import fc from "fast-check";
import { type Json, objectOf } from "../document.ts";
import { broken, type Draft, type Edge, edgeOf, edgesOf, type Keyword } from "./edges.ts";
import { FORMATS } from "./formats.ts";
import { boundsOf } from "./numbers.ts";
import { CannotGenerate, type ValueOptions } from "./options.ts";
import { type Place, placesOf } from "./places.ts";
import { isOfType } from "./rules.ts";
import { ANY_JSON, withMember, withNames } from "./values.ts";

/** Names that no schema lists and that implementations mishandle. */
const ODD_NAMES = ["__proto__", "constructor", "prototype", "toString", "then", "length", ""];
/** Letters that look like letters of enumerations. */
const HOMOGLYPHS: Readonly<Record<string, string>> = { e: "е", p: "р", o: "о", s: "ſ", i: "ı" };
/** Excessive nesting. */
const NESTED: Json = JSON.parse('{"value":['.repeat(250) + "]}".repeat(250));

/** Random invalid values. @throws {CannotGenerate} also if every value is valid */
export function brokenOf(schema: Json, options: ValueOptions): fc.Arbitrary<Edge> {
  const edges = edgesOf(schema, options).filter(({ isValid }) => !isValid);
  const changed = fc.oneof(
    ...placesOf(schema, options).map((place) =>
      fc.oneof(...changes(place, options)).map((draft) => edgeOf(place, draft))
    ),
  );
  const isBroken = ({ value }: Edge) => !options.isValid(schema, value);
  const found = fc.sample(changed, { numRuns: 20, seed: 1 }).filter(isBroken);
  if (edges.length + found.length === 0) throw new CannotGenerate("every value is valid");
  const listed = fc.constantFrom(...edges, ...found);
  return found.length < 5 ? listed : fc.oneof(listed, changed.filter(isBroken));
}

/** Changes of a place, most of them invalid. */
function changes({ rules, types }: Place, options: ValueOptions): fc.Arbitrary<Draft>[] {
  const { enum: listed, format, maxLength, additionalProperties } = rules;
  const breaks = (keyword: Keyword, values: fc.Arbitrary<Json>) =>
    values.map((value) => broken(keyword, value));
  const others = ANY_JSON.filter((value) => !types.some((type) => isOfType(value, type)));
  const kinds = [breaks(["type", [...types]], fc.constant(NESTED))];
  if (types.length > 0) kinds.push(breaks(["type", [...types]], others));
  if (typeof maxLength === "number" && maxLength < 10_000) {
    kinds.push(breaks(["maxLength", maxLength], tooLong(maxLength)));
  }
  const { broken: words = [] } = FORMATS[`${format}`] ?? {};
  if (words.length > 0) kinds.push(breaks(["format", format!], fc.constantFrom(...words)));
  if (Array.isArray(listed)) kinds.push(breaks(["enum", listed], nearMisses(listed)));
  for (const { keyword, limit, last, beyond } of boundsOf(rules)) {
    const times = fc.integer({ min: 1, max: 1e9 });
    kinds.push(breaks([keyword, limit], times.map((count) => last + (beyond - last) * count)));
  }
  if (additionalProperties === false) {
    const near = Object.keys(objectOf(rules["properties"]))
      .flatMap((name) => [name.toUpperCase(), `${name} `, `\u200b${name}`]);
    const names = fc.oneof(fc.constantFrom(...ODD_NAMES, ...near), fc.string());
    const least = withNames(rules, [], options);
    kinds.push(
      fc.tuple(names, ANY_JSON).map(([member, value]) => ({
        ...broken(["additionalProperties", false], withMember(least, member, value)),
        member,
      })),
    );
  }
  return kinds;
}

function tooLong(limit: number): fc.Arbitrary<string> {
  // The last is a lone surrogate, which JSON can only escape.
  const unit = fc.constantFrom("x", "😀", "\u0301", " ", "\0", "\u202e", "\ud800");
  const surplus = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 500 }));
  return fc.tuple(unit, surplus).map(([one, more]) => one.repeat(limit + more));
}

function nearMisses(listed: readonly Json[]): fc.Arbitrary<string> {
  const misses = listed.map(String).flatMap((word) => [
    ...[word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1), word.slice(0, -1)],
    ...[`${word} `, ` ${word}`, `${word}\n`, `${word}\0`, word + word, ""],
    word.replace(/[epois]/, (letter) => HOMOGLYPHS[letter]!),
  ]);
  const near = fc.constantFrom(...misses);
  return fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: fc.string() });
}
