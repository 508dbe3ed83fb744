/** @module Says what is wrong with a value: "name has 9 characters, maxLength is 8". */

import type { ErrorObject } from "ajv/dist/2020.js";
import { namesOf } from "../lib/json.ts";

export interface SchemaError extends ErrorObject {
  /** What Ajv overwrites behind a reference; its path begins at the reference. */
  origin?: Pick<ErrorObject, "schema" | "data" | "schemaPath">;
}

const MOST_OF_KIND = 3;

/** The most errors of one value that are named: each may have a cause of its own. */
const MOST = 30;

export function linesOf(errors: readonly SchemaError[]): string[] {
  const kinds = Map.groupBy(
    causesOf(errors).sort((a, b) => a.instancePath < b.instancePath ? -1 : 1),
    ({ instancePath, keyword }) => `${starred(instancePath)} ${keyword}`,
  );
  const linesOfKind = (some: SchemaError[]) =>
    [...new Set(some.map(lineOf))].slice(0, MOST_OF_KIND);
  return kinds.values().flatMap(linesOfKind).take(MOST).toArray();
}

/** A line without its values: `/a is "x", maxLength is 3` becomes `/a maxLength is 3`. */
export function causeOf(line: string): string {
  return line.replace(/ (?:is|has) (?:"(?:[^"\\]|\\.)*"|[^",]*), (?=\w+ is )/g, " ");
}

export function referred(error: SchemaError): SchemaError {
  const { schema, data } = error.origin ?? error;
  return { ...error, origin: { schema, data, schemaPath: pathOf(error) } };
}

/** The keywords from the first schema to that of the error, through references. */
function pathOf({ schemaPath, origin }: SchemaError): string {
  return schemaPath + (origin?.schemaPath ?? "");
}

/** Replaces the errors of all branches of `anyOf` and `oneOf` by those of the closest branch. */
function causesOf(errors: readonly SchemaError[]): SchemaError[] {
  const causes: SchemaError[] = [];
  for (const error of errors.filter(({ keyword }) => keyword !== "if")) {
    const path = `${pathOf(error)}/`;
    // The errors of subschemas come right before that of their keyword.
    const start = causes.findLastIndex((cause) =>
      !pathOf(cause).startsWith(path) || !cause.instancePath.startsWith(error.instancePath)
    );
    const branches = Map.groupBy(
      causes.splice(start + 1),
      (cause) => pathOf(cause).slice(path.length).split("/", 1)[0],
    );
    causes.push(...closest(error, [...branches.values()]));
  }
  return causes;
}

/** The errors of the closest branch; the choice itself if a branch matches, or has no errors here. */
function closest(
  choice: SchemaError,
  branches: readonly (readonly SchemaError[])[],
): readonly SchemaError[] {
  const { schema, data } = choice.origin ?? choice;
  const isChoice = /^(?:any|one)Of$/.test(choice.keyword);
  if (!isChoice || branches.length < (schema as readonly unknown[]).length) return [choice];
  const isOfType = ({ keyword, instancePath }: SchemaError) =>
    keyword === "type" && instancePath === choice.instancePath;
  const types = branches.flatMap((errors) => errors.find(isOfType) ?? []);
  if (types.length === branches.length) {
    const all = [...new Set(types.flatMap((error) => (error.origin ?? error).schema))];
    const [{ origin, ...first }] = types as [SchemaError];
    return [{ ...first, origin: { schemaPath: "", ...origin, schema: all, data } }];
  }
  // A branch of another type is far; one with another constant, as of a discriminator, less so.
  const weightOf = (error: SchemaError) =>
    isOfType(error) ? 10_000 : /^(?:const|enum)$/.test(error.keyword) ? 100 : 1;
  const distanceOf = (errors: readonly SchemaError[]) =>
    errors.reduce((sum, error) => sum + weightOf(error), 0);
  return branches.toSorted((a, b) => distanceOf(a) - distanceOf(b))[0]!;
}

/** Errors that are complete without the value. */
const OTHER: Readonly<Record<string, string>> = {
  anyOf: "matches no schema of anyOf",
  contains: "has no fitting item (contains)",
  "false schema": "is not allowed (its schema is false)",
  not: "is what `not` forbids",
};

function lineOf({ instancePath, keyword, params, ...error }: SchemaError): string {
  const { schema: limit, data: value } = error.origin ?? error;
  const place = cut(starred(instancePath), 60);
  const name = place || "the value";
  if (/[rR]equired$/.test(keyword)) {
    return `${place}/${params["missingProperty"]} is missing (${keyword})`;
  }
  if (/[dl]Properties$|^propertyNames$/.test(keyword)) {
    const member = cut(String(Object.values(params)[0]), 30);
    return `${place}/${member} is not allowed (${keyword})`;
  }
  if (keyword === "oneOf") {
    return `${name} matches ${params["passingSchemas"] ? "several" : "no"} schemas of oneOf`;
  }
  return OTHER[keyword] === undefined
    ? worded({ name, keyword, value, limit })
    : `${name} ${OTHER[keyword]}`;
}

/** Items of an array are `*`, so that an error of all of them is one. */
function starred(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, "/*");
}

/** A value, and a keyword that it keeps or breaks. */
interface Statement {
  readonly name: string;
  readonly keyword: string;
  readonly value: unknown;
  readonly limit: unknown;
}

const UNITS: Readonly<Record<string, string>> = {
  Length: "character",
  Items: "item",
  Properties: "member",
};

function worded({ name, keyword, value, limit }: Statement): string {
  if (keyword === "uniqueItems") return `${name} has equal items, uniqueItems is true`;
  const unit = UNITS[keyword.replace(/^m(?:in|ax)/, "")];
  if (unit === undefined || !/^m/.test(keyword)) {
    const bounds = [limit].flat().map((one) => typeof one === "string" ? one : shown(one));
    const bound = cut(bounds.join(keyword === "type" ? " or " : ", "), 50);
    return `${name} is ${shown(value)}, ${keyword} is ${bound}`;
  }
  const size = sizeOf(value);
  return `${name} has ${size} ${unit}${size === 1 ? "" : "s"}, ${keyword} is ${limit}`;
}

/** Code points of a text, items of a list, members of an object, as JSON Schema counts. */
export function sizeOf(value: unknown): number {
  return typeof value === "string" ? [...value].length : Object.keys(value ?? {}).length;
}

export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(cut(value, 30));
  if (typeof value !== "object" || value === null) return String(value);
  if (sizeOf(value) === 0) return JSON.stringify(value);
  return Array.isArray(value) ? "an array" : "an object";
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** One sentence of at most about 100 characters about the value, or missing member, at a JSON Pointer. */
export function says({ at, keyword, ...rest }: Omit<Statement, "name"> & { at: string }): string {
  const name = nameAt(at);
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return at === "" ? "only what is required is sent" : `${name} is left out, but required`;
    case "properties":
      return at === "" ? "all members are sent" : `${name} is sent, though optional`;
    case "additionalProperties":
      return `${name} is unknown, additionalProperties is false`;
  }
  return worded({ name, keyword, ...rest });
}

/** A JSON Pointer as programs write it: `items[0].price`. */
function nameAt(pointer: string): string {
  const parts = namesOf(pointer).map((name) => {
    if (/^\d+$/.test(name)) return `[${name}]`;
    return /^[\p{L}\p{N}_$-]+$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  });
  return cut(parts.join("").replace(/^\./, ""), 40) || "the value";
}
