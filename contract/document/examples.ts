/** @module Every schema of a document's messages, with its examples, and those that do not match. */

import { type ApiDocument, isJsonType, type Json, objectOf } from "../document.ts";
import type { Finding } from "../finding.ts";
import type { Schemas } from "../schema.ts";
import { examplesOf, typeOf } from "./read.ts";
import { pointer } from "./reference.ts";

interface Use {
  /** JSON Pointer of the media type, parameter or header. */
  readonly where: string;
  readonly schema: Json;
  readonly examples: readonly Json[];
  /** Empty for a parameter or header. */
  readonly type: string;
}

/** Members whose own members have names that mean nothing. */
const MAPS = /^(?:paths|pathItems|parameters|responses|requestBodies|content|headers|encoding)$/;
const SKIPPED = /^(?:schemas?|examples?|callbacks|webhooks|links|x-.*)$/;

/** All media types, parameters and headers that have a schema. */
export function* usesOf({ value: root }: ApiDocument): Generator<Use> {
  const open: { value: Json; where: string; isMap: boolean; type: string }[] = [
    { value: root, where: "", isMap: false, type: "" },
  ];
  const seen = new Set<Json>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, where, isMap, type } = next;
    const { schema } = objectOf(value);
    if (!isMap && schema !== undefined) {
      yield { where, schema, type, examples: examplesOf(root, value) };
    }
    for (const [name, member] of Object.entries(value as object)) {
      if (typeof member !== "object" || member === null || seen.has(member)) continue;
      if (!isMap && SKIPPED.test(name)) continue;
      seen.add(member);
      open.push({
        value: member,
        where: where + pointer(name),
        isMap: !isMap && MAPS.test(name),
        type: isMap && where.endsWith("/content") ? typeOf(name) : "",
      });
    }
  }
}

type Fault = Pick<Finding, "check" | "where" | "message">;

/** The longest time in milliseconds for examples; a document can have millions. */
const LONGEST_MS = 20_000;

/** Judges every example and default of a document. Its schemas are used on the way. */
export function faultyExamples(document: ApiDocument, schemas: Schemas): Fault[] {
  const found: Fault[] = [];
  const end = performance.now() + LONGEST_MS;
  const uses = [
    ...Object.values(document.schemas).map((schema) => ({
      schema,
      where: "",
      examples: [],
      type: "",
    })),
    ...usesOf(document),
  ];
  uses.forEach(({ schema }) => schemas.read(schema));
  // Without a reading, a schema is only compiled.
  const values = uses.flatMap(({ schema, where, examples, type }) =>
    [[], ...examples.map((example) => readings(example, type))]
      .map((readings) => ({ schema, where, what: "an example", readings }))
  );
  for (const schema of schemas.annotated) {
    const { examples, example, default: fallback } = schema;
    const where = schemas.placeOf(schema);
    const all = [example, ...Array.isArray(examples) ? examples : []].map((value) => ({
      what: "an example",
      value,
    }));
    for (const { what, value } of [...all, { what: "the default", value: fallback }]) {
      if (value !== undefined) values.push({ schema, where, what, readings: [value] });
    }
  }
  for (const { schema, where, what, readings } of values) {
    if (performance.now() > end) {
      const message = "judging all examples takes too long; the rest was not judged";
      return [...found, { check: "document_problem", where: "document", message }];
    }
    const faults = readings.map(schemas.of(schema));
    if (faults.length === 0 || faults.some((lines) => lines.length === 0)) continue;
    const check = what === "the default" ? "document_defaults" : "document_examples";
    found.push({ check, where, message: `${what} does not match its schema: ${faults[0]![0]}` });
  }
  return found;
}

/** What an example can mean; nothing if its media type is not described by JSON Schema. */
function readings(example: Json, type: string): readonly Json[] {
  const isText = typeof example === "string";
  if (type !== "" && !isJsonType(type)) {
    return isText || /xml|json-?l|json-seq|ndjson|stream/.test(type) ? [] : [example];
  }
  if (!isText) return type === "" ? [example, String(example)] : [example];
  const parsed = parsedJson(example);
  if (type !== "") return [example, parsed];
  // A parameter or header, possibly as it is written.
  const items = example.split(",");
  return [example, parsed, items, items.map(parsedJson)];
}

function parsedJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
