/**
 * @module Random values of a schema, and the smallest. The generator proposes them, and the validator
 * decides, so that keywords that no generator can follow (`not`, `if`) are kept as well.
 */

import fc from "fast-check";
import { arrayOf, isObject, type Json, type JsonObject, objectOf } from "../document.ts";
import { numbers, smallestNumber } from "./numbers.ts";
import { CannotGenerate, type ValueOptions } from "./options.ts";
import { alternativesOf, isRisky, itemOf, neededWith, type Rules, schemaOf } from "./rules.ts";
import { smallestText, strings } from "./text.ts";

/** Characters of the largest value as JSON. */
export const LARGEST = 100_000;
/** Deeper values are the smallest ones. */
const DEEP = 4;
/** More levels are taken for a schema without end. */
const DEEPEST = 40;
/** Names of members that a schema leaves open, and that implementations mishandle. */
const NAMES = ["a", "b", "__proto__", "constructor", "length"];

/** Random valid values. @throws {CannotGenerate} */
export function valuesOf(schema: Json, options: ValueOptions): fc.Arbitrary<Json> {
  const smallest = smallestOf(schema, options);
  const isFine = (value: Json) =>
    isSure(value) && JSON.stringify(value).length <= LARGEST && options.isValid(schema, value);
  return chosen(proposals(schema, options, 0), { isFine, smallest });
}

/** The values that are fine; of rare ones, those that were found. */
function chosen(
  proposed: fc.Arbitrary<Json>,
  { isFine, smallest }: { readonly isFine: (value: Json) => boolean; readonly smallest: Json },
): fc.Arbitrary<Json> {
  const isCommon = fc.sample(proposed, { numRuns: 20, seed: 1 }).filter(isFine).length >= 5;
  if (isCommon) return proposed.filter(isFine);
  const found = fc.sample(proposed, { numRuns: 100, seed: 2 }).filter(isFine);
  return fc.constantFrom(smallest, ...found);
}

const known = new WeakMap<object, Json>();
/** The schemas whose smallest values are being made. */
const around = new Set<Json>();

/**
 * The smallest valid value: least members, shortest text, one item where one will do.
 * @throws {CannotGenerate}
 */
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
  const alternatives = alternativesOf(schema, options);
  const isDoubtful = around.size === 1 || isRisky(schema, alternatives);
  const isFine = (value: Json) => options.isValid(schema, value);
  const isNull = ({ type }: Rules) => Number(type === "null");
  let reason = "nothing matches the schema";
  for (const rules of [...alternatives].sort((a, b) => isNull(a) - isNull(b))) {
    const made = attempt(() => smallestOfRules(rules, options));
    if (!(made instanceof CannotGenerate) && (!isDoubtful || isFine(made))) return made;
    reason = made instanceof CannotGenerate ? made.message : "no value was found for all its rules";
    const others = attempt(() =>
      fc.sample(proposalsOf(rules, options, 2), { numRuns: 50, seed: 1 })
    );
    const [found] = (others instanceof CannotGenerate ? [] : others).filter(isFine)
      .sort((a, b) => lengthOf(a) - lengthOf(b));
    if (found !== undefined) return found;
  }
  throw new CannotGenerate(reason);
}

/** Of the value as JSON; an empty text, which many services take for none, counts more. */
function lengthOf(value: Json): number {
  return value === "" ? 9 : JSON.stringify(value).length;
}

/** The value, or why there is none. */
export function attempt<T>(make: () => T): T | CannotGenerate {
  try {
    return make();
  } catch (error) {
    if (error instanceof CannotGenerate) return error;
    throw error;
  }
}

export function isPossible(schema: Json, options: ValueOptions): boolean {
  return !(attempt(() => smallestOf(schema, options)) instanceof CannotGenerate);
}

/** The smallest value of an alternative, which the rest of the document may forbid. */
export function smallestOfRules(rules: Rules, options: ValueOptions): Json {
  if (Array.isArray(rules["enum"])) return rules["enum"][0]!;
  switch (rules["type"]) {
    case "object":
      return withNames(rules, [], options);
    case "array":
      return smallestList(rules, options);
    case "string":
      return smallestText(rules);
    case "integer":
    case "number":
      return smallestNumber(rules);
    case "boolean":
      return false;
    default:
      return rules["type"] === "null" ? null : "a";
  }
}

function smallestList(rules: Rules, options: ValueOptions): Json[] {
  const { minItems = 0, maxItems = Infinity, prefixItems } = rules;
  const wanted = Math.max(arrayOf(prefixItems).length, around.size <= DEEP ? 1 : 0);
  const count = Math.min(Math.max(wanted, Number(minItems)), Number(maxItems));
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
  const all = neededWith(rules, [...neededNames(rules, options), ...names]);
  return Object.fromEntries(all.map((name) => [name, smallestOf(schemaOf(rules, name), options)]));
}

/** The required members, and as many others as an object must have. */
function neededNames(rules: Rules, options: ValueOptions): string[] {
  const required = neededWith(rules, arrayOf(rules["required"]).map(String));
  const more = Number(rules["minProperties"] ?? 0) - required.length;
  return more <= 0
    ? required
    : [...required, ...optionalNames(rules, options, more).slice(0, more)];
}

/** Members that are possible and not required: the listed ones, and some that a map can have. */
export function optionalNames(rules: Rules, options: ValueOptions, extra: number): string[] {
  const required = neededWith(rules, arrayOf(rules["required"]).map(String));
  const names = [
    ...Object.keys(objectOf(rules["properties"])),
    ...extraNames(rules, options, extra),
  ];
  return [...new Set(names)].filter((name) =>
    !required.includes(name) && isPossible(schemaOf(rules, name), options)
  );
}

/** Names of members that the schema does not list, if it allows any. */
export function extraNames(rules: Rules, options: ValueOptions, count: number): string[] {
  const { additionalProperties = true, propertyNames, patternProperties, properties } = rules;
  const patterns = Object.keys(objectOf(patternProperties));
  const isMap = isObject(additionalProperties) ||
    (additionalProperties && properties === undefined);
  if (count === 0 || (!isMap && patterns.length === 0)) return [];
  if (propertyNames === undefined && patterns.length === 0) {
    const more = Array.from({ length: Math.max(0, count - NAMES.length) }, (_, at) => `a${at}`);
    return [...NAMES, ...more].slice(0, count);
  }
  const kinds = patterns.map((pattern) => ({ pattern }));
  const either = kinds.length === 0 ? true : { anyOf: kinds };
  const kind = { type: "string", minLength: 1, allOf: [propertyNames ?? true, either] };
  const names = attempt(() => valuesOf(kind, options));
  if (names instanceof CannotGenerate) return [];
  const found = fc.sample(names, { numRuns: 10 + 2 * count, seed: 1 }).map(String);
  return [...new Set(found)].sort((a, b) => a.length - b.length).slice(0, count);
}

function proposals(schema: Json, options: ValueOptions, depth: number): fc.Arbitrary<Json> {
  const smallest = smallestOf(schema, options);
  if (depth > DEEP) return fc.constant(smallest);
  const alternatives = alternativesOf(schema, options);
  const any = fc.oneof(
    ...alternatives.map((rules) => attempt(() => proposalsOf(rules, options, depth)))
      .map((made) => made instanceof CannotGenerate ? fc.constant(smallest) : made),
  );
  if (depth === 0 || !isRisky(schema, alternatives)) return any;
  return chosen(any, { isFine: (value) => options.isValid(schema, value), smallest });
}

/** Values of an alternative, most of them valid. @throws {CannotGenerate} */
export function proposalsOf(
  rules: Rules,
  options: ValueOptions,
  depth: number,
): fc.Arbitrary<Json> {
  if (Array.isArray(rules["enum"])) return fc.constantFrom(...rules["enum"]);
  switch (rules["type"]) {
    case "object":
      return objects(rules, options, depth);
    case "array":
      return lists(rules, options, depth);
    case "string":
      return strings(rules);
    case "integer":
    case "number":
      return numbers(rules);
    case "boolean":
      return fc.boolean();
    default:
      return rules["type"] === "null" ? fc.constant(null) : ANY_JSON;
  }
}

/** Made when the first value is needed: a schema may contain itself. */
function inner(schema: Json, options: ValueOptions, depth: number): fc.Arbitrary<Json> {
  let made: fc.Arbitrary<Json> | undefined;
  return fc.constant(null).chain(() => made ??= proposals(schema, options, depth + 1));
}

function objects(rules: Rules, options: ValueOptions, depth: number): fc.Arbitrary<Json> {
  const least = withNames(rules, [], options);
  const names = new Set([
    ...Object.keys(least),
    ...optionalNames(rules, options, depth < 2 ? NAMES.length : 1),
  ]);
  const members = [...names].map((name) => {
    const one = inner(schemaOf(rules, name), options, depth).map((value) => [name, value] as const);
    if (Object.hasOwn(least, name)) return one;
    const none = { weight: 1 + depth, arbitrary: fc.constant(undefined) };
    return fc.oneof({ withCrossShrink: true }, none, { weight: 1, arbitrary: one });
  });
  return fc.tuple(...members)
    .map((all) => Object.fromEntries(all.filter((member) => member !== undefined)));
}

function lists(rules: Rules, options: ValueOptions, depth: number): fc.Arbitrary<Json> {
  const least = Number(rules["minItems"] ?? 0);
  const most = Math.min(Number(rules["maxItems"] ?? Infinity), least + ([10, 3][depth] ?? 1));
  const first = [...arrayOf(rules["prefixItems"]), ...[rules["contains"] ?? []].flat()]
    .slice(0, most).map((schema) => inner(schema, options, depth));
  const head = fc.tuple(...first);
  const rest = itemOf(rules, first.length);
  if (!isPossible(rest, options)) return head;
  const bounds = {
    minLength: Math.max(0, least - first.length),
    maxLength: Math.max(0, most - first.length),
  };
  const item = inner(rest, options, depth);
  const items = rules["uniqueItems"] === true
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
