/**
 * @module What an operation takes as one value under one schema, so that everything that generates
 * values generates whole requests.
 */

import fc from "fast-check";
import {
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
import type { Edge } from "../values/edges.ts";
import { CannotGenerate, type ValueOptions, valueOptions } from "../values/options.ts";
import { alternativesOf } from "../values/rules.ts";
import { smallestOf, valuesOf } from "../values/values.ts";
import type { Known } from "./known.ts";
import { callOf, isWritable, type Parts, textOf } from "./write.ts";

export interface Intake {
  readonly operation: Operation;
  /** The body that is sent; undefined if there is none. */
  readonly media: Media | undefined;
  /** The schema of `Parts`. */
  readonly schema: JsonObject;
  /** What cannot be generated and can be left out, with the reason. */
  readonly omitted: readonly string[];
}

const PLACES = ["path", "query", "header", "cookie"] as const;

/** OpenAPI 3.1 §4.8.12.1 ignores the first three; the client writes the others itself. */
const IGNORED = new RegExp(
  "^(?:accept|content-type|authorization|host|connection|content-length|transfer-encoding|te|" +
    "expect|upgrade|cookie|origin)$",
  "i",
);

/** Options for the values of a session's requests. Another service may deliver to `a@invalid`. */
export function optionsOf({ contract, launcher }: Session): ValueOptions {
  return valueOptions(contract, { dotless: launcher !== undefined });
}

/** @throws {CannotGenerate} if a required part cannot be generated */
export function intakeOf(operation: Operation, options: ValueOptions): Intake {
  const omitted: string[] = [];
  const isLeft = ({ in: place, name }: Parameter) => place === "header" && IGNORED.test(name);
  const taken = operation.parameters.filter((one) => !isLeft(one)).filter((parameter) => {
    try {
      smallestOf(parameter.schema, options);
      return true;
    } catch (error) {
      const what = `the ${parameter.in} parameter ${parameter.name}`;
      if (!(error instanceof CannotGenerate)) throw error;
      if (parameter.required) throw new CannotGenerate(`${what}: ${error.message}`);
      omitted.push(`${what}: ${error.message}`);
      return false;
    }
  });
  const places = PLACES.flatMap((place) => {
    const own = taken.filter((one) => one.in === place);
    if (own.length === 0) return [];
    return [
      [place, {
        type: "object",
        properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
        required: own.filter(({ required }) => required || place === "path").map(({ name }) =>
          name
        ),
      }] as const,
    ];
  });
  const { bodies, bodyRequired } = operation;
  const found = bodies.find(({ type }) => isJsonType(type)) ?? bodies.find(isWritable);
  if (found === undefined && bodies.length > 0) {
    const what = `bodies of ${bodies.map(({ type }) => type).join(", ")}`;
    if (bodyRequired) throw new CannotGenerate(what);
    omitted.push(what);
  }
  const media = found && { ...found, schema: options.document.resolve(found.schema ?? {}) };
  return {
    operation,
    media,
    omitted,
    schema: {
      type: "object",
      properties: {
        ...Object.fromEntries(places),
        ...(found === undefined ? {} : { body: found.schema ?? {} }),
      },
      required: [
        ...places.map(([place]) => place),
        ...(bodyRequired && found !== undefined ? ["body"] : []),
      ],
    },
  };
}

/** Random requests that fit the document. */
export function requestsOf({ schema }: Intake, options: ValueOptions): fc.Arbitrary<Parts> {
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
export function callFor({ operation, media }: Intake, parts: Parts, { document }: {
  readonly document: { operationOf(method: string, path: string): Operation | undefined };
}): Call | undefined {
  const call = callOf(operation, { parts, media });
  if (call === undefined) return undefined;
  const { pathname } = new URL(`http://x${call.path}`);
  return document.operationOf(call.method, pathname)?.id === operation.id ? call : undefined;
}

/** Whether a request breaks the document however generously a service reads its texts. */
export function isBroken(
  { operation, media }: Intake,
  { parts, options }: { readonly parts: Parts; readonly options: ValueOptions },
): boolean {
  const isWrong = operation.parameters.some(({ in: place, name, required, schema }) => {
    const value = objectOf(parts[place as "query"])[name];
    return value === undefined ? required : !mayBeValid(value, { schema, options });
  });
  if (isWrong || media === undefined) return isWrong;
  const { body } = parts;
  if (body === undefined) return operation.bodyRequired;
  const schema = media.schema ?? {};
  if (isJsonType(media.type) || !isObject(body)) return !options.isValid(schema, body);
  return hasWrongMember(body, { schema, options });
}

interface Reading {
  readonly schema: Json;
  readonly options: ValueOptions;
}

/** Whether a member of an object that is sent as texts is missing, or wrong as every service reads it. */
function hasWrongMember(value: JsonObject, { schema, options }: Reading): boolean {
  const all = alternativesOf(schema, options).filter(({ type }) => type === "object");
  // What is no object is read as other parameters, or not at all.
  return all.length > 0 &&
    all.every(({ required, properties }) =>
      arrayOf(required).some((name) => !Object.hasOwn(value, String(name))) ||
      Object.entries(objectOf(properties)).some(([name, rules]) =>
        Object.hasOwn(value, name) && !mayBeValid(value[name]!, { schema: rules, options })
      )
    );
}

/** Whether a service may read a value, sent as text, as one that matches the schema. */
function mayBeValid(value: Json, { schema, options }: Reading): boolean {
  const isFine = (read: Json) => options.isValid(schema, read);
  // A form has objects as text.
  if (isObject(value)) {
    return !hasWrongMember(value, { schema, options }) || isFine(JSON.stringify(value));
  }
  const items = alternativesOf(schema, options).find((one) => one["items"] !== undefined)
    ?.["items"];
  const best = (item: Json) => {
    const read = readings(item);
    return read.find((one) => options.isValid(items ?? true, one)) ?? read[0]!;
  };
  const list = Array.isArray(value) ? value : [value];
  // Some take the first or the last of several values.
  return [list.map(best), ...list.flatMap(readings), list.map(textOf).join()].some(isFine);
}

const WORDS: readonly (readonly [Json, RegExp])[] = [
  [true, /^(?:true|t|yes|y|on|1)$/i],
  [false, /^(?:false|f|no|n|off|0)$/i],
  [null, /^(?:null|none|nil|undefined)$/i],
];

/** What a text may be read as. */
function readings(value: Json): Json[] {
  const text = textOf(value)?.trim();
  if (text === undefined) return [value];
  const number = Number(text.replaceAll("_", ""));
  return [
    ...(typeof value === "string" ? [value] : [value, text]),
    ...(text === "" || Number.isNaN(number) ? [] : [number]),
    ...WORDS.filter(([, pattern]) => pattern.test(text)).map(([read]) => read),
  ];
}

/** Whether an edge is one of a parameter or of the body, and not of the whole. */
export function isOfPart({ at }: Pick<Edge, "at">): boolean {
  return /^\/(?:body|\w+\/)/.test(at);
}

/** What an edge says, without the place of its parameter. */
export function saysOf({ says }: Pick<Edge, "says">): string {
  return says.replace(/^(?:path|query|header|cookie|body)\.(?=\w)/, "");
}

/** What makes a finding the same. A service that converts types does so everywhere. */
export function causeOf({ operation, at, keyword, check }: {
  readonly operation: Operation;
  readonly at: string;
  readonly keyword: string;
  readonly check: string;
}): string {
  return check === "coerced" ? check : [operation.id, at, check, keyword].join(" ");
}

/** Reports once what cannot be generated. */
export function reportUnknown(
  { known, report }: Session,
  { operation: { id }, reason }: { readonly operation: Operation; readonly reason: string },
): void {
  const message = `requests cannot be generated: ${reason}`;
  if (known.causes.has(id + message)) return;
  known.causes.add(id + message);
  report({ check: "schema_unknown", where: id, message });
}

/** That an operation has accepted nothing, which explains whatever it refuses. */
export function causeOfRefusal({ id }: Operation): string {
  return `${id} accepts nothing`;
}

/** The request with values that the service has shown, in its path and in members that name them. */
export function filled(
  { operation, media }: Intake,
  { parts, known, options, own }: {
    readonly parts: Parts;
    readonly known: Known;
    readonly options: ValueOptions;
    /** Only what this run has created. */
    readonly own: boolean;
  },
): Parts {
  const path = { ...parts.path, ...known.inPath(operation, { own }) };
  const query = withNamed(parts.query ?? {}, known);
  const { body } = parts;
  if (media === undefined || !isObject(body)) return { ...parts, path, query };
  const named = withNamed(body, known);
  return { ...parts, path, query, body: options.isValid(media.schema ?? {}, named) ? named : body };
}

function withNamed(members: JsonObject, known: Known): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      const found = known.named(name);
      return [name, found !== undefined && typeof found === typeof value ? found : value];
    }),
  );
}
