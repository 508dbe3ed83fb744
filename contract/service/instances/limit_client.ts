/**
 * @module A limited instance and its clients, which read RateLimit-Policy and RateLimit strictly
 * (draft-ietf-httpapi-ratelimit-headers, structured fields by RFC 9651).
 */

import type { Operation } from "../../document/document.ts";
import type { Answer, Call, Exchange } from "../../lib/exchange.ts";
import type { LimitRules } from "../../oracle/profile.ts";
import type { Session } from "../../run/session.ts";
import { exampleCall } from "../../request/operation_input.ts";
import { retryAfterOf } from "../../lib/retry_after.ts";
import { declareRules, type RuleName } from "../../lib/rules.ts";

export const LIMIT_RULES = declareRules({
  limit_allowance: "breach: the service admits as many requests as its limits allow, and no more",
  limit_clients: "breach: clients are counted apart, by their address as the proxies report it",
  limit_fields: "breach: RateLimit and RateLimit-Policy are well formed and consistent",
  limit_headers: "breach: RateLimit reports what is left, and when more is",
  limit_recovery: "breach: a client is admitted again when its limit allows it",
  limit_refusals: "breach: refusals are fast and extend no wait",
  limit_retry_after: "breach: Retry-After tells how long a client has to wait",
  limit_scope: "breach: only the limited operation is limited",
  limit_unread: "breach: a refused request is answered without its body being read",
});

export type Policy = Readonly<Record<"accepted" | "attempts" | "seconds", number>>;

export const PLENTY = 4_000;

/** A limit, with the window and the time until one more is left in seconds. */
type LimitState = Readonly<Record<"quota" | "window" | "remaining" | "reset", number>>;

/** A request and the client's limits after it. Times are `performance.now()`. */
export interface Attempt {
  readonly exchange: Exchange;
  readonly status: number;
  /** By name of the limit; empty if the fields are malformed, which is a finding. */
  readonly limits: ReadonlyMap<string, LimitState>;
  readonly wait: number | undefined;
  readonly sentAt: number;
  readonly gotAt: number;
  readonly isLate: boolean;
}

/** A valid body, or an empty object. */
export type Kind = "valid" | "invalid";

interface Expected {
  readonly want?: number;
  /** The rule and the message, which by default say that the allowance is another. */
  readonly check?: RuleName;
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
  report(check: RuleName, message: string, exchange?: Exchange): void;
  /** Creates a client; a trusted proxy forwards its `address`. */
  client(address?: string): Client;
}

export function limitedAt(session: Session, rules: LimitRules): LimitedService {
  const operation = session.contract.document.operations.find(({ id }) => id === rules.operation)!;
  function report(check: RuleName, message: string, exchange?: Exchange): void {
    session.report(check, message, { where: rules.operation, exchange });
  }
  function readLimits(exchange: Exchange): Attempt["limits"] {
    const { answer } = exchange;
    try {
      return limitsOf(answer);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      report(LIMIT_RULES.limit_fields, `${error.message}, on ${answer.status}`, exchange);
      return new Map();
    }
  }
  async function send(call: Call, title: string, expected: Expected): Promise<Attempt> {
    const { want, check = LIMIT_RULES.limit_allowance, says, before = Infinity } = expected;
    const sentAt = performance.now();
    const exchange = await session.send(call, { title });
    const gotAt = performance.now();
    const { status, headers } = exchange.answer;
    const wait = secondsOf(headers);
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

/** A string with parameters, which are whole numbers in both fields. */
const MEMBER =
  /"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"((?:; *[a-z*][a-z0-9_.*-]*=\d{1,15})*)/;
const LIST = new RegExp(`^${MEMBER.source}(?:[\\t ]*,[\\t ]*${MEMBER.source})*$`);

/** The limits by name. @throws {SyntaxError} naming the field and the problem */
export function limitsOf(
  { status, headers }: Pick<Answer, "status" | "headers">,
): Map<string, LimitState> {
  const policies = membersOf(headers, { field: "RateLimit-Policy", keys: ["q", "w"] });
  const states = membersOf(headers, { field: "RateLimit", keys: ["r", "t"] });
  if ([...policies.keys()].join() !== [...states.keys()].join()) {
    throw new SyntaxError("RateLimit has other names than RateLimit-Policy");
  }
  const limits = new Map<string, LimitState>();
  for (const [name, [quota, window]] of policies) {
    const [remaining, reset] = states.get(name)!;
    if (quota < 1 || window < 1) throw new SyntaxError("RateLimit-Policy allows nothing");
    if (remaining > quota) throw new SyntaxError("RateLimit leaves more than there is");
    if (reset > window) throw new SyntaxError("RateLimit waits longer than its window");
    limits.set(name, { quota, window, remaining, reset });
  }
  if (status !== 429) return limits;
  const exhausted = [...limits.values()].filter(({ remaining }) => remaining === 0);
  if (exhausted.length === 0) throw new SyntaxError("RateLimit leaves something to a refusal");
  // Retry-After of a refusal, unless it is a date, is the longest wait of the exhausted limits.
  const wait = secondsOf(headers);
  const longest = Math.max(1, ...exhausted.map(({ reset }) => reset));
  if (wait !== undefined && wait !== longest) {
    throw new SyntaxError("RateLimit differs from Retry-After");
  }
  return limits;
}

/** Retry-After in seconds; undefined if it is a date, which cannot be exact. */
function secondsOf(headers: Headers): number | undefined {
  const after = retryAfterOf(headers);
  return after?.isDate === false ? after.seconds : undefined;
}

type Pair = readonly [number, number];

function membersOf(
  headers: Headers,
  { field, keys }: { readonly field: string; readonly keys: readonly [string, string] },
): Map<string, Pair> {
  function fail(problem: string): never {
    throw new SyntaxError(`${field} ${problem}`);
  }
  const value = headers.get(field);
  if (value === null) fail("is missing");
  if (!LIST.test(value)) fail("is not a list of strings with whole numbers");
  const members = new Map<string, Pair>();
  for (const [, name = "", parameters = ""] of value.matchAll(new RegExp(MEMBER, "g"))) {
    const pairs = parameters.split(";").slice(1).map((pair) => pair.trim().split("="));
    const values = new Map(pairs.map(([key, value]) => [key, Number(value)]));
    const missing = keys.find((key) => !values.has(key));
    if (missing !== undefined) fail(`lacks ${missing}`);
    if (members.has(name)) fail("has a name twice");
    if (values.size < pairs.length) fail("has a parameter twice");
    members.set(name, [values.get(keys[0])!, values.get(keys[1])!]);
  }
  return members;
}
