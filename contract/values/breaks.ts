/**
 * @module Random single changes that make a valid value invalid: odd characters, far beyond a bound,
 * another type, an odd name.
 */

import fc from "fast-check";
import { type Json, type JsonObject, objectOf } from "../document.ts";
import { type Edge, edgesOf, isLax } from "./edges.ts";
import { FORMATS } from "./formats.ts";
import { boundsOf } from "./numbers.ts";
import { CannotGenerate, type ValueOptions } from "./options.ts";
import { below, type Place, placesOf } from "./places.ts";
import { isOfType } from "./rules.ts";
import { says } from "./says.ts";
import { ANY_JSON, proposalsOf, withMember } from "./values.ts";

/** Names that no schema lists and that implementations mishandle. */
const ODD_NAMES = ["__proto__", "constructor", "prototype", "toString", "then", "length", ""];
/** Letters that look like letters of enumerations. */
const HOMOGLYPHS: Readonly<Record<string, string>> = { e: "е", p: "р", o: "о", s: "ſ", i: "ı" };
/** Depth of excessive nesting. */
const DEPTH = 500;

/** Random invalid values. @throws {CannotGenerate} also if every value is valid */
export function brokenOf(schema: Json, options: ValueOptions): fc.Arbitrary<Edge> {
  const edges = edgesOf(schema, options).filter(({ isValid }) => !isValid);
  const changed = fc.oneof(...placesOf(schema, options).map((place) => changes(place, options)));
  const isBroken = ({ value }: Edge) => !options.isValid(schema, value);
  const found = fc.sample(changed, { numRuns: 20, seed: 1 }).filter(isBroken);
  if (edges.length + found.length === 0) throw new CannotGenerate("every value is valid");
  const listed = fc.constantFrom(...edges, ...found);
  return found.length < 5 ? listed : fc.oneof(listed, changed.filter(isBroken));
}

type Wrong = readonly [keyword: string, value: Json, limit: Json, member?: string];

/** Values that are wrong at a place, in a random object around. */
function changes(place: Place, options: ValueOptions): fc.Arbitrary<Edge> {
  const { rules, types, put } = place;
  const around = rules["type"] === "object" ? proposalsOf(rules, options, 2) : fc.constant({});
  return fc.tuple(fc.oneof(...wrongs(place)), around).map(([wrong, own]) => {
    const [keyword, value, limit, member] = wrong;
    const at = member === undefined ? place.at : below(place.at, member);
    const whole = member === undefined ? value : withMember(own as JsonObject, member, value);
    const lax = keyword === "type" && isLax(value, types);
    const words = says({ at, keyword, value, limit });
    return { value: put(whole), isValid: false, at, keyword, says: words, isLax: lax };
  });
}

function wrongs({ rules, types }: Place) {
  const { enum: listed, maxLength, maxItems, additionalProperties } = rules;
  const kinds: { weight: number; arbitrary: fc.Arbitrary<Wrong> }[] = [];
  function add(weight: number, [keyword, limit]: [string, Json], values: fc.Arbitrary<Json>): void {
    kinds.push({ weight, arbitrary: values.map((value): Wrong => [keyword, value, limit]) });
  }
  const isOther = (value: Json) => !types.some((type) => isOfType(value, type));
  // If every type is permitted, the filter would never end.
  const hasOthers = types.length > 0 && [null, true, 1.5, "a", [], {}].some(isOther);
  if (hasOthers) add(1, ["type", [...types]], ANY_JSON.filter(isOther));
  add(1, ["type", [...types]], fc.constant(null).map(nested));
  // Values just beyond a rule find the most faults.
  if (typeof maxLength === "number" && maxLength < 10_000) {
    add(4, ["maxLength", maxLength], tooLong(maxLength));
  }
  const { broken = [] } = FORMATS[`${rules["format"]}`] ?? {};
  if (broken.length > 0) add(2, ["format", rules["format"]!], fc.constantFrom(...broken));
  if (Array.isArray(listed)) add(4, ["enum", listed], nearMisses(listed));
  for (const { keyword, limit, last, beyond } of boundsOf(rules)) {
    const times = fc.integer({ min: 1, max: 1e9 });
    add(2, [keyword, limit], times.map((count) => last + (beyond - last) * count));
  }
  if (typeof maxItems === "number" && maxItems < 1_000) {
    const more = fc.integer({ min: 1, max: 20 });
    add(1, ["maxItems", maxItems], more.map((count) => Array(maxItems + count).fill("a")));
  }
  if (additionalProperties === false) {
    const near = Object.keys(objectOf(rules["properties"]))
      .flatMap((name) => [name.toUpperCase(), `${name} `, `\u200b${name}`]);
    const name = fc.oneof(fc.constantFrom(...ODD_NAMES, ...near), fc.string());
    const arbitrary = fc.tuple(name, ANY_JSON)
      .map(([member, value]): Wrong => ["additionalProperties", value, false, member]);
    kinds.push({ weight: 4, arbitrary });
  }
  return kinds;
}

function tooLong(limit: number): fc.Arbitrary<string> {
  // The last is a lone surrogate, which JSON can only escape.
  const unit = fc.constantFrom("x", "😀", "e\u0301", " ", "\0", "\u202e", "\ud800");
  const surplus = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 500 }));
  return fc.tuple(unit, surplus).map(([one, more]) =>
    [...one.repeat(limit + more)].slice(0, limit + more).join("")
  );
}

function nearMisses(listed: readonly Json[]): fc.Arbitrary<string> {
  const words = listed.filter((word) => typeof word === "string" && word !== "") as string[];
  const miss = fc.constantFrom<(word: string) => string>(
    (word) => word.toUpperCase(),
    (word) => word[0]!.toUpperCase() + word.slice(1),
    (word) => `${word} `,
    (word) => ` ${word}`,
    (word) => `${word}\n`,
    (word) => `${word}\0`,
    (word) => word.slice(0, -1),
    (word) => word + word,
    (word) => word.replace(/[epois]/, (letter) => HOMOGLYPHS[letter]!),
    () => "",
  );
  if (words.length === 0) return fc.string();
  const near = fc.tuple(fc.constantFrom(...words), miss).map(([word, change]) => change(word));
  return fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: fc.string() });
}

function nested(): Json {
  let value: Json = [];
  for (let depth = 0; depth < DEPTH; depth++) value = depth % 2 === 0 ? [value] : { value };
  return value;
}
