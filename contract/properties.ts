/** @module Properties of operations: random requests from their schemas, with the expected answers. */

import fc from "fast-check";
import type { Step } from "./corpus.ts";
import { isJsonType, type Operation } from "./document.ts";
import { causeOf, causeOfRefusal, isOfPart, saysOf } from "./operations/trial.ts";
import { callFor, filled, type Intake, intakesOf, requestsOf } from "./request/intake.ts";
import { isBroken } from "./request/reading.ts";
import type { Parts } from "./request/write.ts";
import type { Session } from "./session.ts";
import { brokenOf } from "./values/edges.ts";
import { anyBytes, mediaTypes } from "./values/text.ts";
import { CannotGenerate } from "./values/options.ts";
import { attempt, valuesOf } from "./values/values.ts";

/** Requests in turn, with what is known about the last one. */
export interface Trial {
  readonly steps: readonly Step[];
  /** The rule. */
  readonly check: string;
  /** What is special about it, for the message. */
  readonly says: string;
  /** What makes a finding the same as an earlier one. */
  readonly cause: string;
}

export interface Property {
  readonly operation: Operation;
  /** Undefined are those that cannot be sent: a filter that rejects most of them would not end. */
  readonly trials: fc.Arbitrary<Trial | undefined>;
}

/** Makes the properties of the operations that may be sent, each when its turn comes. */
export function* requestProperties(session: Session): Generator<Property> {
  for (const intake of intakesOf(session)) {
    const { operation, media } = intake;
    if (operation.parameters.length === 0 && media === undefined) continue;
    for (const make of [validIsAccepted, brokenIsRefused, anythingIsSurvived]) {
      const trials = attempt(() => make(session, intake));
      if (trials !== undefined && !(trials instanceof CannotGenerate)) yield { operation, trials };
    }
  }
}

/** The trials of a property; undefined if it has none. */
type Trials = Property["trials"] | undefined;

/** Answers to a request that fits the document, but not rules that no schema tells. */
const OTHER = "2XX|3XX|401|402|403|404|405|409|410|412|413|414|423|424|428|429|431|5XX";

function validIsAccepted(session: Session, intake: Intake): Trials {
  const { operation } = intake;
  const isOwn = session.cases !== undefined;
  const isRefused = session.known.causes.has(causeOfRefusal(operation));
  if (operation.method === "DELETE" || isRefused) return undefined;
  const check = isOwn ? "valid_accepted" : "undocumented_rule";
  const cause = `${operation.id} refused`;
  const want = { status: isOwn ? "2XX" : OTHER };
  return requestsOf(intake)
    .map((parts) => callFor(intake, filled(intake, { parts, session })))
    .map((call) => call && { steps: [{ call, want }], check, says: "it fits the document", cause });
}

/** Undefined if no change makes the request invalid, as if every parameter were any text. */
function brokenIsRefused(session: Session, intake: Intake): Trials {
  const { operation, schema, options } = intake;
  const isOwn = session.cases !== undefined;
  const want = { status: isOwn ? refusalOf(operation) : "3XX|4XX|5XX" };
  const trials = brokenOf(schema, options).map((edge): Trial | undefined => {
    const { at, keyword, isLax } = edge;
    // Services that convert types get advice from the operations tier.
    if ((isLax && !isOwn) || !isOfPart(edge)) return undefined;
    const made = edge.value as Parts;
    const isPlace = at.startsWith("/path") || operation.method === "DELETE";
    const parts = isPlace ? made : filled(intake, { parts: made, session });
    const call = isBroken(intake, parts) ? callFor(intake, parts) : undefined;
    if (call === undefined) return undefined;
    const check = keyword === "format" ? "format_refused" : "broken_refused";
    const cause = causeOf(operation, { at, keyword, check });
    return { steps: [{ call, want }], says: saysOf(edge), check, cause };
  });
  const samples = fc.sample(trials, { numRuns: 50, seed: session.seed });
  if (!samples.some((trial) => trial !== undefined)) return undefined;
  return trials;
}

/** The documented status for an invalid request. */
function refusalOf({ responses }: Operation): string {
  return ["400", "422"].find((known) => responses.some(({ status }) => status === known)) ?? "4XX";
}

/** Arbitrary bytes of any media type get a documented answer, and the service still works. */
function anythingIsSurvived(session: Session, intake: Intake): Trials {
  const { media, operation, options, smallest } = intake;
  if (media === undefined || !isJsonType(media.type)) return undefined;
  const { document, schemas } = session.contract;
  const schema = media.schema ?? {};
  const { body: _, ...parts } = filled(intake, { parts: smallest, session });
  const base = callFor(intake, parts);
  if (base === undefined) return undefined;
  const isOwn = session.cases !== undefined;
  const alive = document.operations.find(({ method, path, parameters }) =>
    method === "GET" && !path.includes("{") && !parameters.some(({ required }) => required) &&
    session.permits({ method, path }) === undefined
  );
  const next = alive === undefined ? [] : [{
    call: { method: "GET", path: alive.path },
    want: isOwn ? { status: "2XX" } : {},
  }];
  function isRefused(type: string, bytes: Uint8Array): boolean {
    if (type.split(";", 1)[0]!.trim().toLowerCase() !== media!.type) return true;
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      // Validators disagree about formats: both answers are right.
      return schemas.of(schema)(JSON.parse(text)).some((fault) => !/, format is /.test(fault));
    } catch {
      return true;
    }
  }
  const valid = valuesOf(schema, options).map((value) => JSON.stringify(value));
  const check = "anything_survived";
  const says = "the body is random bytes";
  return fc.tuple(anyBytes(valid), mediaTypes(media.type))
    .filter(([bytes]) => isHarmless(bytes))
    .map(([body, type]) => {
      const headers = [...base.headers ?? [], ["content-type", type] as const];
      const want = isOwn && isRefused(type, body) ? { status: "4XX" } : {};
      const steps = [{ call: { ...base, headers, body }, want }, ...next];
      return { steps, check, says, cause: `${operation.id} ${check}` };
    });
}

/** A damaged body must not contain a real address, because an accepted lead is delivered. */
function isHarmless(bytes: Uint8Array): boolean {
  const addresses = new TextDecoder().decode(bytes).match(/[^\s"]@[^"]*/g) ?? [];
  return addresses.every((address) => /[.@]invalid$/i.test(address));
}
