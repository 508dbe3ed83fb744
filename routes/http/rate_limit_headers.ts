/**
 * @module RateLimit-Policy, RateLimit (draft-ietf-httpapi-ratelimit-headers) and Retry-After
 * (RFC 9110 §10.2.3) from what remains of a client's limits.
 *
 * `q` is the quota, `w` its window in seconds, `r` what remains, and `t` the seconds until one more
 * request is admitted: with nothing left, the same as Retry-After.
 */

import type { Allowance } from "../../schemas/values.ts";

/** What remains of each limit, by name. */
type Limits = Readonly<Record<string, { readonly remaining: number; readonly restoreMs: number }>>;

export interface RateLimitHeaders {
  readonly policy: Readonly<Record<string, string>>;
  of(limits: Limits): Record<string, string>;
  /** RateLimit and Retry-After for a 429: the wait until every limit admits a request. */
  refusal(limits: Limits): Record<string, string>;
}

/** Creates the headers for allowances by name, such as `lead`. */
export function createRateLimitHeaders(
  allowances: Readonly<Record<string, Allowance>>,
): RateLimitHeaders {
  const policy = Object.entries(allowances)
    .map(([name, { count, windowMs }]) => `"${name}";q=${count};w=${seconds(windowMs)}`);

  function of(limits: Limits): Record<string, string> {
    const state = Object.entries(limits)
      .map(([name, { remaining, restoreMs }]) =>
        `"${name}";r=${remaining};t=${seconds(restoreMs)}`
      );
    return { "ratelimit": state.join(", ") };
  }

  return {
    policy: { "ratelimit-policy": policy.join(", ") },
    of,
    refusal(limits) {
      const spent = Object.values(limits).filter(({ remaining }) => remaining === 0);
      const wait = Math.max(1, ...spent.map(({ restoreMs }) => seconds(restoreMs)));
      return { ...of(limits), "retry-after": String(wait) };
    },
  };
}

/** Rounded up: a client that waits that long is never too early. */
function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
