/** @module Every schema of a document's messages, with its examples, and those that do not match. */

import { type ApiDocument, isJsonType, type Json, objectOf } from "../document.ts";
import type { Finding } from "../finding.ts";
import type { Schemas } from "../schema.ts";
import { examplesOf } from "./read.ts";
import { pointer } from "./reference.ts";

interface Use {
  /** JSON Pointer of the media type, parameter or header. */
  readonly where: string;
  readonly schema: Json;
  readonly examples: readonly Json[];
  /** Empty for a parameter or header. */
  readonly type: string;
}

/** Which members of an object of OpenAPI have schemas below them; `*` for a map or an array. */
const BELOW: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  document: { paths: "item*", components: "components" },
  components: {
    ...{ parameters: "use*", headers: "use*", responses: "message*", requestBodies: "message*" },
    pathItems: "item*",
  },
  item: {
    ...{ parameters: "use*", get: "operation", put: "operation", post: "operation" },
    ...{ delete: "operation", options: "operation", head: "operation", patch: "operation" },
    trace: "operation",
  },
  operation: { parameters: "use*", requestBody: "message", responses: "message*" },
  message: { content: "media*", headers: "use*" },
  use: { content: "media*" },
  media: { encoding: "encoding*" },
  encoding: { headers: "use*" },
};

/** All media types, parameters and headers that have a schema. */
export function* usesOf({ value: root }: ApiDocument): Generator<Use> {
  const open: [kind: string, value: Json, where: string][] = [["document", root, ""]];
  const seen = new Set<Json>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [kind, value, where] = next;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (kind.endsWith("*")) {
      for (const [name, one] of Object.entries(value)) {
        open.push([kind.slice(0, -1), one, where + pointer(name)]);
      }
      continue;
    }
    for (const [name, below] of Object.entries(BELOW[kind]!)) {
      open.push([below, objectOf(value as Json)[name] ?? null, where + pointer(name)]);
    }
    const { schema } = objectOf(value as Json);
    if ((kind !== "use" && kind !== "media") || schema === undefined) continue;
    const type = kind === "media" ? where.split("/").at(-1)!.replaceAll("~1", "/") : "";
    yield { where, schema, type, examples: examplesOf(root, value as Json) };
  }
}

type Fault = Pick<Finding, "check" | "where" | "message">;

/** Compiles every schema of the document, and judges every example and default. */
export function faultyExamples(document: ApiDocument, schemas: Schemas): Fault[] {
  const found: Fault[] = [];
  function judge(
    schema: Json,
    use: { what: string; where: string; values: readonly Json[] },
  ): void {
    for (const value of use.values) {
      const [fault] = schemas.of(schema)(value);
      if (fault === undefined) return;
      if (value !== use.values.at(-1)) continue;
      const check = use.what === "default" ? "document_defaults" : "document_examples";
      const message = `${use.what} does not match its schema: ${
        schemas.of(schema)(use.values[0])[0]
      }`;
      found.push({ check, where: use.where, message });
    }
  }
  Object.values(document.schemas).forEach(schemas.of);
  for (const { where, schema, type, examples } of usesOf(document)) {
    schemas.of(schema);
    for (const example of examples) {
      judge(schema, { what: "an example", where, values: readings(example, type) });
    }
  }
  for (const node of schemas.annotated) {
    const where = schemas.placeOf(node);
    const { examples, example, default: fallback } = node;
    const values = Array.isArray(examples) ? examples : [];
    for (const value of example === undefined ? values : [example, ...values]) {
      judge(node, { what: "an example", where, values: [value] });
    }
    if (fallback !== undefined) judge(node, { what: "default", where, values: [fallback] });
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
