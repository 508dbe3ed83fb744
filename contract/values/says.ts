/**
 * @module What a value has and what its schema wants, in the field's own words: "company has 201
 * characters, maxLength is 200".
 */

import { isObject, type Json } from "../document.ts";

/** A value and a keyword that it keeps or breaks. */
export interface Statement {
  /** The JSON Pointer of the value, or of the missing member. */
  readonly at: string;
  readonly keyword: string;
  readonly value?: Json;
  /** The keyword's value. */
  readonly limit?: Json;
}

const UNITS: Readonly<Record<string, string>> = {
  Length: "character",
  Items: "item",
  Properties: "member",
};
/** Characters of a value or a limit that are quoted. */
const QUOTED = 40;

const NAME = /^[\p{L}\p{N}_$-]+$/u;

/** One sentence of at most about 100 characters. */
export function says({ at, keyword, value = null, limit = true }: Statement): string {
  const name = nameAt(at);
  const [, counted] = /^(?:min|max)(Length|Items|Properties)$/.exec(keyword) ?? [];
  if (counted !== undefined) {
    const size = typeof value === "string" ? [...value].length : Object.keys(value ?? {}).length;
    return `${name} has ${size} ${UNITS[counted]}${size === 1 ? "" : "s"}, ${keyword} is ${
      quoted(limit)
    }`;
  }
  switch (keyword) {
    case "required":
      return `${name} is left out, but required`;
    case "dependentRequired":
      return `${name} is left out, but required by another member`;
    case "properties":
      return limit === "all"
        ? `${name} has all optional members`
        : `${name} is sent, though optional`;
    case "additionalProperties":
      return `${name} is an unknown member, additionalProperties is false`;
    case "uniqueItems":
      return `${name} has equal items, uniqueItems is true`;
    case "type":
      return `${name} is ${quoted(value)}${kindOf(value)}, type is ${listed(limit, " or ")}`;
    case "enum":
      return `${name} is ${quoted(value)}, enum is ${listed(limit, ", ")}`;
    default:
      return `${name} is ${quoted(value)}, ${keyword} is ${listed(limit, ", ")}`;
  }
}

/** A JSON Pointer as programs write it: `items[0].price`. */
export function nameAt(pointer: string): string {
  const parts = pointer.split("/").slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const name = parts.map((part) =>
    /^\d+$/.test(part) ? `[${part}]` : NAME.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`
  )
    .join("");
  return name.replace(/^\./, "").slice(0, QUOTED) || "the value";
}

function kindOf(value: Json): string {
  return typeof value === "object" ? "" : ` (${typeof value})`;
}

function quoted(value: Json): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "a list";
  if (isObject(value)) return Object.keys(value).length === 0 ? "{}" : "an object";
  const text = JSON.stringify(value);
  return text.length <= QUOTED ? text : `${[...text].slice(0, QUOTED).join("")}…`;
}

function listed(limit: Json, separator: string): string {
  const text = [limit].flat().map((one) => typeof one === "string" ? one : quoted(one)).join(
    separator,
  );
  return text.length <= QUOTED ? text : `${[...text].slice(0, QUOTED).join("")}…`;
}
