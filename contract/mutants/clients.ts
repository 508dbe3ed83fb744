/** @module Faults in how clients are told apart. */

import { type Mutant, mutantsOf, requestHeader } from "./mutant.ts";

/** The proxy in front of the service names another client. */
const forwarded = (edit: (field: string) => string) => requestHeader("x-forwarded-for", edit);

/** One client counted as two, or two as one. */
export const CLIENTS: readonly Mutant[] = mutantsOf({ breaks: "limits", by: "limits" }, {
  "forwarded-for-believed": [
    "a forged X-Forwarded-For counts as another client",
    { env: (env) => ({ TRUSTED_PROXY_HOPS: "1", ...env }) },
    "limit_clients",
  ],
  "proxy-not-trusted": [
    "behind a trusted proxy all clients are one",
    { env: ({ TRUSTED_PROXY_HOPS: _removed, ...env }) => env },
  ],
  "leftmost-is-client": [
    "behind a trusted proxy a client chooses its own address",
    forwarded((field) => field.split(",", 1)[0]!),
  ],
  "mapped-is-another": [
    "an IPv4 address mapped to IPv6 is another client",
    forwarded((field) => field.replace(/^::ffff:192\.0\.2\.10$/, "198.51.100.77")),
  ],
  "prefix-48": [
    "IPv6 clients are counted by /48",
    forwarded((field) => field.replace(/^2001:db8:1:\d+:/, "2001:db8:1:2:")),
  ],
  "prefix-128": [
    "IPv6 clients are counted by their whole address",
    forwarded((field) => field.replace(/^2001:db8:1:2::(\d+)$/, "2001:db8:7:$1::")),
  ],
});
