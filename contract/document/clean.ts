/**
 * @module Reduces the schemas of a document to what a validator understands. A keyword that cannot be used
 * is left out, so that the schema accepts more, never less, and is a problem.
 */

import { Ajv2020 } from "ajv/dist/2020.js";
import {
  type ApiDocument,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  type Problem,
} from "../document.ts";
import { patternOf } from "./pattern.ts";
import { type Places, placesOf } from "./places.ts";
import { pointer } from "./reference.ts";
import { shown } from "./words.ts";

const META = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, verbose: true });
const [APPLICATOR, UNEVALUATED, VALIDATION, FORMAT] = [
  "applicator",
  "unevaluated",
  "validation",
  "format-annotation",
].map((name) =>
  META.getSchema(`https://json-schema.org/draft/2020-12/meta/${name}`)!.schema as JsonObject
) as [JsonObject, JsonObject, JsonObject, JsonObject];
const SUBSCHEMAS = {
  ...objectOf(APPLICATOR["properties"]),
  ...objectOf(UNEVALUATED["properties"]),
};
const KEYWORDS = {
  ...SUBSCHEMAS,
  ...objectOf(VALIDATION["properties"]),
  ...objectOf(FORMAT["properties"]),
  $ref: { type: "string" },
};
/** Judges the keywords of a schema, but not the schemas within. */
const isRight = META.compile(JSON.parse(
  JSON.stringify({
    properties: KEYWORDS,
    $defs: { ...objectOf(APPLICATOR["$defs"]), ...objectOf(VALIDATION["$defs"]) },
  }).replaceAll('{"$dynamicRef":"#meta"}', '{"type":["object","boolean"]}'),
));
const MAPS = ["properties", "patternProperties", "dependentSchemas"];
const EXAMPLES = ["default", "example", "examples"];

/** Schemas within so many others are not read: compilers are recursive. */
const DEEPEST = 100;

/** Dialects of OpenAPI 3.1 (§4.8.24). In others, other values of keywords are right. */
const DIALECT =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/|spec\.openapis\.org\/oas\/3\.1\/)/;

/** The keyword of a reference that the validator does not follow itself. */
export const TARGET = "x-target";

export interface Cleaner {
  /** The usable form of a schema; its references are numbers of `targets`. */
  of(schema: Json): Json;
  readonly targets: readonly JsonObject[];
  /** Schemas with examples or a default. */
  readonly annotated: ReadonlySet<JsonObject>;
  readonly places: Places;
}

export interface CleanerOptions {
  /** Without the `readOnly` members of schemas. */
  readonly isRequest: boolean;
  report(problem: Problem): void;
}

interface Cleaned {
  readonly schema: Json;
  /** False if it accepts more than the original. */
  readonly exact: boolean;
}

/** One reading of a schema and of all that it refers to. */
interface Pass {
  readonly forms: Map<object, Cleaned>;
  readonly queue: Set<JsonObject>;
  readonly depth: number;
  /** Whether the schema has another dialect. */
  readonly isOther: boolean;
}

export function createCleaner(
  document: Pick<ApiDocument, "value" | "resolve">,
  { isRequest, report }: CleanerOptions,
): Cleaner {
  const places = placesOf(document);
  const finished = new Map<object, Cleaned>();
  const targets: JsonObject[] = [];
  const numbers = new Map<object, number>();
  const annotated = new Set<JsonObject>();
  /** Targets that accept more than their originals. */
  const lossy = new Set<object>();
  const said = new Set<string>();
  const dialect = document.value["jsonSchemaDialect"] ?? "";

  function of(schema: Json): Json {
    if (!isObject(schema)) return typeof schema === "boolean" ? schema : true;
    const known = finished.get(schema);
    if (known !== undefined) return known.schema;
    // What a target loses can matter to a schema that was read before it: read all again.
    let order: JsonObject[] = [schema];
    for (;;) {
      const before = lossy.size;
      const pass = { forms: new Map<object, Cleaned>(), queue: new Set(order), depth: 0 };
      for (const node of pass.queue) {
        if (!clean(node, { ...pass, isOther: isOther(dialect) }).exact) lossy.add(node);
      }
      if (lossy.size === before) {
        pass.forms.forEach((form, node) => finished.set(node, form));
        return finished.get(schema)!.schema;
      }
      order = [...pass.queue].reverse();
    }
  }

  function clean(original: JsonObject, pass: Pass): Cleaned {
    const known = finished.get(original) ?? pass.forms.get(original);
    if (known !== undefined) return known;
    const node = isRequest ? writable(original, document) : original;
    const { $schema = "", $ref } = node;
    const within = {
      ...pass,
      depth: pass.depth + 1,
      isOther: $schema === "" ? pass.isOther : isOther($schema),
    };
    const form = Object.fromEntries(
      Object.entries(node).filter(([name]) => Object.hasOwn(KEYWORDS, name)),
    );
    let exact = true;

    function drop(at: string, why: string, check: Problem["check"] = "schema_unusable"): void {
      delete form[at.split("/")[1]!];
      exact = false;
      const where = places.of(original) + at;
      if (said.has(where)) return;
      said.add(where);
      const message = `this schema cannot be used, because ${why}`;
      report({ check: within.isOther ? "schema_unusable" : check, where, message });
    }
    function cleanWithin(name: string, value: Json): Json {
      if (!isObject(value)) return value;
      if (pass.depth >= DEEPEST) {
        drop(pointer(name), `it is nested more than ${DEEPEST} levels deep`);
        return true;
      }
      const inner = clean(value, within);
      exact &&= inner.exact;
      return inner.schema;
    }

    if (EXAMPLES.some((name) => Object.hasOwn(node, name))) annotated.add(original);
    if (!isRight(form)) {
      for (const { instancePath, data, message } of isRight.errors ?? []) {
        const wanted = message!.replace("object,boolean", "a schema");
        const why = `${instancePath.slice(1)} is ${shown(data)}: it ${wanted}`;
        drop(instancePath, why, "document_valid");
      }
    }
    const patterns: readonly (readonly [keyword: string, texts: readonly string[]])[] = [
      ["pattern", [String(form["pattern"] ?? "")]],
      ["patternProperties", Object.keys(objectOf(form["patternProperties"]))],
    ];
    for (const [name, texts] of patterns) {
      const bad = texts.find((text) => patternOf(text) === undefined);
      if (bad !== undefined) drop(`/${name}`, `${shown(bad)} is no regular expression here`);
    }
    for (const name of ["$dynamicRef", "$recursiveRef"].filter((one) => Object.hasOwn(node, one))) {
      drop(pointer(name), `the harness does not follow ${name}`);
    }
    let isExact = exact;
    for (const [name, value] of Object.entries(form)) {
      if (!Object.hasOwn(SUBSCHEMAS, name)) continue;
      exact = true;
      form[name] = Array.isArray(value)
        ? value.map((one) => cleanWithin(name, one))
        : MAPS.includes(name)
        ? mapped(value, (one) => cleanWithin(name, one))
        : cleanWithin(name, value);
      if (exact) continue;
      isExact = false;
      // These refuse more if a schema within accepts more.
      if (name === "not" || name === "if") delete form[name];
      if (name === "contains") delete form["maxContains"];
      if (name !== "oneOf") continue;
      form["anyOf"] ??= form[name];
      delete form[name];
    }
    exact = isExact;
    delete form["$ref"];
    if (typeof $ref === "string") {
      const target = places.target(original, $ref);
      if (typeof target === "string") {
        drop("/$ref", target, / outside /.test(target) ? "schema_unusable" : "document_valid");
      } else if (isObject(target)) {
        pass.queue.add(target);
        exact &&= !lossy.has(target);
        const number = numbers.get(target) ?? targets.push(target) - 1;
        numbers.set(target, number);
        form[places.unevaluated ? "$ref" : TARGET] = String(number);
      } else if (!target) form["not"] = true;
    }
    const isLost = (name: string) => Object.hasOwn(node, name) && !Object.hasOwn(form, name);
    // Ajv does not see a property of this name.
    const isHidden = Object.hasOwn(objectOf(form["properties"]), "__proto__");
    if (MAPS.some(isLost) || isHidden) delete form["additionalProperties"];
    if (isLost("prefixItems")) delete form["items"];
    if (!exact) Object.keys(UNEVALUATED["properties"]!).forEach((name) => delete form[name]);
    const cleaned = { schema: form, exact };
    pass.forms.set(original, cleaned);
    return cleaned;
  }
  return { of, targets, annotated, places };
}

function isOther(dialect: Json): boolean {
  return dialect !== "" && !DIALECT.test(String(dialect));
}

function mapped(value: Json, change: (member: Json) => Json): JsonObject {
  const members = Object.entries(objectOf(value)).map(([name, one]) => [name, change(one)]);
  return Object.fromEntries(members);
}

/** A schema without its `readOnly` members, which requests leave out (JSON Schema Validation §9.4). */
export function writable(schema: JsonObject, document: Pick<ApiDocument, "resolve">): JsonObject {
  const { properties, required } = schema;
  const left = Object.entries(objectOf(properties))
    .filter(([, member]) => isReadOnly(member, document)).map(([name]) => name);
  if (left.length === 0) return schema;
  const none = Object.fromEntries(left.map((name) => [name, false]));
  const rest = Array.isArray(required) ? required.filter((name) => !left.includes(`${name}`)) : [];
  return { ...schema, properties: { ...objectOf(properties), ...none }, required: rest };
}

function isReadOnly(schema: Json, document: Pick<ApiDocument, "resolve">): boolean {
  if (objectOf(schema)["readOnly"] === true || objectOf(schema)["$ref"] === undefined) {
    return objectOf(schema)["readOnly"] === true;
  }
  try {
    return isReadOnly(document.resolve(schema), document);
  } catch {
    return false; // A reference that cannot be followed is reported where it is used.
  }
}
