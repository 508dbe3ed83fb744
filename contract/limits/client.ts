/**
 * @module A client of a limited instance: sends valid and invalid bodies and reads its limits.
 */

import type { Operation } from "../document.ts";
import type { Call, Exchange } from "../exchange.ts";
import type { Profile } from "../profile.ts";
import type { Session } from "../session.ts";
import { exampleCall } from "../tiers/example_call.ts";
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

/** The limited operation of a profile and the names of its limits. */
type LimitRules = NonNullable<Profile["limits"]>;

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

  function callOf(kind: Kind): Call {
    const call = exampleCall(session, operation);
    if (call === undefined) throw new Error(`Cannot send ${operation.id}: there is no valid body`);
    return kind === "valid" ? call : { ...call, body: "{}" };
  }

  return {
    session,
    rules,
    operation,
    report,
    client: (address) => ({
      async send(kind, title, headers = []) {
        const call = callOf(kind);
        const proxied = address === undefined ? [] : [["x-forwarded-for", address] as const];
        const all = [...call.headers ?? [], ...proxied, ...headers];
        const sentAt = performance.now();
        const exchange = await session.send({ ...call, headers: all }, { title });
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
  const after = headers.get("retry-after");
  const wait = after === null || !/^\d+$/.test(after) ? undefined : Number(after);
  let limits: ReadonlyMap<string, LimitState> = new Map();
  try {
    limits = limitsOf(headers);
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    report("limit_fields", `${error.message}, on ${status}`, exchange);
  }
  if (status === 429 && limits.size > 0) checkWait({ exchange, limits, wait, report });
  return { exchange, status, limits, wait, sentAt, gotAt };
}

/** Retry-After of a refusal is the longest wait of the exhausted limits. */
function checkWait({ exchange, limits, wait, report }: {
  readonly exchange: Exchange;
  readonly limits: ReadonlyMap<string, LimitState>;
  readonly wait: number | undefined;
  readonly report: LimitedService["report"];
}): void {
  const resets = [...limits.values()].filter(({ remaining }) => remaining === 0)
    .map(({ reset }) => reset);
  if (resets.length === 0) {
    report("limit_fields", "RateLimit on a refusal reports that something is left", exchange);
  } else if (wait !== undefined && wait !== Math.max(1, ...resets)) {
    report("limit_retry_after", "Retry-After differs from RateLimit", exchange);
  }
}
