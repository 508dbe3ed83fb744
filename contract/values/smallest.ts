/** @module The smallest value of a schema: least members, shortest text, one item where one will do. */

import { arrayOf, isObject, type Json, type JsonObject, objectOf } from "../document.ts";
import { boundsOf, smallestNumber } from "./numbers.ts";
import { CannotGenerate, type ValueOptions, withMember } from "./options.ts";
import { alternativesOf, isRisky, type Rules } from "./rules.ts";
import { regexpOf, smallestText, textOf } from "./text.ts";

/** More levels are taken for a schema without end. */
const DEEPEST = 12;
/** Lists may not need an item at this depth. */
const DEEP = 4;
/** Different texts or numbers that are tried. */
const MANY = 60;

/** The schemas around a value. */
type Around = readonly Json[];

const known = new WeakMap<object, Json>();

/**
 * The smallest valid value: least members, shortest text, one item where one will do.
 * @throws {CannotGenerate}
 */
export function smallestOf(schema: Json, options: ValueOptions, around: Around = []): Json {
  const cached = isObject(schema) ? known.get(schema) : undefined;
  if (cached !== undefined) return cached;
  const alternatives = alternativesOf(schema, options);
  // Alternatives are the same object for each reference to a schema that has no siblings.
  if (around.includes(alternatives[0] ?? false) || around.length > DEEPEST) {
    throw new CannotGenerate("the schema contains itself without end");
  }
  let reason = "nothing matches the schema";
  const check = around.length === 0 || isRisky(schema, alternatives);
  for (const rules of [...alternatives].sort(nullLast)) {
    try {
      const found = candidatesOf(rules, options, [...around, alternatives[0]!])
        .find((value) => !check || options.isValid(schema, value));
      if (found !== undefined) {
        if (isObject(schema)) known.set(schema, found);
        return found;
      }
      reason = "no value was found that matches the whole schema";
    } catch (error) {
      if (!(error instanceof CannotGenerate)) throw error;
      reason = error.message;
    }
  }
  throw new CannotGenerate(reason);
}

function nullLast(a: Rules, b: Rules): number {
  return Number(a["type"] === "null") - Number(b["type"] === "null");
}

/** The smallest value of an alternative, which the rest of the document may forbid. */
export function smallestOfRules(rules: Rules, options: ValueOptions): Json {
  return candidatesOf(rules, options, []).next().value ?? null;
}

/** The smallest value, and other small ones for schemas that forbid it by `not`, `if` or `oneOf`. */
function* candidatesOf(
  rules: Rules,
  options: ValueOptions,
  around: Around,
): Generator<Json, undefined> {
  if (Array.isArray(rules["enum"])) return yield* rules["enum"];
  switch (rules["type"]) {
    case "object":
      return yield* objectsOf(rules, options, around);
    case "array":
      return yield* listsOf(rules, options, around);
    case "string":
      yield smallestText(rules);
      yield* ["b", "A", "1", "a1", ""];
      for (let length = 2; length < MANY; length++) yield textOf(rules, length) ?? "";
      return;
    case "integer":
    case "number": {
      yield smallestNumber(rules);
      const bounds = boundsOf(rules).flatMap((bound) => bound === undefined ? [] : [bound.last]);
      yield* [...bounds, 0, 1, -1, 0.5];
      for (let count = 2; count < MANY; count++) yield smallestNumber(rules) + count;
      return;
    }
    case "boolean":
      return yield* [false, true];
    case "null":
      return yield null;
    default:
      return yield* ["a", 1, {}, [], true, null];
  }
}

/** The smallest value of a member or an item; undefined if there is none. */
export function attempt(
  schema: Json,
  options: ValueOptions,
  around: Around = [],
): Json | undefined {
  try {
    return smallestOf(schema, options, around);
  } catch (error) {
    if (!(error instanceof CannotGenerate)) throw error;
    return undefined;
  }
}

function* objectsOf(
  rules: Rules,
  options: ValueOptions,
  around: Around,
): Generator<Json, undefined> {
  const properties = objectOf(rules["properties"]);
  const names = neededWith(rules, arrayOf(rules["required"]).map(String));
  let value: JsonObject = {};
  for (const name of names) {
    value = withMember(value, name, smallestOf(schemaOf(rules, name), options, around));
  }
  const optional = Object.keys(properties).filter((name) => !names.includes(name));
  const least = Number(rules["minProperties"] ?? 0);
  for (const name of [...optional, ...extraNames(rules, options, least)]) {
    if (Object.keys(value).length >= least) break;
    const member = attempt(schemaOf(rules, name), options, around);
    if (member !== undefined) value = withMember(value, name, member);
  }
  yield value;
  for (const name of optional) {
    const member = attempt(schemaOf(rules, name), options, around);
    if (member !== undefined) yield withMember(value, name, member);
  }
  for (const name of names) {
    for (const member of others(schemaOf(rules, name), options, around)) {
      yield withMember(value, name, member);
    }
  }
}

/** All small values of a schema, the smallest first. */
function* others(schema: Json, options: ValueOptions, around: Around): Generator<Json, undefined> {
  const alternatives = alternativesOf(schema, options);
  if (around.includes(alternatives[0] ?? false) || around.length > DEEP) return;
  for (const rules of alternatives) {
    yield* candidatesOf(rules, options, [...around, alternatives[0]!]);
  }
}

/** Different valid values of a schema, at most so many. */
export function different(schema: Json, options: ValueOptions, count: number): Json[] {
  const found = new Map<string, Json>();
  for (const value of others(schema, options, [])) {
    if (found.size >= count) break;
    const text = JSON.stringify(value);
    if (!found.has(text) && options.isValid(schema, value)) found.set(text, value);
  }
  return [...found.values()];
}

/** The names, and those that must come with them. */
export function neededWith(rules: Rules, names: readonly string[]): string[] {
  const dependent = objectOf(rules["dependentRequired"]);
  const all = new Set(names);
  for (const name of all) {
    for (const other of Object.hasOwn(dependent, name) ? arrayOf(dependent[name]) : []) {
      all.add(String(other));
    }
  }
  return [...all];
}

/** The schema of a member, listed or not. */
export function schemaOf(rules: Rules, name: string): Json {
  const { properties, patternProperties, additionalProperties = true } = rules;
  const listed = objectOf(properties);
  if (Object.hasOwn(listed, name)) return listed[name]!;
  const pattern = Object.entries(objectOf(patternProperties))
    .find(([source]) => regexpOf(source)?.test(name));
  return pattern?.[1] ?? additionalProperties;
}

/** Names of members that the schema does not list. */
export function extraNames(rules: Rules, options: ValueOptions, count: number): string[] {
  const { patternProperties, propertyNames, additionalProperties } = rules;
  if (propertyNames !== undefined) {
    const name = attempt({ allOf: [{ type: "string" }, propertyNames] }, options);
    return typeof name === "string" ? [name] : [];
  }
  const [pattern] = Object.keys(objectOf(patternProperties));
  if (pattern !== undefined) return [smallestText({ pattern })];
  if (additionalProperties === false) return [];
  return Array.from({ length: count }, (_, index) => `extra${index}`);
}

function* listsOf(rules: Rules, options: ValueOptions, around: Around): Generator<Json, undefined> {
  const { minItems, maxItems, contains, uniqueItems } = rules;
  const least = Number(minItems ?? 0);
  const most = Number(maxItems ?? Infinity);
  const prefix = arrayOf(rules["prefixItems"]);
  const list: Json[] = contains === undefined ? [] : [smallestOf(contains, options, around)];
  const one = prefix.length > 0 ? prefix.length : around.length < DEEP ? 1 : 0;
  while (list.length < Math.min(most, Math.max(least, one))) {
    const schema = itemOf(rules, list.length);
    const item = list.length < least
      ? smallestOf(schema, options, around)
      : attempt(schema, options, around);
    if (item === undefined) break;
    list.push(item);
    if (list.length > 1_000) throw new CannotGenerate(`minItems ${least} is too large`);
  }
  const isMixed = uniqueItems !== true ||
    new Set(list.map((item) => JSON.stringify(item))).size === list.length;
  yield isMixed ? list : different(itemOf(rules, prefix.length), options, least);
  if (least === 0) yield [];
}

/** The schema of the item at a place. */
export function itemOf(rules: Rules, index: number): Json {
  return arrayOf(rules["prefixItems"])[index] ?? rules["items"] ?? true;
}
