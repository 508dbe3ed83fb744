/**
 * @module Properties: generators of requests with their expected answers. Requests come from
 * the document's schemas, paths and pages from the profile.
 */

import fc from "fast-check";
import type { Step } from "./corpus.ts";
import { isJsonType, type Operation } from "./document.ts";
import type { Call } from "./exchange.ts";
import type { Want } from "./expectation.ts";
import {
  callFor,
  causeOf,
  causeOfRefusal,
  filled,
  type Intake,
  intakeOf,
  isBroken,
  isOfPart,
  optionsOf,
  reportUnknown,
  requestsOf,
  saysOf,
} from "./request/intake.ts";
import type { Parts } from "./request/write.ts";
import type { Session } from "./session.ts";
import { TYPES, VARY } from "./tiers/negotiation.ts";
import { brokenOf } from "./values/breaks.ts";
import { anyBytes, codePoints, fieldValues, mediaTypes } from "./values/noise.ts";
import { CannotGenerate, type ValueOptions } from "./values/options.ts";
import { smallestOf, valuesOf } from "./values/values.ts";

/** Requests in turn, with what is known about the last one. */
export interface Trial {
  readonly steps: readonly Step[];
  /** The rule, if it is another one than the property's. */
  readonly check?: string;
  readonly says?: string;
  /** What makes a finding the same as an earlier one. */
  readonly cause?: string;
}

export interface Property {
  readonly name: string;
  readonly where: string;
  readonly rule: string;
  readonly trials: fc.Arbitrary<Trial>;
}

/** Makes the properties of the operations that may be sent, each when its turn comes. */
export function requestProperties(session: Session): (() => Property | undefined)[] {
  const { document } = session.contract;
  const options = optionsOf(session);
  const permitted = document.operations.filter((one) => session.permits(one) === undefined);
  return permitted.flatMap((operation) =>
    [validIsAccepted, brokenIsRefused, anythingIsSurvived].map((make) => () => {
      try {
        const intake = intakeOf(operation, options);
        const isPlain = operation.parameters.length === 0 && intake.media === undefined;
        return isPlain ? undefined : make(session, { intake, options });
      } catch (error) {
        if (!(error instanceof CannotGenerate)) throw error;
        reportUnknown(session, { operation, reason: error.message });
        return undefined;
      }
    })
  );
}

interface Source {
  readonly intake: Intake;
  readonly options: ValueOptions;
}

/** Answers to a request that fits the document, but not rules that no schema tells. */
const OTHER = "2XX|3XX|401|402|403|404|405|409|410|412|413|414|423|424|428|429|431|5XX";

function validIsAccepted(session: Session, { intake, options }: Source): Property | undefined {
  const { contract, known, cases } = session;
  const { operation } = intake;
  const isOwn = cases !== undefined;
  const isRefused = known.causes.has(causeOfRefusal(operation));
  if (operation.method === "DELETE" || isRefused) return undefined;
  return {
    name: isOwn ? "valid_accepted" : "undocumented_rule",
    where: operation.id,
    rule: "a request that fits the document is accepted",
    trials: requestsOf(intake, options)
      .map((parts) => filled(intake, { parts, known, options, own: false }))
      .map((parts) => callFor(intake, parts, contract))
      .filter((call) => call !== undefined)
      .map((call) => ({
        steps: [{ call, want: { status: isOwn ? "2XX" : OTHER } }],
        ...(isOwn ? {} : { says: "it fits the document", cause: `${operation.id} refused` }),
      })),
  };
}

/** Undefined if no change makes the request invalid, as if every parameter were any text. */
function brokenIsRefused(session: Session, { intake, options }: Source): Property | undefined {
  const { contract, known } = session;
  const { operation } = intake;
  const isOwn = session.cases !== undefined;
  const want = { status: isOwn ? refusalOf(operation) : "3XX|4XX|5XX" };
  const trials = brokenOf(intake.schema, options).map((edge): Trial | undefined => {
    const { at, keyword, isLax } = edge;
    // Services that convert types get advice from the operations tier.
    if ((isLax && !isOwn) || !isOfPart(edge)) return undefined;
    const made = edge.value as Parts;
    const parts = at.startsWith("/path") || operation.method === "DELETE"
      ? made
      : filled(intake, { parts: made, known, options, own: false });
    if (!isBroken(intake, { parts, options })) return undefined;
    const call = callFor(intake, parts, contract);
    if (call === undefined) return undefined;
    const check = keyword === "format" ? "format_refused" : "broken_refused";
    const cause = causeOf({ operation, at, keyword, check });
    return { steps: [{ call, want }], says: saysOf(edge), check, cause };
  });
  // Otherwise the filter would never end.
  const samples = fc.sample(trials, { numRuns: 50, seed: session.seed });
  if (!samples.some((trial) => trial !== undefined)) return undefined;
  return {
    name: "broken_refused",
    where: operation.id,
    rule: "a request that breaks the document by one change is refused",
    trials: trials.filter((trial) => trial !== undefined),
  };
}

/** The documented status for an invalid request. */
function refusalOf({ responses }: Operation): string {
  return ["400", "422"].find((known) => responses.some(({ status }) => status === known)) ?? "4XX";
}

/** Arbitrary bytes of any media type get a documented answer, and the service still works. */
function anythingIsSurvived(session: Session, { intake, options }: Source): Property | undefined {
  const { media, operation } = intake;
  if (media === undefined || !isJsonType(media.type)) return undefined;
  const { document } = session.contract;
  const alive = document.operations.find(({ method, path, parameters }) =>
    method === "GET" && !path.includes("{") && !parameters.some(({ required }) => required) &&
    session.permits({ method, path }) === undefined
  );
  const schema = media.schema ?? {};
  const valid = valuesOf(schema, options).map((value) => JSON.stringify(value));
  const validate = session.contract.schemas.of(schema);
  const base = callOf(session, { intake, options });
  if (base === undefined) return undefined;

  function wantOf(type: string, bytes: Uint8Array): Want {
    if (type.split(";", 1)[0]!.trim().toLowerCase() !== media!.type) return { status: "4XX" };
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch {
      return { status: "4XX" };
    }
    // Validators disagree about formats: both answers are right.
    const faults = validate(value).filter((fault) => !/, format is /.test(fault));
    return faults.length === 0 ? {} : { status: "4XX" };
  }
  const isOwn = session.cases !== undefined;
  return {
    name: "anything_survived",
    where: operation.id,
    rule: "any bytes get a documented answer, and the next request is answered",
    trials: fc.tuple(anyBytes(valid), mediaTypes(media.type))
      .filter(([bytes]) => isHarmless(bytes))
      .map(([body, type]) => ({
        steps: [
          {
            call: { ...base, headers: [...(base.headers ?? []), ["content-type", type]], body },
            want: isOwn ? wantOf(type, body) : {},
          },
          ...(alive === undefined ? [] : [{
            call: { method: "GET", path: alive.path },
            want: isOwn ? { status: "2XX" } : {},
          }]),
        ],
      })),
  };
}

/** A request without its body. */
function callOf(session: Session, { intake, options }: Source): Call | undefined {
  const { contract, known } = session;
  const parts = smallestOf(intake.schema, options) as Parts;
  const { body: _, ...others } = filled(intake, { parts, known, options, own: false });
  return callFor(intake, others, contract);
}

/** A damaged body must not contain a real address, because an accepted lead is delivered. */
function isHarmless(bytes: Uint8Array): boolean {
  const addresses = new TextDecoder().decode(bytes).match(/[^\s"]@[^"]*/g) ?? [];
  return addresses.every((address) => /[.@]invalid$/i.test(address));
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "BREW"];

export function unknownIsNotFound({ contract, permits }: Session): Property | undefined {
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
  const methods = METHODS.filter((method) => permits({ method, path: under }) === undefined);
  return {
    name: "unknown_not_found",
    where: `${under}*`,
    rule: "an undocumented path is not found, whatever the method",
    trials: fc.tuple(fc.array(segment, { maxLength: 4 }), query, fc.constantFrom(...methods))
      .map(([segments, search, method]) => ({
        path: sent(under + segments.join("/"), search),
        method,
      }))
      .filter(({ path }) => path.startsWith(under))
      .map(({ path, method }) => {
        const isKnown =
          contract.document.operationsAt(unescaped(path.split("?", 1)[0]!)).length > 0;
        const wanted = code === undefined || method === "HEAD" ? {} : { code };
        const want = isKnown ? {} : { status: "404", ...wanted };
        return { steps: [{ call: { method, path }, want }] };
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
    trials: fc.tuple(fc.constantFrom(...pages), accepts).map(([path, { accept, type }]) => ({
      steps: [{
        call: { method: "GET", path, headers: [["accept", accept]] },
        want: { status: "200", type, vary: VARY },
      }],
    })),
  };
}
