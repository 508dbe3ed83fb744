/** @module Values of a schema, random or smallest: a generator proposes, the validator decides. */

import fc from "fast-check";
import { arrayOf, isObject, type Json, type JsonObject, objectOf } from "../lib/json.ts";
import { sizeOf } from "../document/error_lines.ts";
import { numbers, smallestNumber } from "./numbers.ts";
import { CannotGenerate, type ValueOptions } from "./options.ts";
import { alternativesOf, itemOf, neededWith, type Rules, schemaOf } from "./schema_rules.ts";
import { smallestText, strings } from "./text.ts";

/** Characters of the largest value as JSON. */
export const LARGEST = 100_000;
/** Deeper values are the smallest ones. */
const DEEP = 4;
/** More levels are taken for a schema without end. */
const DEEPEST = 40;
/** Names of members that a schema leaves open, and that implementations mishandle. */
const NAMES = ["a", "b", "__proto__", "constructor", "length"];

/** Random valid values; within others, `depth` counts the levels. @throws {CannotGenerate} */
export function valuesOf(schema: Json, options: ValueOptions, depth = 0): fc.Arbitrary<Json> {
  const smallest = smallestOf(schema, options);
  if (depth > DEEP) return fc.constant(smallest);
  const proposed = fc.oneof(
    ...alternativesOf(schema, options).map((rules) => {
      const made = attempt(() => makerOf(rules).random(rules, options, depth));
      return made instanceof CannotGenerate ? fc.constant(smallest) : made;
    }),
  );
  const isFine = (value: Json) =>
    isSure(value) && JSON.stringify(value).length <= LARGEST && options.isValid(schema, value);
  const isCommon = fc.sample(proposed, { numRuns: 20, seed: 1 }).filter(isFine).length >= 5;
  if (isCommon) return proposed.filter(isFine);
  // Of rare ones, those that are found.
  const found = fc.sample(proposed, { numRuns: 100, seed: 2 }).filter(isFine);
  return fc.constantFrom(smallest, ...found);
}

const known = new WeakMap<object, Json>();
/** The schemas whose smallest values are being made. */
const around = new Set<Json>();

/** Least members, shortest text, one item where one will do. @throws {CannotGenerate} */
export function smallestOf(schema: Json, options: ValueOptions): Json {
  const cached = isObject(schema) ? known.get(schema) : undefined;
  if (cached !== undefined) return cached;
  if (around.has(schema) && isObject(schema) || around.size > DEEPEST) {
    throw new CannotGenerate("the schema contains itself without end");
  }
  around.add(schema);
  try {
    const value = firstValid(schema, options);
    if (isObject(schema)) known.set(schema, value);
    return value;
  } finally {
    around.delete(schema);
  }
}

function firstValid(schema: Json, options: ValueOptions): Json {
  const isFine = (value: Json) => options.isValid(schema, value);
  const isNull = ({ type }: Rules) => Number(type === "null");
  let reason = "nothing matches the schema";
  for (const rules of alternativesOf(schema, options).toSorted((a, b) => isNull(a) - isNull(b))) {
    const found = attempt(() => {
      const smallest = smallestOfRules(rules, options);
      if (isFine(smallest)) return smallest;
      const [other] = fc.sample(makerOf(rules).random(rules, options, 2), { numRuns: 50, seed: 1 })
        .filter(isFine).sort((a, b) => lengthOf(a) - lengthOf(b));
      if (other !== undefined) return other;
      throw new CannotGenerate("no value was found for all its rules");
    });
    if (!(found instanceof CannotGenerate)) return found;
    reason = found.message;
  }
  throw new CannotGenerate(reason);
}

/** Of the value as JSON; an empty text, which many services take for none, counts more. */
function lengthOf(value: Json): number {
  return value === "" ? 9 : JSON.stringify(value).length;
}

/** Also an error of the harness costs only what it was to make. */
export function attempt<T>(make: () => T): T | CannotGenerate {
  try {
    return make();
  } catch (error) {
    return error instanceof CannotGenerate
      ? error
      : new CannotGenerate(`${error}`.split("\n", 1)[0]);
  }
}

export function isPossible(schema: Json, options: ValueOptions): boolean {
  return !(attempt(() => smallestOf(schema, options)) instanceof CannotGenerate);
}

interface Maker {
  smallest(rules: Rules, options: ValueOptions): Json;
  random(rules: Rules, options: ValueOptions, depth: number): fc.Arbitrary<Json>;
}

const ANY: Maker = { smallest: () => "a", random: () => ANY_JSON };
const NUMBER: Maker = { smallest: smallestNumber, random: numbers };
const MAKERS: Readonly<Record<string, Maker>> = {
  object: { smallest: (rules, options) => withNames(rules, [], options), random: objects },
  array: { smallest: smallestList, random: lists },
  string: { smallest: smallestText, random: strings },
  integer: NUMBER,
  number: NUMBER,
  boolean: { smallest: () => false, random: () => fc.boolean() },
  null: { smallest: () => null, random: () => fc.constant(null) },
};

function makerOf({ enum: listed, type }: Rules): Maker {
  if (!Array.isArray(listed)) return MAKERS[`${type}`] ?? ANY;
  return { smallest: () => listed[0]!, random: () => fc.constantFrom(...listed) };
}

export function smallestOfRules(rules: Rules, options: ValueOptions): Json {
  return makerOf(rules).smallest(rules, options);
}

function smallestList(rules: Rules, options: ValueOptions): Json[] {
  const { minItems = 0, maxItems = Infinity, prefixItems, uniqueItems } = rules;
  const wanted = Math.max(arrayOf(prefixItems).length, around.size <= DEEP ? 1 : 0);
  const count = Math.min(Math.max(wanted, Number(minItems)), Number(maxItems));
  if (uniqueItems === true && count > 1) return sampleOf(itemOf(rules, 0), options, count);
  const list: Json[] = [];
  while (list.length < count) {
    const schema = itemOf(rules, list.length);
    if (list.length >= Number(minItems) && !isPossible(schema, options)) break;
    list.push(smallestOf(schema, options));
  }
  return list;
}

/** The smallest object with some optional members. @throws {CannotGenerate} */
export function withNames(
  rules: Rules,
  names: readonly string[],
  options: ValueOptions,
): JsonObject {
  const { required, minProperties = 0 } = rules;
  const least = neededWith(rules, arrayOf(required).map(String));
  const missing = Math.max(0, Number(minProperties) - least.length);
  const others = missing === 0 ? [] : optionalNames(rules, options, missing).slice(0, missing);
  const all = neededWith(rules, [...least, ...others, ...names]);
  return Object.fromEntries(all.map((name) => [name, smallestOf(schemaOf(rules, name), options)]));
}

/** Members that are possible and not required: the listed ones, and some that a map can have. */
export function optionalNames(rules: Rules, options: ValueOptions, extra: number): string[] {
  const required = neededWith(rules, arrayOf(rules["required"]).map(String));
  const listed = Object.keys(objectOf(rules["properties"]));
  return [...new Set([...listed, ...extraNames(rules, options, extra)])].filter((name) =>
    !required.includes(name) && isPossible(schemaOf(rules, name), options)
  );
}

/** Names of members that the schema does not list, if it allows any. */
export function extraNames(rules: Rules, options: ValueOptions, count: number): string[] {
  const { additionalProperties = true, propertyNames = true, patternProperties, properties } =
    rules;
  const patterns = Object.keys(objectOf(patternProperties)).map((pattern) => ({ pattern }));
  const isOpen = additionalProperties === true && properties === undefined;
  const isMap = isObject(additionalProperties) || isOpen || patterns.length > 0;
  if (count === 0 || !isMap) return [];
  if (propertyNames === true && patterns.length === 0) {
    return Array.from({ length: count }, (_, at) => NAMES[at] ?? `a${at}`);
  }
  const either = patterns.length === 0 ? true : { anyOf: patterns };
  const kind = { type: "string", minLength: 1, allOf: [propertyNames, either] };
  const found = attempt(() => sampleOf(kind, options, count));
  return found instanceof CannotGenerate ? [] : found.map(String);
}

/** So many different values, if as many are found, the smallest ones. @throws {CannotGenerate} */
function sampleOf(schema: Json, options: ValueOptions, count: number): Json[] {
  const found = fc.sample(valuesOf(schema, options), { numRuns: 10 + 2 * count, seed: 1 });
  return [...new Map(found.map((value) => [JSON.stringify(value), value])).values()]
    .sort((a, b) => sizeOf(a) - sizeOf(b)).slice(0, count);
}

/** Made when the first value is needed: a schema may contain itself. */
function inner(schema: Json, options: ValueOptions, depth: number): fc.Arbitrary<Json> {
  let made: fc.Arbitrary<Json> | undefined;
  return fc.constant(null).chain(() => made ??= valuesOf(schema, options, depth + 1));
}

function objects(rules: Rules, options: ValueOptions, depth: number): fc.Arbitrary<Json> {
  const least = withNames(rules, [], options);
  const optional = optionalNames(rules, options, depth < 2 ? NAMES.length : 1);
  const members = [...new Set([...Object.keys(least), ...optional])].map((name) => {
    const one = inner(schemaOf(rules, name), options, depth).map((value) => [name, value] as const);
    if (Object.hasOwn(least, name)) return one;
    const none = { weight: 1 + depth, arbitrary: fc.constant(undefined) };
    return fc.oneof({ withCrossShrink: true }, none, { weight: 1, arbitrary: one });
  });
  return fc.tuple(...members)
    .map((all) => Object.fromEntries(all.filter((member) => member !== undefined)));
}

function lists(rules: Rules, options: ValueOptions, depth: number): fc.Arbitrary<Json> {
  const { minItems, maxItems, prefixItems, contains = [], uniqueItems } = rules;
  const least = Number(minItems ?? 0);
  const most = Math.min(Number(maxItems ?? Infinity), least + ([10, 3][depth] ?? 1));
  const first = [...arrayOf(prefixItems), ...[contains].flat()].slice(0, most);
  const head = fc.tuple(...first.map((schema) => inner(schema, options, depth)));
  const rest = itemOf(rules, first.length);
  if (!isPossible(rest, options)) return head;
  const minLength = Math.max(0, least - first.length);
  const bounds = { minLength, maxLength: Math.max(minLength, most - first.length) };
  const item = inner(rest, options, depth);
  const items = uniqueItems === true
    ? fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) })
    : fc.array(item, bounds);
  return fc.tuple(head, items).map(([some, more]) => [...some, ...more]);
}

/** Made once, because it takes milliseconds. */
export const ANY_JSON = (fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>).filter(isSure);

/** Whether all parsers read a value alike: no huge or tiny number, no lone surrogate. */
export function isSure(value: Json): boolean {
  if (typeof value === "string") return value.isWellFormed();
  const size = typeof value === "number" ? Math.abs(value) : 1;
  if (size !== 0 && (size < 1e-6 || size > Number.MAX_SAFE_INTEGER)) return false;
  return typeof value !== "object" || value === null ||
    Object.entries(value).flat().every(isSure);
}

/** Sets a member, even `__proto__`, which assignment would not. */
export function withMember(value: JsonObject, name: string, member: Json): JsonObject {
  return Object.fromEntries([...Object.entries(value), [name, member]]);
}
