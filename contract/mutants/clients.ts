/** @module Faults in who is one client and who is another. */

import type { Mutant, Spoiling } from "./mutant.ts";

/** The service is told another client than the one that a proxy in front of it has named. */
function forwarded(change: (field: string) => string): NonNullable<Spoiling["request"]> {
  return ({ headers }) => {
    const field = headers["x-forwarded-for"];
    return field === undefined ? {} : { headers: { "x-forwarded-for": change(field) } };
  };
}

/** One client taken for two, or two for one. */
export const CLIENTS: readonly Mutant[] = [
  {
    name: "forwarded-for-believed",
    fault: "a forged X-Forwarded-For is another client",
    breaks: "limits",
    by: "limits",
    check: "limit_clients",
    env: (given) => ({ TRUSTED_PROXY_HOPS: "1", ...given }),
  },
  {
    name: "proxy-not-trusted",
    fault: "behind a trusted proxy all clients are one",
    breaks: "limits",
    by: "limits",
    env: ({ TRUSTED_PROXY_HOPS: _gone, ...given }) => given,
  },
  {
    name: "leftmost-is-client",
    fault: "behind a trusted proxy the client is what it says itself",
    breaks: "limits",
    by: "limits",
    request: forwarded((field) => field.split(",", 1)[0]!),
  },
  {
    name: "mapped-is-another",
    fault: "an IPv4 address mapped to IPv6 is another client",
    breaks: "limits",
    by: "limits",
    request: forwarded((field) => field.replace(/^::ffff:192\.0\.2\.10$/, "198.51.100.77")),
  },
  {
    name: "prefix-48",
    fault: "clients by IPv6 are told apart by /48",
    breaks: "limits",
    by: "limits",
    request: forwarded((field) => field.replace(/^2001:db8:1:\d+:/, "2001:db8:1:2:")),
  },
  {
    name: "prefix-128",
    fault: "clients by IPv6 are told apart by all their bits",
    breaks: "limits",
    by: "limits",
    request: forwarded((field) => field.replace(/^2001:db8:1:2::(\d+)$/, "2001:db8:7:$1::")),
  },
];
