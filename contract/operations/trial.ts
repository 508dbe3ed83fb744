/** @module One operation in the operations tier: its requests, and its findings. */

import { type Json, objectOf, type Operation } from "../document.ts";
import type { Exchange } from "../exchange.ts";
import { callFor, type Intake } from "../request/intake.ts";
import { at as valueAt, namesOf, pointer } from "../pointer.ts";
import type { Parts } from "../request/write.ts";
import type { Session } from "../session.ts";
import type { Edge } from "../values/edges.ts";

export interface Trial {
  readonly intake: Intake;
  /** The request that the others are changes of. */
  base: Parts;
  /** Its answer, if it was accepted. */
  accepted?: Exchange;
  refused?: Exchange;
  edges?: readonly Edge[];
  /** Calls that were refused, as JSON. */
  readonly tried: Set<string>;
  /** Whether it accepts a request once, and then only others: names are taken. */
  isOnce?: boolean;
}

/** Sends a request; undefined if services differ in how they read it. */
export async function sendParts(
  session: Session,
  { intake }: Pick<Trial, "intake">,
  { parts, title }: { readonly parts: Parts; readonly title: string },
): Promise<Exchange | undefined> {
  const call = callFor(intake, parts);
  return call && await session.send(call, { title });
}

/** Whether a request was accepted; a redirect proves nothing. */
export function isAccepted(exchange: Exchange | undefined): exchange is Exchange {
  const { status } = exchange?.answer ?? { status: 0 };
  return (status >= 200 && status < 300) || status === 304;
}

/** Whether a status refuses what was sent; others have other reasons, such as 404, 405 and 429. */
export function isRefused({ answer: { status } }: Exchange): boolean {
  return [400, 413, 414, 415, 422].includes(status);
}

/** One finding for each place and keyword. */
export function report(
  session: Session,
  { intake: { operation } }: Pick<Trial, "intake">,
  { at = "", keyword, check, message, exchange }: Partial<Pick<Edge, "at">> & {
    readonly keyword: string;
    readonly check: string;
    readonly message: string;
    readonly exchange: Exchange;
  },
): void {
  const cause = causeOf(operation, { at, keyword, check });
  if (session.known.causes.has(cause)) return;
  session.known.causes.add(cause);
  session.report({ check, where: operation.id, message, exchange });
}

/** What makes a finding the same. A service that converts types does so everywhere. */
export function causeOf(
  { id }: Operation,
  { at, keyword, check }: Pick<Edge, "at" | "keyword"> & { readonly check: string },
): string {
  return check === "coerced" ? check : [id, at, check, keyword].join(" ");
}

/** That an operation has accepted nothing, which explains whatever it refuses. */
export function causeOfRefusal({ id }: Operation): string {
  return `${id} accepts nothing`;
}

/** Whether an edge is one of a parameter or of the body, and not of the whole. */
export function isOfPart({ at }: Pick<Edge, "at">): boolean {
  return /^\/(?:body|\w+\/)/.test(at);
}

/** What an edge says, without the place of its parameter. */
export function saysOf({ says }: Pick<Edge, "says">): string {
  return says.replace(/^(?:path|query|header|cookie|body)\.(?=\w)/, "");
}

/** The request with another value at a place, or without the place. */
export function replaced(base: Parts, at: string, value: Json | undefined): Parts {
  function put(old: unknown, [name, ...rest]: readonly string[]): unknown {
    if (name === undefined) return value;
    if (Array.isArray(old)) return old.with(Number(name), put(old[Number(name)], rest));
    const members = objectOf(old as Json);
    return { ...members, [name]: put(valueAt(members, pointer(name)), rest) };
  }
  return JSON.parse(JSON.stringify(put(base, namesOf(at))));
}

/** The request that is accepted again: with other texts, if names are taken. */
export function another(session: Session, trial: Trial): Parts {
  return trial.isOnce === true ? withOtherTexts(session, trial) : trial.base;
}

/** The request with other texts in its body, where the schema permits them. */
export function withOtherTexts(session: Session, { base, intake }: Trial): Parts {
  const { media, options } = intake;
  let parts = base;
  for (const [name, value] of Object.entries(objectOf(base.body))) {
    if (typeof value !== "string") continue;
    const text = `c${session.unique().toString(36).slice(-6)}`;
    const other = replaced(parts, `/body${pointer(name)}`, text);
    if (options.isValid(media?.schema ?? {}, other.body ?? null)) parts = other;
  }
  return parts;
}
