/** @module What an operation takes as one value under one schema, to generate whole requests. */

import fc from "fast-check";
import {
  type ApiDocument,
  isJsonType,
  jsonBodyOf,
  type Media,
  type Operation,
} from "../document/document.ts";
import { arrayOf, isObject, type Json, type JsonObject, objectOf } from "../lib/json.ts";
import type { Call } from "../lib/exchange.ts";
import { CannotGenerate, type ValueOptions, valueOptions } from "../values/options.ts";
import { attempt, smallestOf, valuesOf } from "../values/values.ts";
import type { Contract } from "../oracle/check.ts";
import type { ResourcePool, Which } from "./resource_pool.ts";
import { callOf, type Parts, writerOf } from "./write.ts";
import { declareRules, type RuleName } from "../lib/rules.ts";

const INPUT_RULES = declareRules({
  schema_unknown: "coverage: requests can be generated for every schema",
});

export interface OperationInput {
  readonly operation: Operation;
  readonly media: Media | undefined;
  readonly schema: JsonObject;
  readonly smallest: Parts;
  /** What cannot be generated and can be left out, with the reason. */
  readonly omitted: readonly string[];
  readonly options: ValueOptions;
  readonly document: ApiDocument;
}

/** What requests are made from, and where it is reported that they cannot; a session is one. */
export interface Requester {
  readonly contract: Contract;
  readonly pool: ResourcePool;
  /** Why a call is not sent to this service; undefined if it is permitted. */
  permits(call: Pick<Call, "method" | "path">): string | undefined;
  report(check: RuleName, message: string, seen: { readonly where: string }): void;
  unique(): number;
}

/** OpenAPI 3.1 §4.8.12.1 ignores the first three; the client writes the others itself. */
const IGNORED = new RegExp(
  "^(?:accept|content-type|authorization|host|connection|content-length|transfer-encoding|te|" +
    "expect|upgrade|cookie|origin)$",
  "i",
);

/** Made once for each document and operation, because every tier asks. */
const known = {
  options: new WeakMap<ApiDocument, ValueOptions>(),
  inputs: new WeakMap<Operation, OperationInput | CannotGenerate>(),
};

export function inputOf(
  requester: Requester,
  operation: Operation,
): OperationInput | CannotGenerate {
  const { contract } = requester;
  const { document } = contract;
  const options = known.options.getOrInsertComputed(document, () => valueOptions(contract));
  return known.inputs
    .getOrInsertComputed(operation, () => attempt(() => made(operation, { document, options })));
}

/** Those of the operations that may be sent; reports what cannot be generated. */
export function* inputsOf(requester: Requester): Generator<OperationInput> {
  for (const operation of requester.contract.document.operations) {
    if (requester.permits(operation) !== undefined) continue;
    const input = inputOf(requester, operation);
    const isUnknown = input instanceof CannotGenerate;
    for (const reason of isUnknown ? [input.message] : input.omitted) {
      reportUnknown(requester, operation, reason);
    }
    if (!isUnknown) yield input;
  }
}

export function reportUnknown(requester: Requester, { id }: Operation, reason: string): void {
  const message = `requests cannot be generated: ${reason}`;
  requester.report(INPUT_RULES.schema_unknown, message, { where: id });
}

/** @throws {CannotGenerate} if a required part cannot be generated */
function made(operation: Operation, { document, options }: {
  readonly document: ApiDocument;
  readonly options: ValueOptions;
}): OperationInput {
  const { parameters, bodies, bodyRequired } = operation;
  const omitted: string[] = [];
  function leave(what: string, isRequired: boolean): void {
    if (isRequired) throw new CannotGenerate(what);
    omitted.push(what);
  }
  const taken = parameters.filter(({ in: place, name, required, schema }) => {
    if (place === "header" && IGNORED.test(name)) return false;
    const smallest = attempt(() => smallestOf(schema, options));
    if (!(smallest instanceof CannotGenerate)) return true;
    leave(`the ${place} parameter ${name}: ${smallest.message}`, required);
    return false;
  });
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const place of ["path", "query", "header", "cookie"]) {
    const own = taken.filter((one) => one.in === place);
    if (own.length === 0) continue;
    properties[place] = {
      type: "object",
      properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
      required: own.filter((one) => one.required).map(({ name }) => name),
    };
    required.push(place);
  }
  const found = bodies.find(({ type }) => isJsonType(type)) ?? bodies.find(writerOf);
  if (found !== undefined) properties["body"] = found.schema ?? {};
  else if (bodies.length > 0) {
    leave(`bodies of ${bodies.map(({ type }) => type).join(", ")}`, bodyRequired);
  }
  if (bodyRequired && found !== undefined) required.push("body");
  const schema = { type: "object", properties, required };
  const media = found && { ...found, schema: document.resolve(found.schema ?? {}) };
  const smallest = smallestOf(schema, options) as Parts;
  return { operation, media, schema, smallest, omitted, options, document };
}

export function requestsOf({ schema, options }: OperationInput): fc.Arbitrary<Parts> {
  function record(rules: JsonObject, make: (schema: Json, name: string) => fc.Arbitrary<Json>) {
    const members = Object.entries(objectOf(rules["properties"]))
      .map(([name, part]) => [name, make(part, name)] as const);
    const requiredKeys = arrayOf(rules["required"]).map(String);
    return fc.record(Object.fromEntries(members), { requiredKeys, noNullPrototype: true });
  }
  const valueOf = (part: Json) => valuesOf(part, options);
  return record(
    schema,
    (part, name) =>
      name === "body" ? valueOf(part) : record(objectOf(part), valueOf) as fc.Arbitrary<Json>,
  ) as fc.Arbitrary<Parts>;
}

/** The request; undefined if services differ in how they read it, or it is another operation's. */
export function callFor(
  { operation, media, document }: OperationInput,
  parts: Parts,
): Call | undefined {
  const call = callOf(operation, { parts, media });
  if (call === undefined) return undefined;
  const { pathname } = new URL(`http://x${call.path}`);
  return document.operationOf(call.method, pathname)?.id === operation.id ? call : undefined;
}

/**
 * With values that the service has shown; in the path of what changes data those of this run, or
 * unknown ones. @param options.own whether a read too only takes what this run has created
 */
export function filled(
  input: OperationInput,
  parts: Parts,
  { pool, unique, own = false, other = false }: Filling,
): Parts {
  const { operation, media, options } = input;
  function withNamed(members: JsonObject): JsonObject {
    const entries = Object.entries(members).map(([name, value]) => {
      const shown = pool.named(name) ?? (other ? pool.shown(name) : undefined);
      return [name, typeof shown === typeof value ? shown! : value] as const;
    });
    return Object.fromEntries(entries);
  }
  const isRead = READS.includes(operation.method);
  const path = {
    ...(isRead ? parts : unknownIds(input, parts, unique)).path,
    ...pool.inPath(operation, { own: own || !isRead, other }),
  };
  const query = withNamed(parts.query ?? {});
  const body = isObject(parts.body) ? withNamed(parts.body) : undefined;
  const isFine = body !== undefined && options.isValid(media?.schema ?? {}, body);
  const isQuery = !other || options.isValid(input.schema, { ...input.smallest, query });
  return { ...parts, path, ...(isQuery ? { query } : {}), ...(isFine ? { body } : {}) };
}

type Filling = Pick<Requester, "pool" | "unique"> & Which;

const READS = ["GET", "HEAD", "OPTIONS"];

/** The request with ids in its path that no resource has, where their schemas permit any. */
export function unknownIds(
  { operation, options }: OperationInput,
  parts: Parts,
  unique: () => number,
): Parts {
  const path = Object.entries(objectOf(parts.path)).map(([name, value]) => {
    const { schema = {} } = operation.parameters.find((one) =>
      one.in === "path" && one.name === name
    ) ?? {};
    const text = unique().toString(36).slice(-8);
    const others = [crypto.randomUUID(), `zz${text}`, 2e9 + unique() % 1e8, 999_999_937, 9_973];
    const isAny = !JSON.stringify(schema).includes('"enum"');
    return [name, others.find((one) => isAny && options.isValid(schema, one)) ?? value];
  });
  return { ...parts, path: Object.fromEntries(path) };
}

/** A request with values of the profile or the document's examples; undefined if they lack one. */
export function exampleCall(requester: Requester, operation: Operation): Call | undefined {
  const parts: Record<string, JsonObject> = {};
  for (const { in: place, name, required, example } of operation.parameters) {
    if (required && example === undefined) return undefined;
    if (required) parts[place] = { ...parts[place], [name]: example! };
  }
  if (!operation.bodyRequired) return callOf(operation, { parts });
  const body = exampleBody(requester, operation);
  if (body === undefined) return undefined;
  return callOf(operation, { parts: { ...parts, body }, media: jsonBodyOf(operation) });
}

/** A valid JSON body of an operation, with what it must have and `{n}` replaced by a unique number. */
export function exampleBody(requester: Requester, operation: Operation): Json | undefined {
  const { document, profile } = requester.contract;
  const media = jsonBodyOf(operation);
  if (media === undefined) return undefined;
  const { examples, example } = objectOf(document.resolve(media.schema ?? null));
  const given = profile.bodies[operation.id] as Json | undefined;
  const [value] = [given, ...media.examples, ...arrayOf(examples), example]
    .filter((one) => one !== undefined);
  const input = inputOf(requester, operation);
  const required = input instanceof CannotGenerate ? {} : input.smallest.body;
  const whole = isObject(given) ? { ...objectOf(required), ...given } : value;
  const text = whole === undefined ? undefined : JSON.stringify(whole);
  return text && JSON.parse(text.replaceAll("{n}", String(requester.unique())));
}

export function bodySchemaOf({ resolve }: ApiDocument, operation: Operation): JsonObject {
  return objectOf(resolve(jsonBodyOf(operation)?.schema ?? null));
}

/**
 * The text with each value that it has a place for, as the document lists what the owner of a service
 * chooses (`choices` in the profile): `{plan}` is each value of the enum of the member `plan`,
 * `{first plan}` the first, `{other plan}` each but the first, `{upper plan}` each in capitals.
 */
export function chosen(text: string, contract: Contract): string[] {
  const { document, profile: { choices } } = contract;
  const pattern = new RegExp(String.raw`\{(?:(first|other|upper) )?(${choices.join("|")})\}`);
  const [place, which, name] = choices.length > 0 && pattern.exec(text) || [];
  if (place === undefined) return [text];
  const all = document.operations.map((one) => objectOf(bodySchemaOf(document, one)["properties"]))
    .flatMap((members) => arrayOf(objectOf(members[name!])["enum"])).map(String);
  const values: Readonly<Record<string, readonly string[]>> = {
    first: all.slice(0, 1),
    other: all.slice(1),
    upper: all.map((value) => value.toUpperCase()).filter((value) => !all.includes(value)),
  };
  return (values[which ?? ""] ?? all)
    .flatMap((value) => chosen(text.replaceAll(place, () => value), contract));
}
