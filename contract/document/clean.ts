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
import { shown } from "./fault.ts";
import { patternOf } from "./pattern.ts";
import { placesOf } from "./places.ts";
import { pointer } from "./reference.ts";

/** The keywords of assertions, whose values are no schemas, with their own schema. */
const META = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  .getSchema("https://json-schema.org/draft/2020-12/meta/validation")!;
const ASSERTIONS = [...Object.keys(objectOf((META.schema as JsonObject)["properties"])), "format"];
const SINGLE = [
  ...["not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames"],
  ...["unevaluatedItems", "unevaluatedProperties"],
];
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const MAPS = ["properties", "patternProperties", "dependentSchemas"];
const EXAMPLES = ["default", "example", "examples"];

/** Schemas within so many others are not read: compilers are recursive. */
const DEEPEST = 100;

/** Dialects of OpenAPI 3.1 (§4.8.24). In others, other values of keywords are right. */
const DIALECT =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/|spec\.openapis\.org\/oas\/3\.1\/)/;

/** The keyword of a reference that the validator does not follow itself. */
export const TARGET = "x-target";

interface Cleaned {
  readonly schema: Json;
  /** False if it accepts more than the original. */
  readonly exact: boolean;
}

export interface Cleaner {
  /** The usable form of a schema; its references are numbers of `targets`. */
  of(schema: Json): Json;
  readonly targets: readonly JsonObject[];
  /** Whether `$ref` must be the validator's own: `unevaluated…` look through references. */
  readonly native: boolean;
  /** Schemas with examples or a default. */
  readonly annotated: ReadonlySet<JsonObject>;
  /** The JSON Pointer of a schema. */
  placeOf(schema: object): string;
}

export function createCleaner(
  document: Pick<ApiDocument, "value">,
  report: (problem: Problem) => void,
): Cleaner {
  const places = placesOf(document);
  const finished = new Map<object, Cleaned>();
  const targets: JsonObject[] = [];
  const numbers = new Map<object, number>();
  const annotated = new Set<JsonObject>();
  /** Targets that accept more than their originals. */
  const lossy = new Set<object>();
  const said = new Set<string>();
  const dialect = document.value["jsonSchemaDialect"];

  function of(schema: Json): Json {
    if (!isObject(schema)) return typeof schema === "boolean" ? schema : true;
    const known = finished.get(schema);
    if (known !== undefined) return known.schema;
    // What a target loses can matter to a schema that was read before it: read all again.
    let order: JsonObject[] = [schema];
    for (;;) {
      const before = lossy.size;
      const pass = { forms: new Map<object, Cleaned>(), queue: new Set(order) };
      for (const node of pass.queue) {
        const isOld = typeof dialect === "string" && !DIALECT.test(dialect);
        if (!clean(node, { ...pass, depth: 0, isOld }).exact) lossy.add(node);
      }
      if (lossy.size === before) {
        pass.forms.forEach((form, node) => finished.set(node, form));
        return finished.get(schema)!.schema;
      }
      order = [...pass.queue].reverse();
    }
  }

  interface Pass {
    readonly forms: Map<object, Cleaned>;
    readonly queue: Set<JsonObject>;
    readonly depth: number;
    readonly isOld: boolean;
  }

  function clean(node: JsonObject, pass: Pass): Cleaned {
    const known = finished.get(node) ?? pass.forms.get(node);
    if (known !== undefined) return known;
    let exact = true;
    const members = new Map<string, Json>();
    const { $ref, $schema, $dynamicRef, $recursiveRef } = node;
    const isOld = typeof $schema === "string" ? !DIALECT.test($schema) : pass.isOld;

    function drop(keyword: string, why: string, check: Problem["check"] = "document_valid"): void {
      exact = false;
      const where = places.of(node) + pointer(keyword);
      const message = `this schema cannot be used, because ${why}`;
      if (said.has(where)) return;
      said.add(where);
      report({ check: isOld ? "schema_unusable" : check, where, message });
    }
    function within(keyword: string, value: Json | undefined): Cleaned {
      if (typeof value === "boolean") return { schema: value, exact: true };
      if (!isObject(value)) {
        drop(keyword, `${keyword} has ${shown(value)} instead of a schema`);
      } else if (pass.depth >= DEEPEST) {
        drop(keyword, `it is nested more than ${DEEPEST} levels deep`, "schema_unusable");
      } else {
        const form = clean(value, { ...pass, isOld, depth: pass.depth + 1 });
        exact &&= form.exact;
        return form;
      }
      return { schema: true, exact: false };
    }
    /** Cleans the members of an object or array; true if all are exact. */
    function withinAll(keyword: string, value: object): boolean {
      const forms = Object.entries(value).map(([name, one]) =>
        [name, within(keyword, one)] as const
      );
      members.set(
        keyword,
        Array.isArray(value)
          ? forms.map(([, { schema }]) => schema)
          : Object.fromEntries(forms.map(([name, { schema }]) => [name, schema])),
      );
      return forms.every(([, form]) => form.exact);
    }

    if (EXAMPLES.some((name) => Object.hasOwn(node, name))) annotated.add(node);
    const assertions = Object.fromEntries(
      ASSERTIONS.filter((name) => Object.hasOwn(node, name)).map((name) => [name, node[name]!]),
    );
    if (!META(assertions)) {
      for (const { instancePath, message } of META.errors ?? []) {
        const name = instancePath.split("/")[1]!;
        drop(name, `${name} is ${shown(assertions[name])}: it ${message}`);
        delete assertions[name];
      }
    }
    const { pattern, format } = assertions;
    if (typeof pattern === "string" && patternOf(pattern) === undefined) {
      drop("pattern", `${shown(pattern)} is no regular expression here`, "schema_unusable");
      delete assertions["pattern"];
    }
    if (typeof format !== "string") delete assertions["format"];
    Object.entries(assertions).forEach(([name, value]) => members.set(name, value));
    for (const name of SINGLE) {
      if (!Object.hasOwn(node, name)) continue;
      const form = within(name, node[name]);
      // The schema refuses more if this one accepts more.
      if (!form.exact && (name === "not" || name === "if")) continue;
      if (!form.exact && name === "contains") delete assertions["maxContains"];
      members.set(name, form.schema);
    }
    for (const name of LISTS) {
      const value = node[name];
      if (value === undefined) continue;
      if (!Array.isArray(value) || value.length === 0) drop(name, `${name} is no list of schemas`);
      else if (!withinAll(name, value) && name === "oneOf") {
        if (!members.has("anyOf")) members.set("anyOf", members.get("oneOf")!);
        members.delete("oneOf");
      }
    }
    for (const name of MAPS) {
      const value = node[name];
      if (value === undefined) continue;
      if (isObject(value)) withinAll(name, value);
      else drop(name, `${name} is no object of schemas`);
    }
    const patterns = members.get("patternProperties");
    for (const name of Object.keys(isObject(patterns) ? patterns : {})) {
      if (patternOf(name) !== undefined) continue;
      delete (patterns as JsonObject)[name];
      members.delete("additionalProperties");
      drop("patternProperties", `${shown(name)} is no regular expression here`, "schema_unusable");
    }
    // Ajv does not see a property of this name.
    const properties = members.get("properties");
    if (isObject(properties) && Object.hasOwn(properties, "__proto__")) {
      members.delete("additionalProperties");
    }
    if ($dynamicRef !== undefined || $recursiveRef !== undefined) {
      const name = $dynamicRef === undefined ? "$recursiveRef" : "$dynamicRef";
      drop(name, `the harness does not follow ${name}`, "schema_unusable");
    }
    if (typeof $ref === "string") {
      const target = places.target(node, $ref);
      if (typeof target === "string") {
        drop("$ref", target, / outside /.test(target) ? "schema_unusable" : "document_valid");
      } else if (isObject(target)) {
        pass.queue.add(target);
        exact &&= !lossy.has(target);
        const number = numbers.get(target) ?? targets.push(target) - 1;
        numbers.set(target, number);
        members.set(places.unevaluated ? "$ref" : TARGET, String(number));
      } else if (target === false) members.set("enum", []);
    } else if ($ref !== undefined) drop("$ref", "$ref is not text");
    if (!exact) ["unevaluatedItems", "unevaluatedProperties"].forEach((one) => members.delete(one));
    if (!members.has("if")) ["then", "else"].forEach((one) => members.delete(one));
    const form = { schema: Object.fromEntries(members), exact };
    pass.forms.set(node, form);
    return form;
  }
  return { of, targets, native: places.unevaluated, annotated, placeOf: places.of };
}
