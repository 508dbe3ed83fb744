/** @module The exact RateLimit-Policy, RateLimit and Retry-After. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  limitHeader,
  policyHeader,
  refusalHeaders,
} from "../../../routes/http/rate_limit_headers.ts";

const ALLOWANCES = {
  lead: { count: 20, windowMs: 600_000 },
  attempt: { count: 120, windowMs: 60_000 },
};
const FULL = { remaining: 120, restoreMs: 0 };

Deno.test("policy and state list both limits, with seconds rounded up", () => {
  deepEqual(policyHeader(ALLOWANCES), {
    "ratelimit-policy": '"lead";q=20;w=600, "attempt";q=120;w=60',
  });
  deepEqual(limitHeader({ lead: { remaining: 19, restoreMs: 29_001 }, attempt: FULL }), {
    "ratelimit": '"lead";r=19;t=30, "attempt";r=120;t=0',
  });
  const rounded = policyHeader({ lead: { count: 7, windowMs: 1_500 } });
  equal(rounded["ratelimit-policy"], '"lead";q=7;w=2');
});

const REFUSALS = [
  [{ remaining: 0, restoreMs: 29_001 }, FULL, "30"],
  [{ remaining: 0, restoreMs: 0 }, FULL, "1"],
  [{ remaining: 5, restoreMs: 30_000 }, { remaining: 0, restoreMs: 2_000 }, "2"],
  [{ remaining: 0, restoreMs: 30_000 }, { remaining: 0, restoreMs: 2_000 }, "30"],
  [{ remaining: 0, restoreMs: 1_000 }, { remaining: 0, restoreMs: 2_500 }, "3"],
  [{ remaining: 20, restoreMs: 0 }, FULL, "1"],
] as const;

Deno.test("Retry-After is the wait until every limit admits a request, at least a second", () => {
  for (const [lead, attempt, seconds] of REFUSALS) {
    const { "retry-after": wait, ...limits } = refusalHeaders({ lead, attempt });
    equal(wait, seconds);
    deepEqual(limits, limitHeader({ lead, attempt }));
  }
});
