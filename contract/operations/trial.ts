/** @module One operation in the operations tier: its requests, and its findings. */

import type { Exchange } from "../exchange.ts";
import { causeOf, type Intake } from "../request/intake.ts";
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
  edges: readonly Edge[];
  /** Whether it accepts a request once, and then only others: names are taken. */
  isOnce?: boolean;
}

export interface Context {
  readonly session: Session;
  readonly options: ValueOptions;
}

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
