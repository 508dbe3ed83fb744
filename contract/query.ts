/** @module The query of an operation as an object: one schema, its requests, and how a service reads it. */

import { arrayOf, type Json, type JsonObject, objectOf, type Operation } from "./document.ts";
import { typed } from "./oracle/documented.ts";

/** RFC 9110 §4.1 asks servers for 8,000 octets of URI. */
const LONGEST = 4_000;

/** The schema of all query parameters; undefined if there are none. */
export function querySchemaOf({ parameters }: Operation): JsonObject | undefined {
  const own = parameters.filter(({ in: place }) => place === "query");
  if (own.length === 0) return undefined;
  return {
    type: "object",
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** A list becomes one pair for each item, as in OpenAPI's default style. */
export function withQuery(path: string, value: Json): string {
  const pairs = Object.entries(objectOf(value))
    .flatMap(([name, member]) => [member].flat().map((one) => [name, String(one)]));
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

/** The query as a service reads it; undefined if services differ about it, or may refuse its length. */
export function readQuery(value: Json, schema: JsonObject): JsonObject | undefined {
  if (withQuery("", value).length > LONGEST) return undefined;
  const read: JsonObject = {};
  for (const [name, member] of Object.entries(objectOf(value))) {
    const rules = objectOf(objectOf(schema["properties"])[name]);
    const isList = rules["type"] === "array";
    const texts = isList ? arrayOf(member) : [member];
    if (texts.length === 0 || !texts.every(isText)) return undefined;
    const values = texts.map((text) =>
      typed(String(text), isList ? rules["items"] : rules) as Json
    );
    read[name] = isList ? values : values[0]!;
  }
  return read;
}

function isText(value: Json): boolean {
  return value !== "" && (typeof value !== "object" || value === null);
}
