/**
 * @module Strict parser for RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers):
 * lists of strings with parameters, in structured fields (RFC 9651).
 */

import type { Answer } from "../exchange.ts";

/** A limit and a client's remaining share. */
export interface LimitState {
  /** `q`: requests per window. */
  readonly quota: number;
  /** `w`: the window in seconds. */
  readonly window: number;
  /** `r`: requests left. */
  readonly remaining: number;
  /** `t`: seconds until one more is left. */
  readonly reset: number;
}

/** A string with parameters, which are whole numbers in both fields. */
const MEMBER =
  /"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"((?:; *[a-z*][a-z0-9_.*-]*=\d{1,15})*)/;
const LIST = new RegExp(`^${MEMBER.source}(?:[\\t ]*,[\\t ]*${MEMBER.source})*$`);

/**
 * The limits of a response, by name.
 * @throws {SyntaxError} naming the field and the fault
 */
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
  const wait = Number(headers.get("retry-after") ?? NaN);
  const longest = Math.max(1, ...exhausted.map(({ reset }) => reset));
  if (wait < longest || wait > longest) throw new SyntaxError("RateLimit differs from Retry-After");
  return limits;
}

type Pair = readonly [number, number];

/** The values of two parameters, by the names of the members. */
function membersOf(
  headers: Headers,
  { field, keys }: { readonly field: string; readonly keys: readonly [string, string] },
): Map<string, Pair> {
  function fail(fault: string): never {
    throw new SyntaxError(`${field} ${fault}`);
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
    members.set(name, keys.map((key) => values.get(key)) as unknown as Pair);
  }
  return members;
}
