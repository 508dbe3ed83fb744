/**
 * @module A client of a limited instance: sends valid and wrong bodies, and reads how it stands.
 */

import type { Operation } from "../document.ts";
import type { Call, Exchange } from "../exchange.ts";
import type { Profile } from "../profile.ts";
import type { Session } from "../session.ts";
import { exampleCall } from "../tiers/example_call.ts";
import { FieldError, limitsOf, type LimitState } from "./fields.ts";

/** One request and how the client stands after it. Times as `performance.now()` has them. */
export interface Try {
  readonly exchange: Exchange;
  readonly status: number;
  /** By the name of the limit; empty where the fields cannot be read, which is a finding. */
  readonly limits: ReadonlyMap<string, LimitState>;
  readonly wait: number | undefined;
  readonly sentAt: number;
  readonly gotAt: number;
}

/** What a client sends: a valid body, or one that no schema of an object with members takes. */
export type Kind = "valid" | "wrong";

export interface Client {
  try(kind: Kind, title: string, headers?: Call["headers"]): Promise<Try>;
}

/** The limited operation of a profile, and what its limits are called. */
type LimitRules = NonNullable<Profile["limits"]>;

/** A limited instance, and what is known of it. */
export interface Limited {
  readonly session: Session;
  readonly rules: LimitRules;
  readonly operation: Operation;
  say(check: string, message: string, exchange?: Exchange): void;
  /** A client; with `address` one that a trusted proxy names. */
  client(address?: string): Client;
}

/** Creates the means to look at an instance. */
export function limitedAt(session: Session, rules: LimitRules): Limited {
  const operation = session.law.document.operations.find(({ id }) => id === rules.operation)!;

  function say(check: string, message: string, exchange?: Exchange): void {
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
    say,
    client: (address) => ({
      async try(kind, title, headers = []) {
        const call = callOf(kind);
        const proxied = address === undefined ? [] : [["x-forwarded-for", address] as const];
        const all = [...call.headers ?? [], ...proxied, ...headers];
        const sentAt = performance.now();
        const exchange = await session.send({ ...call, headers: all }, { title });
        return tryOf(exchange, { sentAt, gotAt: performance.now(), say });
      },
    }),
  };
}

/** How a client stands after an exchange. */
function tryOf(
  exchange: Exchange,
  { sentAt, gotAt, say }: Pick<Try, "sentAt" | "gotAt"> & Pick<Limited, "say">,
): Try {
  const { status, headers } = exchange.answer;
  const after = headers.get("retry-after");
  const wait = after === null || !/^\d+$/.test(after) ? undefined : Number(after);
  let limits: ReadonlyMap<string, LimitState> = new Map();
  try {
    limits = limitsOf(headers);
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    say("limit_fields", `${error.message}, on ${status}`, exchange);
  }
  if (status === 429 && limits.size > 0) holdsWait({ exchange, limits, wait, say });
  return { exchange, status, limits, wait, sentAt, gotAt };
}

/** On a refusal, Retry-After is as long as every limit of which nothing is left wants it. */
function holdsWait({ exchange, limits, wait, say }: {
  readonly exchange: Exchange;
  readonly limits: ReadonlyMap<string, LimitState>;
  readonly wait: number | undefined;
  readonly say: Limited["say"];
}): void {
  const resets = [...limits.values()].filter(({ remaining }) => remaining === 0)
    .map(({ reset }) => reset);
  if (resets.length === 0) {
    say("limit_fields", "RateLimit on a refusal says that something is left", exchange);
  } else if (wait !== undefined && wait !== Math.max(1, ...resets)) {
    say("limit_retry_after", "Retry-After is not what RateLimit says", exchange);
  }
}
