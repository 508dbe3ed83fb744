/** @module Reads the text of a header by its schema, in the style `simple` (OpenAPI 3.1 §4.8.12). */

import { type ApiDocument, arrayOf, type Json, type JsonObject, objectOf } from "../document.ts";

/** The deepest nesting of schemas that is followed. */
const DEEPEST = 8;

/** Every value that a text may mean by its schema, the likeliest first; the text itself last. */
export function readings(
  text: string,
  { schema, document }: { readonly schema: Json; readonly document: ApiDocument },
): unknown[] {
  const parts = schemasIn(schema, document);
  const members = text === "" ? [] : text.split(",").map((member) => member.trim());
  /** A member, by the first schema of the parts that has one for it. */
  function read(member: string, schemaOf: (part: JsonObject) => Json | undefined): unknown {
    const found = parts.map(schemaOf).find((one) => one !== undefined);
    return readings(member, { schema: found ?? true, document })[0];
  }
  function readAs(type: string): unknown[] {
    switch (type) {
      case "integer":
      case "number":
        return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? [Number(text)] : [];
      case "boolean":
        return text === "true" || text === "false" ? [text === "true"] : [];
      case "null":
        return text === "" ? [null] : [];
      case "array":
        return [members.map((member) => read(member, ({ items }) => items))];
      case "object": {
        // With `explode` an equals sign joins name and value, without it they alternate.
        const entries = members.every((member) => member.includes("="))
          ? members.map((member) => member.split(/=(.*)/s, 2))
          : members.filter((_, index) => index % 2 === 0)
            .map((name, index) => [name, members[2 * index + 1] ?? ""]);
        const values = entries.map(([name = "", value = ""]) =>
          [name, read(value, ({ properties }) => objectOf(properties)[name])] as const
        );
        return [Object.fromEntries(values)];
      }
      default:
        return [];
    }
  }
  return [...typesOf(schema, document).flatMap(readAs), text];
}

/** The types that a schema allows, as far as it names them, also by reference and in its parts. */
export function typesOf(schema: Json, document: ApiDocument): string[] {
  const named = schemasIn(schema, document).flatMap(({ type, const: only, enum: some }) => [
    ...[type].flat().filter((one) => typeof one === "string"),
    ...[only, ...arrayOf(some)].filter((one) => one !== undefined)
      .map((one) => one === null ? "null" : typeof one),
  ]);
  return [...new Set(named)];
}

/** A schema and those that it consists of. Without those that cannot be found: a finding already. */
function schemasIn(schema: Json, document: ApiDocument, depth = 0): JsonObject[] {
  if (depth > DEEPEST) return [];
  try {
    const one = objectOf(document.resolve(schema));
    const parts = ["allOf", "anyOf", "oneOf"].flatMap((word) => arrayOf(one[word]));
    return [one, ...parts.flatMap((part) => schemasIn(part, document, depth + 1))];
  } catch {
    return [];
  }
}
