/**
 * @module Generates single changes that make a valid value invalid: a required member removed, a
 * member of another type, length, format or unlisted value, or an additional member. A few changes
 * leave the value valid, so callers validate the result.
 */

import fc from "fast-check";
import { arrayOf, type Json, type JsonObject, objectOf } from "./document.ts";
import { anyJson, type ValueOptions } from "./schema_values.ts";

/** A deterministic change to a value. */
export type Break = (value: JsonObject) => Json;

/** Names that no schema lists and that implementations mishandle. */
const ODD_NAMES = ["__proto__", "constructor", "prototype", "toString", "then", "length", ""];

/** Letters that look like letters of enumerations. */
const HOMOGLYPHS: Readonly<Record<string, string>> = { e: "е", p: "р", o: "о", s: "ſ", i: "ı" };

/** Depth of excessive nesting. */
const DEPTH = 500;

/** Single changes to values of an object schema. */
export function breaksOf(schema: Json, { document }: ValueOptions): fc.Arbitrary<Break> {
  const rules = objectOf(document.resolve(schema));
  const properties = Object.entries(objectOf(rules["properties"]));
  const required = Array.isArray(rules["required"]) ? rules["required"].map(String) : [];
  const choices = [
    weighted(
      1,
      fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string()).map(replaceBy),
    ),
    weighted(1, fc.constant<Break>((value) => [value])),
    ...required.map((name) => weighted(1, fc.constant<Break>((value) => without(value, name)))),
    ...properties.map(([name, property]) =>
      weighted(
        3,
        memberChanges(objectOf(document.resolve(property)))
          .map((change): Break => (value) => withMember(value, name, change(value[name]))),
      )
    ),
  ];
  if (rules["additionalProperties"] === false) {
    const near = properties.flatMap(([name]) => [name.toUpperCase(), `${name} `, `\u200b${name}`]);
    const name = fc.oneof(fc.constantFrom(...ODD_NAMES, ...near), fc.string());
    const more = fc.tuple(name, anyJson())
      .map(([extra, made]): Break => (value) => withMember(value, extra, made));
    choices.push(weighted(3, more));
  }
  return fc.oneof(...choices);
}

function weighted<T>(weight: number, arbitrary: fc.Arbitrary<T>) {
  return { weight, arbitrary };
}

function replaceBy(other: Json): () => Json {
  return () => other;
}

type Change = (value: Json | undefined) => Json;

/** Changes that make a member invalid. */
function memberChanges(rules: JsonObject): fc.Arbitrary<Change> {
  const { enum: listed, format, maxItems, maxLength } = rules;
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const kinds = [
    weighted<Change>(1, fc.oneof(fc.constant(null), fc.boolean(), number).map(replaceBy)),
    weighted(
      1,
      fc.constantFrom<Change>((value) => [value ?? ""], (value) => ({ value: value ?? "" })),
    ),
    // Some validators may accept a random string as the format.
    weighted<Change>(
      1,
      anyJson().filter((one) => !format || typeof one !== "string").map(replaceBy),
    ),
    weighted<Change>(1, fc.constant(nested)),
  ];
  // Values just beyond a rule find the most faults.
  if (typeof maxLength === "number") kinds.push(weighted(4, tooLong(maxLength).map(replaceBy)));
  if (format === "email") kinds.push(weighted(4, brokenEmails().map(replaceBy)));
  const words = Array.isArray(listed) ? listed.filter((word) => typeof word === "string") : [];
  if (words.length > 0) kinds.push(weighted(4, nearMisses(words).map(replaceBy)));
  const beyond = beyondBounds(rules);
  if (beyond.length > 0) kinds.push(weighted(4, fc.constantFrom(...beyond).map(replaceBy)));
  if (typeof maxItems === "number") {
    kinds.push(
      weighted(4, fc.constant((value) => Array(maxItems + 1).fill(arrayOf(value)[0] ?? 0))),
    );
  }
  return fc.oneof(...kinds);
}

/** Numbers just beyond the bounds, and far beyond; a fraction for an integer. */
function beyondBounds({ type, minimum, maximum, ...rules }: JsonObject): number[] {
  const { exclusiveMinimum, exclusiveMaximum } = rules;
  return [
    ...(typeof minimum === "number" ? [minimum - 1, minimum - 1e9] : []),
    ...(typeof maximum === "number" ? [maximum + 1, maximum + 1e9] : []),
    ...[exclusiveMinimum, exclusiveMaximum].filter((bound) => typeof bound === "number"),
    ...(type === "integer" ? [Number(minimum ?? maximum ?? 0) + 0.5] : []),
  ];
}

function tooLong(limit: number): fc.Arbitrary<string> {
  const unit = fc.constantFrom("x", "😀", "e\u0301", " ", "\0");
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

/** Strings that no validator of `format: email` accepts. */
function brokenEmails(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom("", "@", "a", "a@", "@a.invalid", "a@@a.invalid", "a@a@a.invalid"),
    fc.constantFrom(
      "a b@a.invalid",
      "a@a b.invalid",
      "a@a..invalid",
      "a@.invalid",
      "a\n@a.invalid",
    ),
    fc.constantFrom(
      "a@a.invalid ",
      " a@a.invalid",
      "a@-a.invalid",
      "a@a.invalid\n",
      "a,b@a.invalid",
    ),
    fc.string().map((text) => text.replaceAll("@", "")),
  );
}

function nested(): Json {
  let value: Json = [];
  for (let depth = 0; depth < DEPTH; depth++) value = depth % 2 === 0 ? [value] : { value };
  return value;
}

function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

/** Adds a member, even `__proto__`, which assignment would not. */
function withMember(value: JsonObject, name: string, member: Json): JsonObject {
  return Object.fromEntries([...Object.entries(value), [name, member]]);
}
