/** @module A limited instance, and clients that send to it and read what is left of their limits. */

import type { Operation } from "../document.ts";
import type { Call, Exchange } from "../exchange.ts";
import type { LimitRules } from "../profile.ts";
import type { Session } from "../session.ts";
import { exampleCall } from "../tiers/example_call.ts";
import { limitsOf, type LimitState } from "./fields.ts";

/** How many requests are admitted in a window. */
export interface Policy {
  readonly accepted: number;
  readonly attempts: number;
  readonly seconds: number;
}

/** More than any check sends. */
export const PLENTY = 4_000;

/** A request and the client's limits after it. Times are `performance.now()`. */
export interface Attempt {
  readonly exchange: Exchange;
  readonly status: number;
  /** By name of the limit; empty if the fields are malformed, which is a finding. */
  readonly limits: ReadonlyMap<string, LimitState>;
  readonly wait: number | undefined;
  readonly sentAt: number;
  readonly gotAt: number;
  /** It was answered too late to be judged. */
  readonly isLate: boolean;
}

/** A valid body, or an empty object. */
export type Kind = "valid" | "invalid";

interface Expected {
  /** The status; undefined: any. */
  readonly want?: number;
  /** The rule and the message, which by default say that the allowance is another. */
  readonly check?: string;
  readonly says?: string;
  /** Later, one more request may be admitted: the answer is noted and not judged. */
  readonly before?: number;
  readonly headers?: NonNullable<Call["headers"]>;
}

export type Client = (kind: Kind, title: string, expected?: Expected) => Promise<Attempt>;

export interface LimitedService {
  readonly session: Session;
  readonly rules: LimitRules;
  readonly operation: Operation;
  report(check: string, message: string, exchange?: Exchange): void;
  /** Creates a client; a trusted proxy forwards its `address`. */
  client(address?: string): Client;
}

export function limitedAt(session: Session, rules: LimitRules): LimitedService {
  const operation = session.contract.document.operations.find(({ id }) => id === rules.operation)!;
  function report(check: string, message: string, exchange?: Exchange): void {
    session.report({ check, where: rules.operation, message, exchange });
  }
  function readLimits(exchange: Exchange): Attempt["limits"] {
    const { answer } = exchange;
    try {
      return limitsOf(answer);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      report("limit_fields", `${error.message}, on ${answer.status}`, exchange);
      return new Map();
    }
  }
  async function send(call: Call, title: string, expected: Expected): Promise<Attempt> {
    const { want, check = "limit_allowance", says, before = Infinity } = expected;
    const sentAt = performance.now();
    const exchange = await session.send(call, { title });
    const gotAt = performance.now();
    const { status, headers } = exchange.answer;
    const after = headers.get("retry-after") ?? "";
    const wait = /^\d+$/.test(after) ? Number(after) : undefined;
    const isLate = gotAt >= before;
    if (isLate) session.note(`inconclusive, the machine was too slow: ${title}`);
    else if (status !== (want ?? status)) {
      report(check, says ?? `${title}: got ${status} instead of ${want}`, exchange);
    }
    return { exchange, status, limits: readLimits(exchange), wait, sentAt, gotAt, isLate };
  }
  function client(address?: string): Client {
    const proxied = address === undefined ? [] : [["x-forwarded-for", address] as const];
    return (kind, title, expected = {}) => {
      const call = exampleCall(session, operation);
      if (call === undefined) throw new Error(`Cannot send ${operation.id}: it has no example`);
      const headers = [...call.headers ?? [], ...proxied, ...expected.headers ?? []];
      const body = kind === "valid" ? call.body! : "{}";
      return send({ ...call, headers, body }, title, expected);
    };
  }
  return { session, rules, operation, report, client };
}
