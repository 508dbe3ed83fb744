/** @module The exact RateLimit-Policy, RateLimit and Retry-After. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import {
  limitHeader,
  policyHeader,
  refusalHeaders,
} from "../../../routes/http/rate_limit_headers.ts";

const FULL = { remaining: 120, restoreMs: 0 };

// Both limits in both fields are in `../documented_answers_test.ts`.
Deno.test("seconds are rounded up", () => {
  const lead = { remaining: 19, restoreMs: 29_001 };
  deepEqual(limitHeader({ lead }), { "ratelimit": '"lead";r=19;t=30' });
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
