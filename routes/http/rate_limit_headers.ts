/**
 * @module RateLimit-Policy, RateLimit (draft-ietf-httpapi-ratelimit-headers), Retry-After (RFC 9110).
 *
 * `q` is the quota, `w` its window in seconds, `r` what remains, and `t` the seconds until one more
 * request is admitted: with nothing left, the same as Retry-After.
 */

import type { RateLimit } from "../../config/settings.ts";

/** What remains of each limit, by name. */
type Limits = Readonly<Record<string, { readonly remaining: number; readonly restoreMs: number }>>;

type Fields = Record<string, string>;

/** RateLimit-Policy for limits by name, such as `lead`. */
export function policyHeader(limits: Readonly<Record<string, RateLimit>>): Fields {
  const policy = Object.entries(limits)
    .map(([name, { count, windowMs }]) => `"${name}";q=${count};w=${seconds(windowMs)}`);
  return { "ratelimit-policy": policy.join(", ") };
}

export function limitHeader(limits: Limits): Fields {
  const state = Object.entries(limits)
    .map(([name, { remaining, restoreMs }]) => `"${name}";r=${remaining};t=${seconds(restoreMs)}`);
  return { ratelimit: state.join(", ") };
}

/** RateLimit and Retry-After for a 429: the wait until every limit admits a request. */
export function refusalHeaders(limits: Limits): Fields {
  const spent = Object.values(limits).filter(({ remaining }) => remaining === 0);
  const wait = Math.max(1, ...spent.map(({ restoreMs }) => seconds(restoreMs)));
  return { ...limitHeader(limits), "retry-after": String(wait) };
}

/** Rounded up: a client that waits that long is never too early. */
function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
