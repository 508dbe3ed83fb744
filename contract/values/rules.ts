/**
 * @module Rewrites a schema as alternatives without references and combinators. What an alternative
 * cannot express (`not`, `oneOf` that excludes another, …) is left to the validator.
 */

import { arrayOf, isObject, type Json, type JsonObject, objectOf } from "../document.ts";
import { CannotGenerate, isReadOnly, type ValueOptions } from "./options.ts";

/** A schema of one type at most, with its own keywords alone. */
export type Rules = JsonObject;

const MOST = 40;

const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: [
    ...["properties", "required", "additionalProperties", "patternProperties", "propertyNames"],
    ...["minProperties", "maxProperties", "dependentRequired"],
  ],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"],
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};

const known = new WeakMap<object, readonly Rules[]>();

/** The alternatives of a schema; none if nothing matches. @throws {CannotGenerate} */
export function alternativesOf(schema: Json, { document }: Pick<ValueOptions, "document">) {
  const cached = isObject(schema) ? known.get(schema) : undefined;
  if (cached !== undefined) return cached;
  const made = flat(schema, { document, within: [] }).flatMap(byType)
    .map((rules) => withoutReadOnly(rules, document)).slice(0, MOST);
  if (isObject(schema)) known.set(schema, made);
  return made;
}

type Context = Pick<ValueOptions, "document"> & { readonly within: readonly string[] };

function flat(schema: Json, context: Context): Rules[] {
  if (schema === false) return [];
  if (!isObject(schema)) return [{}];
  const { $ref, allOf, anyOf, oneOf, if: condition, then = true, else: other = true, ...own } =
    schema;
  const parts: Rules[][] = [];
  if (typeof $ref === "string") {
    if (context.within.includes($ref)) return [];
    parts.push(flat(resolved(schema, context), { ...context, within: [...context.within, $ref] }));
  }
  parts.push(...arrayOf(allOf).map((one) => flat(one, context)));
  const choices = [anyOf, oneOf].filter((one) => Array.isArray(one));
  for (const choice of choices) {
    parts.push(choice.flatMap((one) => {
      const name = nameOf(schema["discriminator"], one);
      return flat(one, context).flatMap((rules) => merged(rules, named(name, rules)));
    }));
  }
  if (choices.length === 0) parts.push(...heirs(schema["discriminator"], context));
  if (condition !== undefined) {
    parts.push([...flat({ allOf: [condition, then] }, context), ...flat(other, context)]);
  }
  const { const: single, ...rest } = own;
  const base = single === undefined ? rest : { ...rest, enum: [single] };
  return parts.reduce(
    (all, part) =>
      all.flatMap((one) => part.flatMap((another) => merged(one, another))).slice(0, MOST),
    [base],
  );
}

function resolved(schema: Json, { document }: Context): Json {
  try {
    return document.resolve(schema);
  } catch (error) {
    throw new CannotGenerate(error instanceof Error ? error.message : String(error));
  }
}

type Name = readonly [property: string, values: readonly string[]] | undefined;

/** The value of a discriminator for a choice: its mapping's, or the component's name (§4.8.25). */
function nameOf(discriminator: Json | undefined, choice: Json): Name {
  const { propertyName, mapping } = objectOf(discriminator);
  const { $ref } = objectOf(choice);
  if (typeof propertyName !== "string" || typeof $ref !== "string") return undefined;
  const values = Object.entries(objectOf(mapping)).filter(([, target]) => refOf(target) === $ref);
  return [
    propertyName,
    values.length > 0 ? values.map(([value]) => value) : [$ref.split("/").at(-1)!],
  ];
}

/** The discriminator's value as a rule, unless the choice has its own. */
function named(name: Name, rules: Rules): Rules {
  if (name === undefined) return {};
  const [property, values] = name;
  if ("const" in objectOf(objectOf(rules["properties"])[property])) return {};
  return { properties: { [property]: { enum: [...values] } }, required: [property] };
}

function refOf(target: Json): string {
  const name = String(target);
  return /[/#.]/.test(name) ? name : `#/components/schemas/${name}`;
}

/** The schemas that a discriminator's mapping names, if it is within none of them. */
function heirs(discriminator: Json | undefined, { document, within }: Context): Rules[][] {
  const { propertyName, mapping } = objectOf(discriminator);
  const all = Object.entries(objectOf(mapping)).map(([value, target]) =>
    [value, refOf(target)] as const
  );
  if (all.length === 0 || all.some(([, $ref]) => within.includes($ref))) return [];
  return [
    all.flatMap(([value, $ref]) => {
      const choice = { properties: { [String(propertyName)]: { const: value } } };
      return flat({ allOf: [{ $ref }, choice] }, { document, within: [] });
    }),
  ];
}

/** Both rules together; none if no value can match both. */
function merged(a: Rules, b: Rules): Rules[] {
  const both: Rules = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const old = Object.hasOwn(a, name) ? a[name] : undefined;
    both[name] = old === undefined ? value : mergedKeyword(name, old, value);
  }
  for (const [one, another] of [[a, b], [b, a]] as const) {
    if (one["additionalProperties"] !== false || one["patternProperties"] !== undefined) continue;
    for (const name of Object.keys(objectOf(another["properties"]))) {
      if (Object.hasOwn(objectOf(one["properties"]), name)) continue;
      both["properties"] = { ...objectOf(both["properties"]), [name]: false };
    }
  }
  const isPossible = [both["type"], both["enum"]]
    .every((list) => !Array.isArray(list) || list.length > 0);
  return isPossible ? [both] : [];
}

function mergedKeyword(name: string, a: Json, b: Json): Json {
  switch (name) {
    case "type":
      return commonTypes([a].flat(), [b].flat());
    case "enum":
      return arrayOf(a).filter((one) => arrayOf(b).some((other) => equal(one, other)));
    case "required":
      return [...new Set([...arrayOf(a), ...arrayOf(b)])];
    case "properties":
    case "patternProperties":
    case "dependentRequired":
      return Object.entries(objectOf(b)).reduce<JsonObject>((all, [key, value]) => {
        const old = Object.hasOwn(all, key) ? all[key]! : undefined;
        return { ...all, [key]: old === undefined ? value : { allOf: [old, value] } };
      }, objectOf(a));
    case "prefixItems":
      return Array.from(
        { length: Math.max(arrayOf(a).length, arrayOf(b).length) },
        (_, index) => ({ allOf: [arrayOf(a)[index] ?? true, arrayOf(b)[index] ?? true] }),
      );
    case "items":
    case "additionalProperties":
    case "propertyNames":
    case "contains":
      return a === false || b === false ? false : { allOf: [a, b] };
    default:
      if (/^(?:min|exclusiveMin)/.test(name)) return Math.max(Number(a), Number(b));
      if (/^(?:max|exclusiveMax)/.test(name)) return Math.min(Number(a), Number(b));
      return b;
  }
}

function commonTypes(a: readonly Json[], b: readonly Json[]): Json[] {
  const covers = (list: readonly Json[], type: Json) =>
    list.includes(type) || (type === "integer" && list.includes("number"));
  return [
    ...new Set([...a.filter((type) => covers(b, type)), ...b.filter((type) => covers(a, type))]),
  ];
}

/** One alternative for each type, inferred from the keywords if there is none. */
function byType(rules: Rules): Rules[] {
  const { type, enum: listed } = rules;
  if (Array.isArray(listed)) {
    const types = type === undefined ? undefined : [type].flat();
    const fits = listed.filter((value) => types?.some((one) => isOfType(value, one)) ?? true);
    return fits.length === 0 ? [] : [{ ...rules, enum: fits }];
  }
  const inferred = Object.keys(KEYWORDS)
    .filter((one) => KEYWORDS[one]!.some((name) => name in rules));
  const types = type === undefined ? inferred : [type].flat();
  return types.length === 0 ? [rules] : types.map((one) => ({ ...rules, type: one }));
}

export function isOfType(value: Json, type: Json): boolean {
  return type === "integer" ? Number.isInteger(value) : typeOf(value) === type;
}

export function typeOf(value: Json): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

export function equal(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function withoutReadOnly(rules: Rules, document: ValueOptions["document"]): Rules {
  if (!isObject(rules["properties"])) return rules;
  const isLeft = ([, schema]: [string, Json]) => isReadOnly(schema, document);
  const left = Object.entries(rules["properties"]).filter(isLeft).map(([name]) => name);
  if (left.length === 0) return rules;
  const properties = Object.entries(rules["properties"]).filter(([name]) => !left.includes(name));
  const required = arrayOf(rules["required"]).filter((name) => !left.includes(String(name)));
  return { ...rules, properties: Object.fromEntries(properties), required };
}

/** Keywords that an alternative does not express, or only as a wish. */
const RISKY = [
  ...["not", "if", "oneOf", "allOf", "contains", "uniqueItems", "minProperties", "maxProperties"],
  ...["propertyNames", "patternProperties", "dependentRequired", "dependentSchemas", "pattern"],
  ...["unevaluatedProperties", "unevaluatedItems", "multipleOf", "format"],
];

/** Whether values of the alternatives may be invalid. */
export function isRisky(schema: Json, alternatives: readonly Rules[]): boolean {
  return [objectOf(schema), ...alternatives].some((rules) => RISKY.some((name) => name in rules));
}
