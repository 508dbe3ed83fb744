/**
 * @module What a value has and what its schema wants, in the field's own words: "company has 201
 * characters, maxLength is 200".
 */

import type { Json } from "../document.ts";

/** A value, and a keyword that it keeps or breaks. */
export interface Statement {
  /** The JSON Pointer of the value, or of the missing member. */
  readonly at: string;
  readonly keyword: string;
  readonly value: Json;
  /** The keyword's value. */
  readonly limit: Json;
}

const UNITS: Readonly<Record<string, string>> = {
  Length: "character",
  Items: "item",
  Properties: "member",
};
/** Characters of a name, a value or a limit that are quoted. */
const QUOTED = 40;

/** One sentence of at most about 100 characters. */
export function says({ at, keyword, value, limit }: Statement): string {
  const name = nameAt(at);
  const [, counted] = /^(?:min|max)(Length|Items|Properties)$/.exec(keyword) ?? [];
  if (counted !== undefined) {
    const size = sizeOf(value);
    return `${name} has ${size} ${UNITS[counted]}${size === 1 ? "" : "s"}, ${keyword} is ${limit}`;
  }
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return at === "" ? "only what is required is sent" : `${name} is left out, but required`;
    case "properties":
      return at === "" ? "all members are sent" : `${name} is sent, though optional`;
    case "additionalProperties":
      return `${name} is unknown, additionalProperties is false`;
    case "uniqueItems":
      return `${name} has equal items, uniqueItems is true`;
  }
  const kind = keyword === "type" && typeof value !== "object" ? ` (${typeof value})` : "";
  const separator = keyword === "type" ? " or " : ", ";
  const wanted = [limit].flat().map((one) => typeof one === "string" ? one : quoted(one));
  return `${name} is ${quoted(value)}${kind}, ${keyword} is ${short(wanted.join(separator))}`;
}

/** Code points of a text, items of a list, members of an object, as JSON Schema counts. */
export function sizeOf(value: Json): number {
  return typeof value === "string" ? [...value].length : Object.keys(value ?? {}).length;
}

/** A JSON Pointer as programs write it: `items[0].price`. */
export function nameAt(pointer: string): string {
  const parts = pointer.split("/").slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) =>
      /^\d+$/.test(part)
        ? `[${part}]`
        : /^[\p{L}\p{N}_$-]+$/u.test(part)
        ? `.${part}`
        : `[${JSON.stringify(part)}]`
    );
  return short(parts.join("").replace(/^\./, "")) || "the value";
}

function quoted(value: Json): string {
  if (typeof value !== "object" || sizeOf(value) === 0) return short(JSON.stringify(value));
  return Array.isArray(value) ? "a list" : "an object";
}

function short(text: string): string {
  return text.length <= QUOTED ? text : `${[...text].slice(0, QUOTED).join("")}…`;
}
