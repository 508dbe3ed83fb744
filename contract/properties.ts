/**
 * @module Properties: generators of requests with their expected answers. Bodies come from the
 * document's schemas, paths and pages from the profile.
 */

import fc from "fast-check";
import type { Step } from "./corpus.ts";
import { type Json, jsonBodyOf, type JsonObject, objectOf, type Operation } from "./document.ts";
import type { Call } from "./exchange.ts";
import type { Want } from "./expectation.ts";
import { anyBytes, codePoints, fieldValues, mediaTypes } from "./noise.ts";
import { querySchemaOf, readQuery, withQuery } from "./query.ts";
import { breaksOf } from "./schema_breaks.ts";
import { type ValueOptions, valuesOf } from "./schema_values.ts";
import type { Session } from "./session.ts";
import { TYPES, VARY } from "./tiers/negotiation.ts";

export interface Property {
  readonly name: string;
  readonly where: string;
  readonly rule: string;
  readonly trials: fc.Arbitrary<readonly Step[]>;
}

/** What an operation takes: a JSON body, or a query, without media type. */
interface Intake {
  readonly operation: Operation;
  readonly type?: string;
  readonly schema: Json;
}

/** The JSON bodies and queries of the operations without path parameters. */
export function intakesOf({ contract }: Session): Intake[] {
  const operations = contract.document.operations.filter(({ path }) => !path.includes("{"));
  return operations.flatMap((operation) => {
    const body = jsonBodyOf(operation);
    const query = operation.bodyRequired ? undefined : querySchemaOf(operation);
    return [
      ...(body?.schema ? [{ operation, type: body.type, schema: body.schema }] : []),
      ...(query === undefined ? [] : [{ operation, schema: query }]),
    ];
  });
}

function callOf({ operation: { method, path }, type }: Intake, value: Json): Call {
  if (type === undefined) return { method, path: withQuery(path, value) };
  return { method, path, headers: [["content-type", type]], body: JSON.stringify(value) };
}

/** The value as the service reads it; undefined if services differ about it. */
function readBy({ type, schema }: Intake, value: Json): Json | undefined {
  return type === undefined ? readQuery(value, objectOf(schema)) : value;
}

/** Another service may accept `a@invalid` and deliver the lead. */
function optionsOf({ contract, launcher }: Session): ValueOptions {
  return { document: contract.document, dotless: launcher !== undefined };
}

export function validIsAccepted(session: Session, intake: Intake): Property {
  return {
    name: "valid_accepted",
    where: intake.operation.id,
    rule: "a body or query that fits the schema is accepted",
    trials: valuesOf(intake.schema, optionsOf(session))
      .filter((value) => readBy(intake, value) !== undefined)
      .map((value) => [{ call: callOf(intake, value), want: { status: "2XX" } }]),
  };
}

/** Undefined if no change makes the query invalid, as if every parameter were any text. */
export function brokenIsRefused(session: Session, intake: Intake): Property | undefined {
  const { operation, schema } = intake;
  const validate = session.contract.schemas.of(schema);
  const isValid = (value: Json) => validate(JSON.parse(JSON.stringify(value))).length === 0;
  const options = optionsOf(session);
  const want = { status: refusalOf(operation) };
  const changed = fc.tuple(valuesOf(schema, options), breaksOf(schema, options))
    .filter(([value]) => isValid(value))
    .map(([value, change]) => change(value as JsonObject));
  function isBroken(value: Json): boolean {
    const read = readBy(intake, value);
    return read !== undefined && !isValid(read);
  }
  // Otherwise the filter would never end.
  if (!fc.sample(changed, { numRuns: 200, seed: session.seed }).some(isBroken)) return undefined;
  return {
    name: "broken_refused",
    where: operation.id,
    rule: "a body or query that violates its schema by one change is refused",
    trials: changed.filter(isBroken).map((broken) => [{ call: callOf(intake, broken), want }]),
  };
}

/** The documented status for an invalid request. */
function refusalOf({ responses }: Operation): string {
  return ["400", "422"].find((known) => responses.some(({ status }) => status === known)) ?? "4XX";
}

/** Arbitrary bytes of any media type get a documented answer, and the service still works. */
export function anythingIsSurvived(session: Session, intake: Intake): Property | undefined {
  const { type: expected } = intake;
  if (expected === undefined) return undefined;
  const { document, schemas } = session.contract;
  const alive = document.operations.find(({ method, path, parameters }) =>
    method === "GET" && !path.includes("{") && !parameters.some(({ required }) => required)
  );
  const validate = schemas.of(intake.schema);
  const valid = valuesOf(intake.schema, optionsOf(session)).map((value) => JSON.stringify(value));

  function wantOf(type: string, bytes: Uint8Array): Want {
    if (type.split(";", 1)[0]!.trim().toLowerCase() !== expected) return { status: "4XX" };
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch {
      return { status: "4XX" };
    }
    // Validators disagree about formats: both answers are right.
    const faults = validate(value).filter((fault) => !/ must match format /.test(fault));
    return faults.length === 0 ? {} : { status: "4XX" };
  }
  return {
    name: "anything_survived",
    where: intake.operation.id,
    rule: "any bytes get a documented answer, and the next request is answered",
    trials: fc.tuple(anyBytes(valid), mediaTypes(expected)).filter(([bytes]) => isHarmless(bytes))
      .map(([bytes, type]) => [
        {
          call: {
            method: intake.operation.method,
            path: intake.operation.path,
            headers: [["content-type", type]],
            body: bytes,
          },
          want: wantOf(type, bytes),
        },
        ...(alive === undefined
          ? []
          : [{ call: { method: "GET", path: alive.path }, want: { status: "2XX" } }]),
      ]),
  };
}

/** A damaged body must not contain a real address, because an accepted lead is delivered. */
function isHarmless(bytes: Uint8Array): boolean {
  const addresses = new TextDecoder().decode(bytes).match(/[^\s"]@[^"]*/g) ?? [];
  return addresses.every((address) => /[.@]invalid$/i.test(address));
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "BREW"];

export function unknownIsNotFound({ contract }: Session): Property | undefined {
  const { errors } = contract.profile;
  if (errors === undefined) return undefined;
  const { under, unknown_path: code } = errors;
  const known = contract.document.operations.flatMap(({ path }) => path.split("/")).filter(Boolean);
  const segment = fc.oneof(
    fc.constantFrom(...known, "", "..", ".", "%2e%2e", "%00", "__proto__", "*"),
    fc.constantFrom(...known).map((word) => `${word}/`),
    fc.constantFrom(...known).map((word) => word.replace(/^./, (first) => escaped(first))),
    fc.constantFrom(...known).map((word) => word.toUpperCase()),
    fc.string({ unit: codePoints() }).map((text) => encodeURIComponent(text)),
    fieldValues(),
  );
  const query = fc.oneof(fc.constant(""), fieldValues().map((text) => `?${text}`));
  return {
    name: "unknown_not_found",
    where: `${under}*`,
    rule: "an undocumented path is not found, whatever the method",
    trials: fc.tuple(fc.array(segment, { maxLength: 4 }), query, fc.constantFrom(...METHODS))
      .map(([segments, search, method]) => ({
        path: sent(under + segments.join("/"), search),
        method,
      }))
      .filter(({ path }) => path.startsWith(under))
      .map(({ path, method }) => {
        const isKnown =
          contract.document.operationsAt(unescaped(path.split("?", 1)[0]!)).length > 0;
        const wanted = code === undefined || method === "HEAD" ? {} : { code };
        return [{ call: { method, path }, want: isKnown ? {} : { status: "404", ...wanted } }];
      }),
  };
}

/** The path as fetch sends it: dot segments resolved, invalid characters escaped. */
function sent(path: string, search: string): string {
  const url = new URL(`http://x${path.replaceAll(/[?#]/g, escaped)}${search.replaceAll("#", "")}`);
  return url.pathname + url.search;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** Decodes unreserved characters: letters, digits, `-`, `.`, `_` and `~` (RFC 3986 §6.2.2.2). */
function unescaped(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
}

/** Accept fields of known ranges, each with the media type that it selects. */
function ranges(): fc.Arbitrary<readonly [accept: string, type: string]> {
  const types = ["text/markdown", "text/html", "text/*", "*/*", "image/png", "application/json"];
  const quality = fc.oneof(fc.constantFrom(0, 0.5, 1), fc.integer({ min: 0, max: 1000 }))
    .map((thousandths) => thousandths > 1 ? thousandths / 1000 : thousandths);
  const spaces = fc.constantFrom("", " ");
  const range = fc.record({ type: fc.constantFrom(...types), quality, spaces, caps: fc.boolean() });
  return fc.uniqueArray(range, { minLength: 1, selector: ({ type }) => type }).map((list) => {
    const fields = list.map(({ type, quality, spaces, caps }) =>
      `${caps ? type.toUpperCase() : type}${spaces};${spaces}q=${quality}`
    );
    const of = (name: string) => list.find(({ type }) => type === name)?.quality;
    const html = of("text/html") ?? of("text/*") ?? of("*/*") ?? 0;
    const markdown = of("text/markdown") ?? 0;
    const isMarkdown = markdown > 0 && markdown >= html;
    return [fields.join(","), isMarkdown ? TYPES.markdown : TYPES.html] as const;
  });
}

export function pagesNegotiate({ contract }: Session): Property | undefined {
  const { pages } = contract.profile;
  if (pages.length === 0) return undefined;
  const either = Object.values(TYPES);
  const accepts = fc.oneof(
    { arbitrary: ranges().map(([accept, type]) => ({ accept, type: [type] })), weight: 3 },
    fieldValues().map((accept) => ({ accept, type: either })),
    fc.array(fc.constantFrom(",", ";", "=", "q", "/", "*", '"', "text/markdown", "text/html", " "))
      .map((parts) => ({ accept: parts.join(""), type: either })),
  );
  return {
    name: "pages_negotiate",
    where: "pages",
    rule: "a page is HTML or markdown as Accept asks, and Vary lists Accept",
    trials: fc.tuple(fc.constantFrom(...pages), accepts).map(([path, { accept, type }]) => [{
      call: { method: "GET", path, headers: [["accept", accept]] },
      want: { status: "200", type, vary: VARY },
    }]),
  };
}
