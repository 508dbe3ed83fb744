/** @module Reads the text of a header by its schema, in the style `simple` (OpenAPI 3.1 §4.8.12). */

import { type ApiDocument, arrayOf, type Json, type JsonObject, objectOf } from "../document.ts";

interface Described {
  readonly schema: Json;
  readonly document: ApiDocument;
}

/** The deepest nesting of schemas that is followed. */
const DEEPEST = 8;

/** Every value that a text may mean by its schema, the likeliest first; the text itself last. */
export function readings(text: string, { schema, document }: Described): unknown[] {
  const typed = typesOf(schema, document).flatMap((type) =>
    readAs(type, text, { schema, document })
  );
  return [...typed, text];
}

function readAs(type: string, text: string, { schema, document }: Described): unknown[] {
  switch (type) {
    case "integer":
    case "number":
      return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? [Number(text)] : [];
    case "boolean":
      return text === "true" || text === "false" ? [text === "true"] : [];
    case "null":
      return text === "" ? [null] : [];
    case "array": {
      const items = schemasIn(schema, document).map((one) => one["items"]).find((one) => one) ??
        true;
      return [membersOf(text).map((item) => readings(item, { schema: items, document })[0])];
    }
    case "object": {
      // With `explode` an equals sign joins name and value, without it they alternate.
      const members = membersOf(text);
      const entries = members.every((member) => member.includes("="))
        ? members.map((member) => member.split(/=(.*)/s, 2))
        : members.filter((_, index) => index % 2 === 0)
          .map((name, index) => [name, members[2 * index + 1] ?? ""]);
      const read = (name: string, value: string) =>
        readings(value, { schema: propertyOf(name, { schema, document }), document })[0];
      return [Object.fromEntries(entries.map(([name, value]) => [name, read(name!, value!)]))];
    }
    default:
      return [];
  }
}

function membersOf(text: string): string[] {
  return text === "" ? [] : text.split(",").map((member) => member.trim());
}

function propertyOf(name: string, { schema, document }: Described): Json {
  const found = schemasIn(schema, document).map((one) => objectOf(one["properties"])[name]);
  return found.find((one) => one !== undefined) ?? true;
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

/** A schema and those that it consists of, references resolved. */
function schemasIn(schema: Json, document: ApiDocument, depth = 0): JsonObject[] {
  if (depth > DEEPEST) return [];
  const one = resolved(schema, document);
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((word) => arrayOf(one[word]));
  return [one, ...parts.flatMap((part) => schemasIn(part, document, depth + 1))];
}

/** An empty schema if the reference cannot be followed, which is a finding about the document. */
function resolved(schema: Json, document: ApiDocument): JsonObject {
  try {
    return objectOf(document.resolve(schema));
  } catch {
    return {};
  }
}
