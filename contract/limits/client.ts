/**
 * @module A client of a limited instance: sends valid and invalid bodies and reads its limits.
 */

import type { Operation } from "../document.ts";
import type { Call, Exchange } from "../exchange.ts";
import type { Profile } from "../profile.ts";
import type { Session } from "../session.ts";
import { exampleCall } from "../request/intake.ts";
import { FieldError, limitsOf, type LimitState } from "./fields.ts";

/** A request and the client's limits after it. Times are `performance.now()`. */
export interface Attempt {
  readonly exchange: Exchange;
  readonly status: number;
  /** By name of the limit; empty if the fields are malformed, which is a finding. */
  readonly limits: ReadonlyMap<string, LimitState>;
  readonly wait: number | undefined;
  readonly sentAt: number;
  readonly gotAt: number;
}

/** A valid body, or an empty object. */
export type Kind = "valid" | "invalid";

export interface Client {
  send(kind: Kind, title: string, headers?: Call["headers"]): Promise<Attempt>;
}

/** The status that an answer must have; by default it says that the allowance is another. */
interface Expected {
  readonly want: number;
  readonly check?: string;
  readonly says?: string;
}

export interface LimitedService {
  readonly session: Session;
  /** The limited operation of a profile and the names of its limits. */
  readonly rules: NonNullable<Profile["limits"]>;
  readonly operation: Operation;
  report(check: string, message: string, exchange?: Exchange): void;
  expect(seen: Attempt, expected: Expected): void;
  /** Creates a client; a trusted proxy forwards its `address`. */
  client(address?: string): Client;
}

export function limitedAt(session: Session, rules: LimitedService["rules"]): LimitedService {
  const operation = session.contract.document.operations.find(({ id }) => id === rules.operation)!;
  const report: LimitedService["report"] = (check, message, exchange) =>
    session.report({ check, where: rules.operation, message, exchange });
  return {
    session,
    rules,
    operation,
    report,
    expect({ status, exchange }, { want, check = "limit_allowance", says }) {
      const message = says ?? `${exchange.title}: got ${status} instead of ${want}`;
      if (status !== want) report(check, message, exchange);
    },
    client: (address) => ({
      async send(kind, title, headers = []) {
        const call = exampleCall(session, operation);
        if (call === undefined) throw new Error(`Cannot send ${operation.id}: it has no example`);
        const proxied = address === undefined ? [] : [["x-forwarded-for", address] as const];
        const all = [...call.headers ?? [], ...proxied, ...headers];
        const body = kind === "valid" ? call.body! : "{}";
        const sentAt = performance.now();
        const exchange = await session.send({ ...call, headers: all, body }, { title });
        return attemptOf(exchange, { sentAt, gotAt: performance.now(), report });
      },
    }),
  };
}

function attemptOf(
  exchange: Exchange,
  { sentAt, gotAt, report }: Pick<Attempt, "sentAt" | "gotAt"> & Pick<LimitedService, "report">,
): Attempt {
  const { status, headers } = exchange.answer;
  const after = headers.get("retry-after") ?? "";
  const wait = /^\d+$/.test(after) ? Number(after) : undefined;
  let limits: Attempt["limits"] = new Map();
  try {
    limits = limitsOf(headers);
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    report("limit_fields", `${error.message}, on ${status}`, exchange);
  }
  if (status === 429 && limits.size > 0) {
    // Retry-After of a refusal is the longest wait of the exhausted limits.
    const exhausted = limits.values().filter(({ remaining }) => remaining === 0);
    const longest = Math.max(...exhausted.map(({ reset }) => reset));
    if (longest === -Infinity) {
      report("limit_fields", "RateLimit on a refusal reports that something is left", exchange);
    } else if (wait !== undefined && wait !== Math.max(1, longest)) {
      report("limit_retry_after", "Retry-After differs from RateLimit", exchange);
    }
  }
  return { exchange, status, limits, wait, sentAt, gotAt };
}
