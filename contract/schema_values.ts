/**
 * @module Generates values that match a JSON Schema, valid by construction, so that no validator's
 * interpretation limits them. Rejects schemas with keywords that it does not know.
 */

import fc from "fast-check";
import { type ApiDocument, type Json, type JsonObject, objectOf } from "./document.ts";
import { codePoints } from "./noise.ts";

/** A schema has a keyword that values cannot be generated for. */
export class UnknownKeyword extends Error {
  override readonly name = "UnknownKeyword";
}

export interface ValueOptions {
  readonly document: Pick<ApiDocument, "resolve">;
  /**
   * Whether addresses may use the bare domain `invalid`, without a dot. It is reserved like the
   * domains below it (RFC 2606 §2), but not every service treats it so.
   */
  readonly dotless: boolean;
  readonly within?: readonly string[];
}

/** Keywords that do not restrict values. */
const ANNOTATIONS = ["title", "description", "examples", "example", "default", "deprecated"];
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "format"];
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  string: ["format", "minLength", "maxLength"],
  integer: BOUNDS,
  number: BOUNDS,
  boolean: [],
  null: [],
  array: ["items", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
};

/** The default maxLength. */
const LENGTH = 200;

/** Generates values that match a schema. @throws {UnknownKeyword} naming the keyword */
export function valuesOf(schema: Json, options: ValueOptions): fc.Arbitrary<Json> {
  const rules = objectOf(schema);
  const { $ref } = rules;
  if (typeof $ref === "string") {
    const { document, within = [] } = options;
    if (within.includes($ref)) throw new UnknownKeyword(`a reference to itself, ${$ref}`);
    return valuesOf(document.resolve(schema), { ...options, within: [...within, $ref] });
  }
  if ("const" in rules) return fc.constant(rules["const"]!);
  if (Array.isArray(rules["enum"])) return fc.constantFrom(...rules["enum"]);
  if (Array.isArray(rules["anyOf"])) {
    return fc.oneof(...rules["anyOf"].map((one) => valuesOf(one, options)));
  }
  const { type } = rules;
  if (Array.isArray(type)) {
    return fc.oneof(...type.map((one) => valuesOf({ ...rules, type: one }, options)));
  }
  if (typeof type !== "string") throw new UnknownKeyword("no type");
  const known = ["type", ...KNOWN[type] ?? [], ...ANNOTATIONS];
  const unknown = Object.keys(rules).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UnknownKeyword(unknown);
  switch (type) {
    case "object":
      return objects(rules, options);
    case "array": {
      const [minLength, maxLength] = range(rules["minItems"], rules["maxItems"], 10);
      const items = valuesOf(rules["items"] ?? { type: "null" }, options);
      return fc.array(items, { minLength, maxLength });
    }
    case "string":
      return strings(rules, options);
    case "integer":
    case "number":
      return numbers(rules);
    case "boolean":
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}

function objects(rules: JsonObject, options: ValueOptions): fc.Arbitrary<Json> {
  const required = rules["required"] ?? [];
  const members = Object.entries(objectOf(rules["properties"])).map(([name, schema]) => {
    const value = valuesOf(schema, options).map((one) => ({ one }));
    const isRequired = Array.isArray(required) && required.includes(name);
    const member = isRequired ? value : fc.option(value, { nil: undefined, freq: 2 });
    return member.map((made) => made === undefined ? [] : [[name, made.one] as const]);
  });
  return fc.tuple(...members).map((made) => Object.fromEntries(made.flat()) as JsonObject);
}

function strings(rules: JsonObject, { dotless }: ValueOptions): fc.Arbitrary<string> {
  const { format } = rules;
  if (format === "email") return emails({ dotless });
  if (format !== undefined) throw new UnknownKeyword(`format ${String(format)}`);
  const [minLength, maxLength] = range(rules["minLength"], rules["maxLength"], LENGTH);
  // A unit is a code point, as JSON Schema counts.
  const full = { minLength: maxLength, maxLength };
  return fc.oneof(
    { withCrossShrink: true },
    fc.string({ unit: codePoints(), minLength, maxLength }),
    fc.string({ minLength, maxLength }),
    fc.string({ unit: codePoints(), ...full }),
    fc.string({ unit: fc.constantFrom("😀", "\u0301", "ß", "x"), ...full }),
  );
}

/** Characters of an unquoted local part (RFC 5321 §4.1.2, RFC 5322 §3.2.3). */
const ATEXT = "abcxyzABCXYZ019!#$%&'*+-/=?^_`{|}~";
const LETTERS_DIGITS = "abcxyzABCXYZ019";

/** Addresses below `invalid` that every validator of `format: email` accepts. */
function emails({ dotless }: Pick<ValueOptions, "dotless">): fc.Arbitrary<string> {
  const atom = fc.string({ unit: fc.constantFrom(...ATEXT), minLength: 1, maxLength: 20 });
  const local = fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join("."));
  const edge = fc.constantFrom(...LETTERS_DIGITS);
  const inner = fc.string({ unit: fc.constantFrom(...LETTERS_DIGITS, "-"), maxLength: 61 });
  const label = fc.oneof(
    edge,
    fc.tuple(edge, inner, edge).map((parts) => parts.join("")),
  );
  const labels = fc.array(label, { minLength: dotless ? 0 : 1, maxLength: 2 });
  return fc.tuple(local, labels).map(([name, names]) =>
    `${name}@${[...names, "invalid"].join(".")}`
  );
}

function range(low: Json | undefined, high: Json | undefined, more: number) {
  const least = Number(low ?? 0);
  return [least, Number(high ?? least + more)] as const;
}

function numbers(
  { type, minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below }: JsonObject,
): fc.Arbitrary<number> {
  const isInteger = type === "integer";
  const [min, max] = isInteger
    ? [minimum ?? Math.floor(Number(above)) + 1, maximum ?? Math.ceil(Number(below)) - 1]
    : [minimum ?? above, maximum ?? below];
  const bounds = {
    ...(Number.isFinite(min) ? { min: Number(min) } : {}),
    ...(Number.isFinite(max) ? { max: Number(max) } : {}),
  };
  if (isInteger) return fc.integer(bounds);
  const open = { minExcluded: minimum === undefined, maxExcluded: maximum === undefined };
  return fc.double({ ...bounds, ...open, noNaN: true, noDefaultInfinity: true });
}

export function anyJson(): fc.Arbitrary<Json> {
  return fc.jsonValue() as fc.Arbitrary<Json>;
}
