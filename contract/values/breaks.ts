/**
 * @module Random single changes that make a valid value invalid: with odd characters, far beyond a
 * bound, of another type, under an odd name.
 */

import fc from "fast-check";
import { isObject, type Json, objectOf } from "../document.ts";
import { type Edge, edgesOf, isLax } from "./edges.ts";
import { boundsOf } from "./numbers.ts";
import { CannotGenerate, type ValueOptions, withMember } from "./options.ts";
import { escaped, type Place, placesOf } from "./places.ts";
import { isOfType } from "./rules.ts";
import { says } from "./says.ts";
import { anyJson, valuesOf } from "./values.ts";

/** Names that no schema lists and that implementations mishandle. */
const ODD_NAMES = ["__proto__", "constructor", "prototype", "toString", "then", "length", ""];
/** Letters that look like letters of enumerations. */
const HOMOGLYPHS: Readonly<Record<string, string>> = { e: "е", p: "р", o: "о", s: "ſ", i: "ı" };
/** Depth of excessive nesting. */
const DEPTH = 500;

/** What is wrong at a place, or at one of its members. */
interface Wrong {
  readonly keyword: string;
  readonly value: Json;
  readonly limit?: Json;
  readonly member?: string;
}

/** Random invalid values. @throws {CannotGenerate} also if everything is valid */
export function brokenOf(schema: Json, options: ValueOptions): fc.Arbitrary<Edge> {
  const edges = edgesOf(schema, options).filter(({ isValid }) => !isValid);
  const places = placesOf(schema, options);
  const changed = fc.tuple(
    valuesOf(schema, options),
    fc.oneof(...places.map((place) => wrongs(place).map((wrong) => ({ place, wrong })))),
  ).map(([value, { place, wrong }]) => edgeOf(value, place, wrong));
  const isBroken = ({ value }: Edge) =>
    JSON.stringify(value).length <= options.most && !options.isValid(schema, value);
  const found = fc.sample(changed, { numRuns: 50, seed: 1 }).filter(isBroken);
  if (edges.length + found.length === 0) throw new CannotGenerate("every value is valid");
  const random = found.length >= 10
    ? changed.filter(isBroken)
    : fc.constantFrom(...edges, ...found);
  return edges.length === 0
    ? random
    : fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...edges) }, {
      weight: 3,
      arbitrary: random,
    });
}

/** Puts what is wrong into a value, or into the smallest one if the value lacks the place. */
function edgeOf(
  value: Json,
  place: Place,
  { keyword, limit = true, member, ...wrong }: Wrong,
): Edge {
  const parts = place.at.split("/").slice(1).map((part) =>
    part.replaceAll("~1", "/").replaceAll("~0", "~")
  );
  function changed(old: Json | undefined): Json {
    return member === undefined
      ? wrong.value
      : withMember({ ...objectOf(old) }, member, wrong.value);
  }
  const at = member === undefined ? place.at : `${place.at}/${escaped(member)}`;
  return {
    value: within(value, parts, changed) ?? place.put(changed({})),
    isValid: false,
    at,
    keyword,
    says: says({ at, keyword, value: wrong.value, limit }),
    isLax: keyword === "type" && isLax(wrong.value, place.types),
  };
}

/** The value with a change at a place; undefined if it lacks the place. */
function within(
  value: Json,
  [first, ...rest]: readonly string[],
  change: (old: Json | undefined) => Json,
): Json | undefined {
  if (first === undefined) return change(value);
  if (Array.isArray(value)) {
    if (value.length <= Number(first)) return undefined;
    const item = within(value[Number(first)]!, rest, change);
    return item === undefined ? undefined : value.with(Number(first), item);
  }
  if (!isObject(value) || (rest.length > 0 && !Object.hasOwn(value, first))) return undefined;
  const member = within(Object.hasOwn(value, first) ? value[first]! : null, rest, change);
  return member === undefined ? undefined : withMember(value, first, member);
}

function weighted<T>(weight: number, arbitrary: fc.Arbitrary<T>) {
  return { weight, arbitrary };
}

function wrongs({ rules, types }: Place): fc.Arbitrary<Wrong> {
  const { enum: listed, maxLength, maxItems, additionalProperties } = rules;
  const limit = [...types];
  const kinds = [
    weighted(
      1,
      anyJson().filter((value) => !types.some((type) => isOfType(value, type)))
        .map((value): Wrong => ({ keyword: "type", value, limit })),
    ),
    weighted(1, fc.constant(null).map((): Wrong => ({ keyword: "type", value: nested(), limit }))),
  ];
  // Values just beyond a rule find the most faults.
  if (typeof maxLength === "number" && maxLength < 10_000) {
    kinds.push(
      weighted(
        4,
        tooLong(maxLength).map((value) => ({ keyword: "maxLength", value, limit: maxLength })),
      ),
    );
  }
  if (Array.isArray(listed)) {
    const words = listed.filter((word) => typeof word === "string" && word !== "") as string[];
    const miss = words.length === 0 ? fc.string() : nearMisses(words);
    kinds.push(weighted(4, miss.map((value) => ({ keyword: "enum", value, limit: listed }))));
  }
  const bounds = boundsOf(rules).filter((bound) => bound !== undefined);
  for (const { keyword, limit, last, beyond } of bounds) {
    const far = fc.integer({ min: 1, max: 1e9 }).map((times) => last + (beyond - last) * times);
    kinds.push(weighted(2, far.map((value) => ({ keyword, value, limit }))));
  }
  if (typeof maxItems === "number" && maxItems < 1_000) {
    const items = fc.integer({ min: 1, max: 20 }).map((more) => Array(maxItems + more).fill("a"));
    kinds.push(
      weighted(1, items.map((value) => ({ keyword: "maxItems", value, limit: maxItems }))),
    );
  }
  if (additionalProperties === false) {
    const near = Object.keys(objectOf(rules["properties"]))
      .flatMap((name) => [name.toUpperCase(), `${name} `, `\u200b${name}`]);
    const name = fc.oneof(fc.constantFrom(...ODD_NAMES, ...near), fc.string());
    kinds.push(weighted(
      4,
      fc.tuple(name, anyJson())
        .map(([member, value]) => ({ keyword: "additionalProperties", value, member })),
    ));
  }
  return fc.oneof(...kinds);
}

function tooLong(limit: number): fc.Arbitrary<string> {
  // The last is a lone surrogate, which JSON can only escape.
  const unit = fc.constantFrom("x", "😀", "e\u0301", " ", "\0", "\u202e", "\ud800");
  const surplus = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 500 }));
  return fc.tuple(unit, surplus).map(([one, more]) =>
    [...one.repeat(limit + more)].slice(0, limit + more).join("")
  );
}

function nearMisses(words: readonly string[]): fc.Arbitrary<string> {
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
  return fc.oneof(
    weighted(4, fc.tuple(fc.constantFrom(...words), miss).map(([word, change]) => change(word))),
    weighted(1, fc.string()),
  );
}

function nested(): Json {
  let value: Json = [];
  for (let depth = 0; depth < DEPTH; depth++) value = depth % 2 === 0 ? [value] : { value };
  return value;
}
