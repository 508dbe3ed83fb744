/** @module A schema as alternatives without references; the validator decides the rest. */

import { arrayOf, isObject, type Json, type JsonObject, objectOf } from "../lib/json.ts";
import { patternOf, writable } from "../document/schema_for_ajv.ts";
import { CannotGenerate, type ValueOptions } from "./options.ts";

/** A schema of one type at most, with its own keywords alone. */
export type Rules = JsonObject;

const MOST = 40;
/** The keywords of each type, which tell the type of a schema without one. */
const KEYWORDS: Readonly<Record<string, RegExp>> = {
  object: /propert|^(?:required|dependentRequired)$/i,
  array: /items$|^contains$/i,
  string: /Length$|^(?:pattern|format)$/,
  number: /imum$|^multipleOf$/,
};
/** The most characters, items or members of one value. */
export const MANY = 70_000;

const known = new WeakMap<object, readonly Rules[]>();

type Context = Pick<ValueOptions, "document"> & { readonly within?: readonly string[] };

/** The alternatives of a schema; none if nothing matches. @throws {CannotGenerate} */
export function alternativesOf(schema: Json, { document }: Context): readonly Rules[] {
  const made = isObject(schema) && known.get(schema) ||
    flat(schema, { document }).flatMap(byType).slice(0, MOST);
  for (const [name, limit] of made.flatMap(Object.entries<Json>)) {
    if (/^min[LIP]/.test(name) && Number(limit) > MANY) {
      throw new CannotGenerate(`${name} is ${limit}, and the harness sends ${MANY}`);
    }
  }
  if (isObject(schema)) known.set(schema, made);
  return made;
}

function flat(schema: Json, context: Context): Rules[] {
  if (schema === false) return [];
  if (!isObject(schema)) return [{}];
  const { $ref, allOf, anyOf, oneOf, if: condition, then = true, else: other = true, ...own } =
    writable(schema, context.document);
  const { const: single, ...rest } = own;
  const parts = arrayOf(allOf).map((one) => flat(one, context));
  if (typeof $ref === "string") {
    const { within = [] } = context;
    if (within.includes($ref)) return [];
    parts.push(flat(resolved(schema, context), { ...context, within: [...within, $ref] }));
  }
  const choose = (one: Json) =>
    flat(one, context).flatMap((rules) => merged(rules, named(own["discriminator"], one, rules)));
  for (const choice of [anyOf, oneOf]) {
    if (Array.isArray(choice)) parts.push(choice.flatMap(choose));
  }
  if (condition !== undefined) {
    parts.push([...flat({ allOf: [condition, then] }, context), ...flat(other, context)]);
  }
  return parts.reduce(
    (all, part) =>
      all.flatMap((one) => part.flatMap((another) => merged(one, another))).slice(0, MOST),
    [single === undefined ? rest : { ...rest, enum: [single] }],
  );
}

function resolved(schema: Json, { document }: Context): Json {
  try {
    return document.resolve(schema);
  } catch (error) {
    throw new CannotGenerate((error as Error).message);
  }
}

/** The discriminator's value for a choice: its mapping's, or the component's name (§4.8.25). */
function named(discriminator: Json | undefined, choice: Json, rules: Rules): Rules {
  const { propertyName, mapping } = objectOf(discriminator);
  const { $ref } = objectOf(choice);
  if (typeof propertyName !== "string" || typeof $ref !== "string") return {};
  if ("const" in objectOf(objectOf(rules["properties"])[propertyName])) return {};
  const name = $ref.split("/").at(-1)!;
  const values = Object.entries(objectOf(mapping))
    .filter(([, target]) => target === $ref || target === name).map(([value]) => value);
  return {
    properties: { [propertyName]: { enum: values.length > 0 ? values : [name] } },
    required: [propertyName],
  };
}

/** Both rules together; none if no value can match both. */
function merged(a: Rules, b: Rules): Rules[] {
  const both: Rules = { ...a };
  for (const [name, value] of Object.entries(b)) {
    both[name] = a[name] === undefined ? value : mergedKeyword(name, a[name], value);
  }
  for (const [one, another] of [[a, b], [b, a]] as const) {
    if (one["additionalProperties"] !== false || one["patternProperties"] !== undefined) continue;
    const unknown = Object.keys(objectOf(another["properties"]))
      .filter((name) => !Object.hasOwn(objectOf(one["properties"]), name));
    const none = Object.fromEntries(unknown.map((name) => [name, false]));
    both["properties"] = { ...objectOf(both["properties"]), ...none };
  }
  const isPossible = [both["type"], both["enum"]]
    .every((list) => !Array.isArray(list) || list.length > 0);
  return isPossible ? [both] : [];
}

function mergedKeyword(name: string, a: Json, b: Json): Json {
  switch (name) {
    case "type":
      return [a].flat().flatMap((one) => [b].flat().flatMap((other) => common(one, other)));
    case "enum": {
      const others = arrayOf(b).map((one) => JSON.stringify(one));
      return arrayOf(a).filter((one) => others.includes(JSON.stringify(one)));
    }
    case "required":
      return [...arrayOf(a), ...arrayOf(b)];
    case "properties":
    case "patternProperties": {
      const [one, other] = [objectOf(a), objectOf(b)];
      const both = Object.keys(other).filter((key) => Object.hasOwn(one, key))
        .map((key) => [key, { allOf: [one[key]!, other[key]!] }]);
      return { ...one, ...other, ...Object.fromEntries(both) };
    }
    case "items":
    case "additionalProperties":
    case "propertyNames":
    case "contains":
      return a === false || b === false ? false : { allOf: [a, b] };
    default:
      if (/^(?:min|exclusiveMin)/.test(name)) return Math.max(Number(a), Number(b));
      return /^(?:max|exclusiveMax)/.test(name) ? Math.min(Number(a), Number(b)) : b;
  }
}

function common(a: Json, b: Json): Json[] {
  if (a === b || (a === "integer" && b === "number")) return [a];
  return a === "number" && b === "integer" ? [b] : [];
}

function byType(rules: Rules): Rules[] {
  const { type, enum: listed } = rules;
  if (Array.isArray(listed)) {
    const isFit = (value: Json) => [type!].flat().some((one) => isOfType(value, one));
    const fits = type === undefined ? listed : listed.filter(isFit);
    return fits.length === 0 ? [] : [{ ...rules, enum: fits }];
  }
  const has = (keywords: RegExp) => Object.keys(rules).some((name) => keywords.test(name));
  const types = type === undefined
    ? Object.keys(KEYWORDS).filter((one) => has(KEYWORDS[one]!))
    : [type].flat();
  return types.length === 0 ? [rules] : types.map((one) => ({ ...rules, type: one }));
}

export function isOfType(value: Json, type: Json): boolean {
  return type === "integer" ? Number.isInteger(value) : typeOf(value) === type;
}

function typeOf(value: Json): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

export function typesIn(alternatives: readonly Rules[]): string[] {
  const types = alternatives.flatMap(({ type = [], enum: listed }) =>
    Array.isArray(listed) ? listed.map(typeOf) : [type].flat().map(String)
  );
  return [...new Set(types)];
}

/** The names, and those that must come with them. */
export function neededWith(rules: Rules, names: readonly string[]): string[] {
  const all = new Set(names);
  for (const name of all) {
    for (const [key, others] of Object.entries(objectOf(rules["dependentRequired"]))) {
      if (key === name) arrayOf(others).forEach((other) => all.add(String(other)));
    }
  }
  return [...all];
}

export function schemaOf(rules: Rules, name: string): Json {
  const { properties, patternProperties, additionalProperties = true } = rules;
  const [, listed = additionalProperties] =
    Object.entries(objectOf(properties)).find(([one]) => one === name) ??
      Object.entries(objectOf(patternProperties)).find(([one]) => patternOf(one)?.test(name)) ?? [];
  return listed;
}

export function itemOf(rules: Rules, index: number): Json {
  return arrayOf(rules["prefixItems"])[index] ?? rules["items"] ?? true;
}
