/**
 * @module What an operation takes as one value under one schema, so that everything that generates
 * values generates whole requests.
 */

import fc from "fast-check";
import {
  type ApiDocument,
  arrayOf,
  isJsonType,
  isObject,
  type Json,
  type JsonObject,
  type Media,
  objectOf,
  type Operation,
  type Parameter,
} from "../document.ts";
import type { Call } from "../exchange.ts";
import type { Session } from "../session.ts";
import { CannotGenerate, type ValueOptions, valueOptions } from "../values/options.ts";
import { attempt, smallestOf, valuesOf } from "../values/values.ts";
import { callOf, isWritable, type Parts } from "./write.ts";

export interface Intake {
  readonly operation: Operation;
  /** The body that is sent; undefined if there is none. */
  readonly media: Media | undefined;
  /** The schema of `Parts`. */
  readonly schema: JsonObject;
  readonly smallest: Parts;
  /** What cannot be generated and can be left out, with the reason. */
  readonly omitted: readonly string[];
  readonly options: ValueOptions;
  readonly document: ApiDocument;
}

const PLACES = ["path", "query", "header", "cookie"] as const;

/** OpenAPI 3.1 §4.8.12.1 ignores the first three; the client writes the others itself. */
const IGNORED = new RegExp(
  "^(?:accept|content-type|authorization|host|connection|content-length|transfer-encoding|te|" +
    "expect|upgrade|cookie|origin)$",
  "i",
);

/** Made once for each document and operation, because every tier asks. */
const known = {
  options: new WeakMap<ApiDocument, ValueOptions>(),
  intakes: new WeakMap<Operation, Intake | CannotGenerate>(),
};

/** The intake of an operation, or why there is none. */
export function intakeOf(session: Session, operation: Operation): Intake | CannotGenerate {
  const { document } = session.contract;
  const options = known.options.get(document) ?? valueOptions(session.contract);
  known.options.set(document, options);
  const intake = known.intakes.get(operation) ??
    attempt(() => made(operation, { document, options }));
  known.intakes.set(operation, intake);
  return intake;
}

/** Those of the operations that may be sent; reports once what cannot be generated. */
export function* intakesOf(session: Session): Generator<Intake> {
  const { contract: { document }, known: { causes } } = session;
  for (const operation of document.operations) {
    if (session.permits(operation) !== undefined) continue;
    const intake = intakeOf(session, operation);
    const isUnknown = intake instanceof CannotGenerate;
    for (const reason of isUnknown ? [intake.message] : intake.omitted) {
      const message = `requests cannot be generated: ${reason}`;
      const { id } = operation;
      if (causes.has(id + message)) continue;
      causes.add(id + message);
      session.report({ check: "schema_unknown", where: id, message });
    }
    if (!isUnknown) yield intake;
  }
}

/** @throws {CannotGenerate} if a required part cannot be generated */
function made(operation: Operation, { document, options }: {
  readonly document: ApiDocument;
  readonly options: ValueOptions;
}): Intake {
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
  const places = PLACES.map((place) => [place, taken.filter((one) => one.in === place)] as const)
    .filter(([, own]) => own.length > 0)
    .map(([place, own]): [string, Json] => [place, schemaOf(own)]);
  const found = bodies.find(({ type }) => isJsonType(type)) ?? bodies.find(isWritable);
  if (found === undefined && bodies.length > 0) {
    leave(`bodies of ${bodies.map(({ type }) => type).join(", ")}`, bodyRequired);
  }
  const body: [string, Json][] = found === undefined ? [] : [["body", found.schema ?? {}]];
  const schema = {
    type: "object",
    properties: Object.fromEntries([...places, ...body]),
    required: [...places, ...(bodyRequired ? body : [])].map(([name]) => name),
  };
  const media = found && { ...found, schema: document.resolve(found.schema ?? {}) };
  const smallest = smallestOf(schema, options) as Parts;
  return { operation, media, schema, smallest, omitted, options, document };
}

/** The schema of an object with the parameters of one place. */
function schemaOf(parameters: readonly Parameter[]): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter((one) => one.required || one.in === "path").map(({ name }) => name),
  };
}

/** Random requests that fit the document. */
export function requestsOf({ schema, options }: Intake): fc.Arbitrary<Parts> {
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
export function callFor({ operation, media, document }: Intake, parts: Parts): Call | undefined {
  const call = callOf(operation, { parts, media });
  if (call === undefined) return undefined;
  const { pathname } = new URL(`http://x${call.path}`);
  return document.operationOf(call.method, pathname)?.id === operation.id ? call : undefined;
}

/** The request with values that the service has shown, in its path and in members that name them. */
export function filled(
  { operation, media, options }: Intake,
  { parts, session: { known }, own = false }: {
    readonly parts: Parts;
    readonly session: Pick<Session, "known">;
    /** Only what this run has created. */
    readonly own?: boolean;
  },
): Parts {
  function withNamed(members: JsonObject): JsonObject {
    const entries = Object.entries(members).map(([name, value]) => {
      const shown = known.named(name);
      return [name, typeof shown === typeof value ? shown! : value] as const;
    });
    return Object.fromEntries(entries);
  }
  const path = { ...parts.path, ...known.inPath(operation, { own }) };
  const query = withNamed(parts.query ?? {});
  const { body } = parts;
  if (media === undefined || !isObject(body)) return { ...parts, path, query };
  const named = withNamed(body);
  return { ...parts, path, query, body: options.isValid(media.schema ?? {}, named) ? named : body };
}
