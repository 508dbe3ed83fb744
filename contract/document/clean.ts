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
import { shown } from "./fault.ts";

const SCHEMA = { type: ["object", "boolean"] };
const MAPS = ["properties", "patternProperties", "dependentSchemas"];
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const UNEVALUATED = ["unevaluatedItems", "unevaluatedProperties"];
const SINGLE = [
  ...["not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames"],
  ...UNEVALUATED,
];
const SUBSCHEMAS: JsonObject = Object.fromEntries([
  ...MAPS.map((name) => [name, { type: "object", additionalProperties: SCHEMA }]),
  ...LISTS.map((name) => [name, { type: "array", minItems: 1, items: SCHEMA }]),
  ...SINGLE.map((name) => [name, SCHEMA]),
]);
const META = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, verbose: true });
const { properties: assertions, $defs } = META
  .getSchema("https://json-schema.org/draft/2020-12/meta/validation")!.schema as JsonObject;
const TEXTS = { $ref: { type: "string" }, format: { type: "string" } };
const KEYWORDS: JsonObject = { ...objectOf(assertions), ...SUBSCHEMAS, ...TEXTS };
/** Judges the keywords of a schema, but not the schemas within. */
const isRight = META.compile({ properties: KEYWORDS, $defs });
const EXAMPLES = ["default", "example", "examples"];

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
  /** What cannot be used; the validator adds its own. */
  readonly problems: Problem[];
}

/** A cleaner of the schemas of messages; those of requests have no `readOnly` members. */
export function createCleaner(
  document: Pick<ApiDocument, "value" | "resolve">,
  isRequest: boolean,
): Cleaner {
  const problems: Problem[] = [];
  const places = placesOf(document);
  const finished = new Map<object, Json>();
  let forms = new Map<object, Json>();
  let queue = new Set<JsonObject>();
  const targets: JsonObject[] = [];
  const numbers = new Map<object, number>();
  const annotated = new Set<JsonObject>();
  /** Schemas that accept more than their originals. */
  const lossy = new Set<object>();
  const said = new Set<string>();
  const dialect = document.value["jsonSchemaDialect"] ?? "";

  function of(schema: Json): Json {
    if (!isObject(schema)) return typeof schema === "boolean" ? schema : true;
    queue = new Set([schema]);
    while (!finished.has(schema)) {
      const before = lossy.size;
      forms = new Map();
      for (const node of queue) clean(node, isOther(dialect));
      if (lossy.size === before) forms.forEach((form, node) => finished.set(node, form));
      // What a target loses can matter to a schema that was read before it: read all again.
      queue = new Set([...queue].reverse());
    }
    return finished.get(schema)!;
  }

  function clean(original: JsonObject, isWithinOther: boolean): Json {
    const known = finished.get(original) ?? forms.get(original);
    if (known !== undefined) return known;
    const node = isRequest ? writable(original, document) : original;
    const { $schema = "", $ref } = node;
    const isForeign = $schema === "" ? isWithinOther : isOther($schema);
    const form = Object.fromEntries(
      Object.entries(node).filter(([name]) => Object.hasOwn(KEYWORDS, name)),
    );
    forms.set(original, form);
    /** Keywords that are left out, or accept more. */
    const lost = new Set<string>();

    function drop(at: string, why: string, check: Problem["check"] = "schema_unusable"): void {
      const name = at.split("/")[1]!;
      delete form[name];
      lost.add(name);
      const where = places.of(original) + at;
      if (said.has(where)) return;
      said.add(where);
      const message = `this schema cannot be used, because ${why}`;
      problems.push({ check: isForeign ? "schema_unusable" : check, where, message });
    }
    function cleanWithin(name: string, value: Json): Json {
      if (!isObject(value)) return value;
      const inner = clean(value, isForeign);
      if (lossy.has(value)) lost.add(name);
      return inner;
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
      drop(`/${name}`, `the harness does not follow ${name}`);
    }
    for (const [name, value] of Object.entries(form)) {
      if (!Object.hasOwn(SUBSCHEMAS, name)) continue;
      const change = (one: Json) => cleanWithin(name, one);
      if (MAPS.includes(name)) form[name] = mapped(value, change);
      else form[name] = Array.isArray(value) ? value.map(change) : change(value);
    }
    delete form["$ref"];
    if (typeof $ref === "string") {
      const target = places.target(original, $ref);
      if (typeof target === "string") {
        drop("/$ref", target, / outside /.test(target) ? "schema_unusable" : "document_valid");
      } else if (isObject(target)) {
        queue.add(target);
        if (lossy.has(target)) lost.add("$ref");
        const number = numbers.get(target) ?? targets.push(target) - 1;
        numbers.set(target, number);
        form[places.unevaluated ? "$ref" : TARGET] = String(number);
      } else if (!target) form["not"] = true;
    }
    // What refuses more if what it depends on accepts more.
    const isGone = (name: string) => Object.hasOwn(node, name) && !Object.hasOwn(form, name);
    if (lost.has("oneOf")) form["anyOf"] ??= form["oneOf"] ?? [true];
    for (const name of ["not", "if", "oneOf"]) if (lost.has(name)) delete form[name];
    if (lost.has("contains")) delete form["maxContains"];
    if (isGone("prefixItems")) delete form["items"];
    // Ajv does not see a property of this name.
    const isHidden = Object.hasOwn(objectOf(form["properties"]), "__proto__");
    if (MAPS.some(isGone) || isHidden) delete form["additionalProperties"];
    if (lost.size > 0) {
      lossy.add(original);
      Object.keys(UNEVALUATED).forEach((name) => delete form[name]);
    }
    return form;
  }
  return { of, targets, annotated, places, problems };
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
  const { $ref, readOnly } = objectOf(schema);
  if (readOnly === true || $ref === undefined) return readOnly === true;
  try {
    return isReadOnly(document.resolve(schema), document);
  } catch {
    return false; // A reference that cannot be followed is reported where it is used.
  }
}
