/** @module Describes the type of a JSON schema in words: "array of strings, at most 9 items". */

import type { Json } from "../schemas/openapi_headers.ts";
import { fill, type Words } from "../schemas/words.ts";

export type JsonObject = { readonly [name: string]: Json };

/** Keywords that bound one quantity, and the name of its unit. */
const RANGES = [
  ["minimum", "maximum"],
  ["minLength", "maxLength", "characters"],
  ["minItems", "maxItems", "items"],
] as const;

/** The texts of a language, and a link to where it describes a schema. */
export interface Terms {
  readonly words: Words["reference"];
  schemaLink(name: string): string;
}

/** @param many whether to describe the elements of an array, in the plural where there is one */
export function typeText(schema: JsonObject, terms: Terms, many = false): string {
  const { words } = terms;
  const { $ref, anyOf, enum: values, items, maxLength, type } = schema;
  const form = many ? 1 : 0;
  if (typeof $ref === "string") return terms.schemaLink($ref.split("/").at(-1)!);
  const choices = Array.isArray(type)
    ? type.map((one) => one === "null" ? { type: one } : { ...schema, type: one })
    : anyOf;
  if (Array.isArray(choices)) {
    return choices.map((one) => typeText(objectAt(one), terms, many)).join(` ${words.or} `);
  }
  if (Array.isArray(values)) {
    const list = values.map((value) => `\`${String(value)}\``).join(", ");
    return fill(words.oneOf[form]!, { values: list });
  }
  if (maxLength === 0) return words.empty;
  const types: Readonly<Record<string, readonly string[]>> = words.types;
  const name = fill((types[String(type)] ?? words.types.any)[form]!, {
    items: items === undefined ? "" : typeText(objectAt(items), terms, true),
  });
  return withLimits(name, { schema, words, many });
}

/** "string (email), at most 9 characters"; of elements "strings (email, at most 9 characters)". */
function withLimits(name: string, { schema, words, many }: {
  readonly schema: JsonObject;
  readonly words: Words["reference"];
  readonly many: boolean;
}): string {
  const format = schema["format"] === undefined ? [] : [String(schema["format"])];
  const limits = [
    ...RANGES.flatMap(([lower, upper, unit]) => {
      const [min, max] = [schema[lower], schema[upper]];
      if (min === undefined && max === undefined) return [];
      const { atLeast, atMost, exactly, between } = words.ranges;
      const pattern = max === undefined ? atLeast : min === undefined ? atMost : between;
      const range = fill(min === max ? exactly : pattern, { min: String(min), max: String(max) });
      return unit ? `${range} ${words.units[unit][(max ?? min) === 1 ? 0 : 1]}` : range;
    }),
    ...Object.entries(words.limits).filter(([keyword]) => keyword in schema)
      .map(([keyword, text]) => fill(text, { value: String(schema[keyword]) })),
  ];
  if (!many) return [`${name}${format.map((one) => ` (${one})`)}`, ...limits].join(", ");
  const all = [...format, ...limits].join(", ");
  return all === "" ? name : `${name} (${all})`;
}

/** The object at a member, or the value itself; empty if absent. */
export function objectAt(value: Json | undefined, name?: string): JsonObject {
  const object = (value ?? {}) as JsonObject;
  return name === undefined ? object : objectAt(object[name]);
}
