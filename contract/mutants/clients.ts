/** @module Faults in how clients are told apart. */

import { requestHeader } from "./changes.ts";
import type { MutantTable } from "./mutant.ts";

/** The trusted proxy names another client. */
const forwarded = (edit: (field: string) => string) => requestHeader("x-forwarded-for", edit);

/** One client counted as two, or two as one. */
export const CLIENTS: MutantTable = {
  "a forged X-Forwarded-For counts as another client": [{
    env: (env) => ({ TRUSTED_PROXY_HOPS: "1", ...env }),
  }, "limit_clients"],
  "behind a trusted proxy all clients are one": {
    env: ({ TRUSTED_PROXY_HOPS: _removed, ...env }) => env,
  },
  "behind a trusted proxy a client chooses its own address": forwarded((field) =>
    field.split(",", 1)[0]!
  ),
  "an IPv4 address mapped to IPv6 is another client": forwarded((field) =>
    field.replace(/^::ffff:192\.0\.2\.10$/, "198.51.100.77")
  ),
  "IPv6 clients are counted by /48": forwarded((field) =>
    field.replace(/^2001:db8:1:\d+:/, "2001:db8:1:2:")
  ),
  "IPv6 clients are counted by their whole address": forwarded((field) =>
    field.replace(/^2001:db8:1:2::(\d+)$/, "2001:db8:7:$1::")
  ),
};
