/** @module Reads the text of a header by its schema, in the style `simple` (OpenAPI 3.1 §4.8.12). */

import type { ApiDocument } from "../document/document.ts";
import type { Json } from "../lib/json.ts";
import { CannotGenerate } from "../values/options.ts";
import { alternativesOf, itemOf, type Rules, schemaOf, typesIn } from "../values/schema_rules.ts";
import { attempt } from "../values/values.ts";

interface Context {
  readonly schema: Json;
  readonly document: ApiDocument;
}

/** Every value that a text may mean by its schema, the likeliest first; the text itself last. */
export function readings(text: string, context: Context): Json[] {
  const members = text === "" ? [] : text.split(",").map((member) => member.trim());
  // With `explode` an equals sign joins name and value, without it they alternate.
  const pairs = members.every((member) => member.includes("="))
    ? members.map((member) => member.split(/=(.*)/s, 2))
    : members.flatMap((name, at) => at % 2 === 0 ? [[name, members[at + 1] ?? ""]] : []);
  const read = (member: string, schema: Json) =>
    scalars(member, { ...context, schema })[0] ?? member;
  const compound = alternatives(context).flatMap((rules): Json[] => {
    if (rules["type"] === "array") {
      return [members.map((member, index) => read(member, itemOf(rules, index)))];
    }
    if (rules["type"] !== "object") return [];
    const own = pairs.map(([name = "", value = ""]) => [name, read(value, schemaOf(rules, name))]);
    return [Object.fromEntries(own)];
  });
  return [...scalars(text, context), ...compound, text];
}

function scalars(text: string, { schema, document }: Context): Json[] {
  return typesOf(schema, document).flatMap((type): Json[] => {
    switch (type) {
      case "integer":
      case "number":
        return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? [Number(text)] : [];
      case "boolean":
        return text === "true" || text === "false" ? [text === "true"] : [];
      default:
        return type === "null" && text === "" ? [null] : [];
    }
  });
}

/** The types that a schema allows, as far as it tells them. */
export function typesOf(schema: Json, document: ApiDocument): string[] {
  return typesIn(alternatives({ schema, document }));
}

/** None for a schema that cannot be found: a finding already. */
function alternatives({ schema, document }: Context): readonly Rules[] {
  const found = attempt(() => alternativesOf(schema, { document }));
  return found instanceof CannotGenerate ? [] : found;
}
