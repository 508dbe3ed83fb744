/** @module Schemas without what the validator cannot use: they accept more, never less. */

import { Ajv2020 } from "ajv/dist/2020.js";
import { type ApiDocument, DOCUMENT_RULES, type Problem } from "./document.ts";
import { follow, isObject, type Json, type JsonObject, objectOf, pointer } from "../lib/json.ts";
import { shown } from "./error_lines.ts";

const MAPS = ["properties", "patternProperties", "dependentSchemas"];
const UNEVALUATED = ["unevaluatedItems", "unevaluatedProperties"];
const META = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, verbose: true });

const VOCABULARIES = ["validation", "applicator", "unevaluated"].map((name): JsonObject => {
  const { schema } = META.getSchema(`https://json-schema.org/draft/2020-12/meta/${name}`)!;
  const SCHEMA = '{"type":["object","boolean"]}';
  return JSON.parse(JSON.stringify(schema).replaceAll('{"$dynamicRef":"#meta"}', SCHEMA));
});
const [assertions, ...others] = VOCABULARIES.map(({ properties }) => objectOf(properties));
const SUBSCHEMAS: JsonObject = Object.assign({}, ...others);
const TEXTS = { $ref: { type: "string" }, format: { type: "string" } };
const KEYWORDS = { ...assertions, ...SUBSCHEMAS, ...TEXTS };
const $defs = Object.assign({}, ...VOCABULARIES.map((one) => one["$defs"]));
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
  readonly annotated: ReadonlySet<JsonObject>;
  readonly places: Places;
  /** What cannot be used; the validator adds its own. */
  readonly problems: Problem[];
}

type User = readonly [user: object, keyword: string];

export function createCleaner(
  document: Pick<ApiDocument, "value" | "resolve">,
  isRequest: boolean,
): Cleaner {
  const problems: Problem[] = [];
  const said = new Set<string>();
  const places = placesOf(document.value);
  const forms = new Map<object, JsonObject>();
  const targets: JsonObject[] = [];
  const numbers = new Map<JsonObject, number>();
  let cleanTargets = 0;
  const annotated = new Set<JsonObject>();
  /** What a schema is a part of, and in which keyword. */
  const users = new Map<object, User[]>();
  /** Schemas that accept more than their originals. */
  const lossy = new Set<object>();

  function of(schema: Json): Json {
    if (!isObject(schema)) return typeof schema === "boolean" ? schema : true;
    const form = clean(schema);
    // What a target loses can matter to the schemas that refer to it.
    while (cleanTargets < targets.length) clean(targets[cleanTargets++]!);
    return form;
  }

  /** A keyword of a schema is gone, or accepts more: leaves out what would refuse more therefore. */
  function lose(node: object, keyword: string): void {
    const form = forms.get(node)!;
    if (keyword === "oneOf") form["anyOf"] ??= form["oneOf"] ?? [true];
    if (["not", "if", "oneOf"].includes(keyword)) delete form[keyword];
    if (keyword === "contains") delete form["maxContains"];
    UNEVALUATED.forEach((name) => delete form[name]);
    if (lossy.has(node)) return;
    lossy.add(node);
    for (const user of users.get(node) ?? []) lose(...user);
  }
  function use(part: JsonObject, ...user: User): void {
    users.getOrInsert(part, []).push(user);
    if (lossy.has(part)) lose(...user);
  }

  function clean(original: JsonObject): JsonObject {
    const known = forms.get(original);
    if (known !== undefined) return known;
    const node = isRequest ? writable(original, document) : original;
    const form = Object.fromEntries(
      Object.entries(node).filter(([name]) => Object.hasOwn(KEYWORDS, name)),
    );
    forms.set(original, form);

    function drop(at: string, why: string, check = DOCUMENT_RULES.schema_unusable): void {
      const name = at.split("/")[1]!;
      delete form[name];
      if (name === "prefixItems") delete form["items"];
      if (MAPS.includes(name)) delete form["additionalProperties"];
      lose(original, name);
      const where = places.of(original) + at;
      if (said.has(where)) return;
      said.add(where);
      const rule = places.isForeign ? DOCUMENT_RULES.schema_unusable : check;
      problems.push({ check: rule, where, message: `this schema cannot be used, because ${why}` });
    }
    if (EXAMPLES.some((name) => Object.hasOwn(node, name))) annotated.add(original);
    isRight(form);
    for (const { instancePath, data, message } of isRight.errors ?? []) {
      // One is enough for each keyword.
      if (!Object.hasOwn(form, instancePath.split("/")[1]!)) continue;
      const wanted = message!.replace("object,boolean", "a schema");
      const why = `${instancePath.slice(1)} is ${shown(data)}: it ${wanted}`;
      drop(instancePath, why, DOCUMENT_RULES.document_valid);
    }
    const { pattern = "", patternProperties } = form;
    const patterns = {
      pattern: [pattern],
      patternProperties: Object.keys(objectOf(patternProperties)),
    };
    for (const [name, texts] of Object.entries(patterns)) {
      const bad = texts.find((text) => patternOf(String(text)) === undefined);
      if (bad !== undefined) drop(`/${name}`, `${shown(bad)} is no regular expression here`);
    }
    for (const name of ["$dynamicRef", "$recursiveRef"].filter((one) => Object.hasOwn(node, one))) {
      drop(`/${name}`, `the harness does not follow ${name}`);
    }
    const parts: [JsonObject, keyword: string][] = [];
    for (const [name, value] of Object.entries(form)) {
      if (!Object.hasOwn(SUBSCHEMAS, name)) continue;
      const change = (one: Json): Json => {
        if (!isObject(one)) return one;
        parts.push([one, name]);
        return clean(one);
      };
      if (MAPS.includes(name)) {
        const members = Object.entries(objectOf(value)).map(([key, one]) => [key, change(one)]);
        form[name] = Object.fromEntries(members);
      } else form[name] = Array.isArray(value) ? value.map(change) : change(value);
    }
    // Ajv does not see a property of this name.
    if (Object.hasOwn(objectOf(form["properties"]), "__proto__")) {
      delete form["additionalProperties"];
    }
    const { $ref } = form;
    delete form["$ref"];
    if (typeof $ref === "string") {
      const target = follow(document.value, $ref.slice(1)) as Json | undefined;
      if (!/^#(?:\/|$)/.test($ref)) {
        drop("/$ref", `${$ref} is outside the document, or no JSON Pointer`);
      } else if (!isObject(target) && typeof target !== "boolean") {
        const what = target === undefined ? "does not exist" : "is not a schema";
        drop("/$ref", `${$ref} ${what}`, DOCUMENT_RULES.document_valid);
      } else if (isObject(target)) {
        const number = numbers.getOrInsertComputed(target, () => targets.push(target) - 1);
        form[places.unevaluated ? "$ref" : TARGET] = String(number);
        parts.push([target, "$ref"]);
      } else if (!target) form["not"] = true;
    }
    for (const [part, name] of parts) use(part, original, name);
    return form;
  }
  return { of, targets, annotated, places, problems };
}

type Places = ReturnType<typeof placesOf>;

function placesOf(root: JsonObject) {
  const parents = new Map<object, readonly [parent: object, name: string]>();
  const seen = new Set<object>([root]); // YAML aliases: one object in several places
  let unevaluated = false;
  /** Schemas have another dialect or `$id`, so that what looks wrong may be right. */
  let isForeign = false;
  for (const node of seen) {
    for (const [name, child] of Object.entries(node)) {
      unevaluated ||= name.startsWith("unevaluated");
      const isDialect = name === "$schema" || name === "jsonSchemaDialect";
      isForeign ||= name === "$id" || isDialect && !DIALECT.test(child);
      if (typeof child !== "object" || child === null || seen.has(child)) continue;
      parents.set(child, [node, name]);
      seen.add(child);
    }
  }
  /** The JSON Pointer of an object of the document; empty for any other. */
  function of(node: object): string {
    const names: string[] = [];
    for (let at = parents.get(node); at !== undefined; at = parents.get(at[0])) names.push(at[1]);
    return pointer(...names.reverse());
  }
  return { of, nodes: seen, unevaluated, isForeign };
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
  try {
    return [schema, document.resolve(schema)].some((one) => objectOf(one)["readOnly"] === true);
  } catch {
    return false; // A reference that cannot be followed is reported where it is used.
  }
}

/** Notations of other dialects that have an exact equivalent. */
const TRANSLATIONS: readonly (readonly [from: RegExp, to: string])[] = [
  [/(?<!\\)((?:\\\\)*)\\A/g, "$1^"], // Python, Ruby, PCRE
  [/(?<!\\)((?:\\\\)*)\\[Zz]/g, "$1$$"],
  [/\(\?P(?=<\w)/g, "(?"], // Python, Go
  [/\(\?P=(\w+)\)/g, "\\k<$1>"],
];

/** A pattern by ECMA-262 (JSON Schema Core §6.4), or translated from another dialect. */
export function patternOf(text: string): RegExp | undefined {
  const [, flags = "", body = text] = /^\(\?([ims]+)\)([^]*)$/.exec(text) ?? [];
  const translated = TRANSLATIONS.reduce((source, [from, to]) => source.replace(from, to), body);
  const tries = flags === "" ? [[text, "u"]] : [];
  for (const [source, flag] of [...tries, [translated, `u${flags}`], [translated, flags]]) {
    try {
      return new RegExp(source!, flag);
    } catch {
      // The next reading may be valid.
    }
  }
  return undefined;
}
