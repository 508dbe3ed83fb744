/** @module The examples and defaults of a document that do not match their schemas. */

import {
  type ApiDocument,
  arrayOf,
  isJsonType,
  isObject,
  type Json,
  objectOf,
  type Problem,
} from "../document.ts";
import type { Schemas } from "../schema.ts";
import { examplesOf, typeOf } from "./read.ts";

interface Use {
  /** JSON Pointer. */
  readonly where: string;
  readonly schema: Json;
  readonly check: "document_examples" | "document_defaults";
  readonly values: readonly (Json | undefined)[];
  /** The media type; empty for a parameter or header, undefined for a schema. */
  readonly type: string | undefined;
}

/** The longest time in milliseconds for examples; a document can have millions. */
const LONGEST_MS = 20_000;

/** Judges every example and default of a document. Its schemas are compiled on the way. */
export function faultyExamples(document: ApiDocument, schemas: Schemas): Problem[] {
  const found: Problem[] = [];
  const end = performance.now() + LONGEST_MS;
  Object.values(document.schemas).forEach(schemas.of);
  for (const { where, schema, check, values, type } of usesOf(document, schemas)) {
    const validate = schemas.of(schema);
    for (const value of values.filter((one) => one !== undefined)) {
      if (performance.now() > end) {
        const message = "judging all examples takes too long; the rest was not judged";
        return [...found, { check: "document_problem", where: "document", message }];
      }
      const faults = readings(value, type).map(validate);
      if (faults.length === 0 || faults.some((lines) => lines.length === 0)) continue;
      const what = check === "document_defaults" ? "the default" : "an example";
      found.push({ check, where, message: `${what} does not match its schema: ${faults[0]![0]}` });
    }
  }
  return found;
}

/** All media types, parameters and headers that have a schema, then all schemas with values. */
function* usesOf({ value: root }: ApiDocument, { places, annotated }: Schemas): Generator<Use> {
  for (const node of places.nodes) {
    if (!isObject(node) || node["schema"] === undefined) continue;
    const where = places.of(node);
    const [, map, name = ""] = /\/(parameters|headers|content)\/([^/]+)$/.exec(where) ?? [];
    if (map === undefined || OTHER.test(where)) continue;
    const { schema } = node;
    const type = map === "content" ? typeOf(name.replaceAll("~1", "/")) : "";
    yield { where, schema, check: "document_examples", values: examplesOf(root, node), type };
  }
  for (const schema of annotated) {
    const { example, examples, default: fallback } = schema;
    const own = { where: places.of(schema), schema, type: undefined };
    yield { ...own, check: "document_examples", values: [example, ...arrayOf(examples)] };
    yield { ...own, check: "document_defaults", values: [fallback] };
  }
}

/** Places within schemas, examples and what is not tested. */
const OTHER = /\/(?:schemas?|examples?|callbacks|webhooks|links|x-[^/]*)\//;

/** What an example can mean; nothing if its media type is not described by JSON Schema. */
function readings(example: Json, type: string | undefined): readonly Json[] {
  const isText = typeof example === "string";
  if (type === undefined) return [example];
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
