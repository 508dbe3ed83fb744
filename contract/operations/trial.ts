/** @module One operation in the operations tier: its requests, and its findings. */

import { type Json, objectOf } from "../document.ts";
import { pointer } from "../document/reference.ts";
import type { Exchange } from "../exchange.ts";
import { causeOf, type Intake } from "../request/intake.ts";
import { at as valueAt } from "../profile.ts";
import type { Parts } from "../request/write.ts";
import type { Session } from "../session.ts";
import type { Edge } from "../values/edges.ts";
import type { ValueOptions } from "../values/options.ts";

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

export interface Context {
  readonly session: Session;
  readonly options: ValueOptions;
  /** When the tier ends, by `performance.now()`. */
  readonly until: number;
}

export function isOver({ session, until }: Context): boolean {
  return performance.now() > until || session.isOver();
}

/** Statuses that refuse what was sent; others have other reasons, such as 404, 405 and 429. */
export const REFUSALS = [400, 413, 414, 415, 422];

/** Whether a request was accepted; a redirect proves nothing. */
export function isAccepted({ answer: { status } }: Exchange): boolean {
  return (status >= 200 && status < 300) || status === 304;
}

/** One finding for each place and keyword. */
export function report(
  session: Session,
  { trial, edge: { at, keyword }, check, message, exchange }: {
    readonly trial: Trial;
    readonly edge: Pick<Edge, "at" | "keyword">;
    readonly check: string;
    readonly message: string;
    readonly exchange: Exchange;
  },
): void {
  const { operation } = trial.intake;
  const cause = causeOf({ operation, at, keyword, check });
  if (session.known.causes.has(cause)) return;
  session.known.causes.add(cause);
  session.report({ check, where: operation.id, message, exchange });
}

/** The request with another value at a place, or without the place. */
export function replaced(base: Parts, at: string, value: Json | undefined): Parts {
  function put(old: unknown, [part, ...rest]: readonly string[]): unknown {
    if (part === undefined) return value;
    if (Array.isArray(old)) return old.with(Number(part), put(old[Number(part)], rest));
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const members = objectOf(old as Json);
    return { ...members, [name]: put(valueAt(members, `/${part}`), rest) };
  }
  return JSON.parse(JSON.stringify(put(base, at.split("/").slice(1))));
}

/** The request with other texts in its body, where the schema permits them. */
export function withOtherTexts(
  { session, options }: Pick<Context, "session" | "options">,
  { base, intake }: Trial,
): Parts {
  const schema = intake.media?.schema ?? {};
  return Object.entries(objectOf(base.body)).reduce((parts, [name, value]) => {
    if (typeof value !== "string") return parts;
    const other = replaced(
      parts,
      `/body${pointer(name)}`,
      `c${session.unique().toString(36).slice(-6)}`,
    );
    return options.isValid(schema, other.body ?? null) ? other : parts;
  }, base);
}
