/**
 * @module Random values of a schema. The generator proposes them, and the validator decides, so that
 * keywords that no generator can follow (`not`, `if`) are kept as well.
 */

import fc from "fast-check";
import { arrayOf, isObject, type Json, objectOf } from "../document.ts";
import { codePoints } from "./noise.ts";
import { numbers } from "./numbers.ts";
import { CannotGenerate, isSure, later, type ValueOptions } from "./options.ts";
import { alternativesOf, isRisky, type Rules } from "./rules.ts";
import { attempt, itemOf, neededWith, smallestOf } from "./smallest.ts";
import { strings } from "./text.ts";

export { smallestOf };

/** Deeper values are the smallest ones. */
const DEEP = 4;
/** Names of members that a schema leaves open, and that implementations mishandle. */
const NAMES = ["a", "b", "__proto__", "constructor", "length"];

/** Random valid values. @throws {CannotGenerate} */
export function valuesOf(schema: Json, options: ValueOptions): fc.Arbitrary<Json> {
  const smallest = smallestOf(schema, options);
  const isFine = (value: Json) =>
    isSure(value) && JSON.stringify(value).length <= options.most && options.isValid(schema, value);
  return chosen(proposals(schema, options, 0), { isFine, smallest });
}

/** The values that are fine; of rare ones, those that were found. */
function chosen(
  proposed: fc.Arbitrary<Json>,
  { isFine, smallest }: { readonly isFine: (value: Json) => boolean; readonly smallest: Json },
): fc.Arbitrary<Json> {
  if (fc.sample(proposed, { numRuns: 20, seed: 1 }).filter(isFine).length >= 5) {
    return proposed.filter(isFine);
  }
  const found = fc.sample(proposed, { numRuns: 100, seed: 2 }).filter(isFine);
  return fc.constantFrom(smallest, ...found);
}

function proposals(schema: Json, options: ValueOptions, depth: number): fc.Arbitrary<Json> {
  const smallest = smallestOf(schema, options);
  if (depth > DEEP) return fc.constant(smallest);
  const alternatives = alternativesOf(schema, options);
  const all = alternatives.flatMap((rules) => {
    try {
      return [proposalsOf(rules, options, depth)];
    } catch (error) {
      if (!(error instanceof CannotGenerate)) throw error;
      return [];
    }
  });
  const any = all.length === 0 ? fc.constant(smallest) : fc.oneof(...all);
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
      return strings(rules, options);
    case "integer":
    case "number":
      return numbers(rules);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return anyJson();
  }
}

function objects(rules: Rules, options: ValueOptions, depth: number): fc.Arbitrary<Json> {
  const properties = objectOf(rules["properties"]);
  const needed = neededWith(rules, arrayOf(rules["required"]).map(String));
  const names = new Set([...Object.keys(properties), ...needed]);
  const members = [...names].flatMap((name) => {
    const schema = Object.hasOwn(properties, name)
      ? properties[name]!
      : rules["additionalProperties"] ?? true;
    if (attempt(schema, options) === undefined) return [];
    const one = later(() => proposals(schema, options, depth + 1)).map((value) =>
      [name, value] as const
    );
    if (needed.includes(name)) return [one];
    const none = { weight: 1 + depth, arbitrary: fc.constant(undefined) };
    return [fc.oneof({ withCrossShrink: true }, none, { weight: 1, arbitrary: one })];
  });
  const made = fc.tuple(fc.tuple(...members), extras(rules, options, depth));
  return made.map(([listed, more]) =>
    Object.fromEntries([...more, ...listed.filter((member) => member !== undefined)])
  );
}

/** Members that the schema does not list: of a map, or of a pattern. */
function extras(
  rules: Rules,
  options: ValueOptions,
  depth: number,
): fc.Arbitrary<[string, Json][]> {
  const { additionalProperties = true, patternProperties, propertyNames } = rules;
  const isMap = isObject(additionalProperties) ||
    (additionalProperties && Object.keys(objectOf(rules["properties"])).length === 0);
  const kinds: [name: Rules, value: Json][] = Object.entries(objectOf(patternProperties))
    .map(([pattern, value]) => [{ type: "string", pattern }, value]);
  if (isMap && patternProperties === undefined) {
    kinds.push([{ type: "string", ...objectOf(propertyNames) }, additionalProperties]);
  }
  const possible = kinds.filter(([, value]) => attempt(value, options) !== undefined);
  const members = possible.map(([name, value]) =>
    fc.tuple(
      name["pattern"] === undefined && propertyNames === undefined
        ? fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: codePoints(), maxLength: 10 }))
        : proposals(name, options, depth + 1) as fc.Arbitrary<string>,
      later(() => proposals(value, options, depth + 1)),
    )
  );
  if (members.length === 0) return fc.constant([]);
  const least = Number(rules["minProperties"] ?? 0);
  const most = Math.min(Number(rules["maxProperties"] ?? Infinity), least + (depth < 2 ? 3 : 1));
  const bounds = { minLength: least, maxLength: most, selector: ([name]: [string, Json]) => name };
  return fc.uniqueArray(fc.oneof(...members), bounds);
}

function lists(rules: Rules, options: ValueOptions, depth: number): fc.Arbitrary<Json> {
  const prefix = arrayOf(rules["prefixItems"]);
  const least = Number(rules["minItems"] ?? 0);
  const most = Math.min(Number(rules["maxItems"] ?? Infinity), least + ([10, 3][depth] ?? 1));
  const first = prefix.slice(0, Number(rules["maxItems"] ?? Infinity))
    .map((schema) => proposals(schema, options, depth + 1));
  const rest = itemOf(rules, prefix.length);
  const { contains } = rules;
  const head = fc.tuple(
    ...first,
    ...(contains === undefined ? [] : [proposals(contains, options, depth + 1)]),
  );
  if (attempt(rest, options) === undefined) return head;
  const count = first.length + (contains === undefined ? 0 : 1);
  const bounds = {
    minLength: Math.max(0, least - count),
    maxLength: Math.max(0, least - count, most - count),
  };
  const item = later(() => proposals(rest, options, depth + 1));
  const items = rules["uniqueItems"] === true
    ? fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) })
    : fc.array(item, bounds);
  return fc.tuple(head, items).map(([some, more]) => [...some, ...more]);
}

export function anyJson(): fc.Arbitrary<Json> {
  return (fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>).filter(isSure);
}
