/** @module RateLimit-Policy, RateLimit and Retry-After, to the letter. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createRateLimitHeaders } from "../../../routes/http/rate_limit_headers.ts";
import { LEAD, withApp } from "../../support/test_app.ts";

const HEADERS = createRateLimitHeaders({
  lead: { count: 20, windowMs: 600_000 },
  attempt: { count: 120, windowMs: 60_000 },
});
const FULL = { remaining: 120, restoreMs: 0 };

Deno.test("both limits are told, with seconds rounded up", () => {
  deepEqual(HEADERS.policy, {
    "ratelimit-policy": '"lead";q=20;w=600, "attempt";q=120;w=60',
  });
  deepEqual(HEADERS.of({ lead: { remaining: 19, restoreMs: 29_001 }, attempt: FULL }), {
    "ratelimit": '"lead";r=19;t=30, "attempt";r=120;t=0',
  });
});

Deno.test("a window that is no whole second is rounded up", () => {
  const headers = createRateLimitHeaders({ lead: { count: 7, windowMs: 1_500 } });
  equal(headers.policy["ratelimit-policy"], '"lead";q=7;w=2');
});

Deno.test("what is not refused has no Retry-After", () => {
  equal(
    "retry-after" in HEADERS.of({ lead: { remaining: 0, restoreMs: 1 }, attempt: FULL }),
    false,
  );
});

/** What is left of both limits, and the seconds to wait. */
const REFUSALS = [
  [{ remaining: 0, restoreMs: 30_000 }, FULL, "30"],
  [{ remaining: 0, restoreMs: 29_001 }, FULL, "30"],
  [{ remaining: 0, restoreMs: 1 }, FULL, "1"],
  [{ remaining: 0, restoreMs: 0 }, FULL, "1"],
  [{ remaining: 5, restoreMs: 30_000 }, { remaining: 0, restoreMs: 2_000 }, "2"],
  [{ remaining: 0, restoreMs: 30_000 }, { remaining: 0, restoreMs: 2_000 }, "30"],
  [{ remaining: 0, restoreMs: 1_000 }, { remaining: 0, restoreMs: 2_500 }, "3"],
  [{ remaining: 20, restoreMs: 0 }, FULL, "1"],
] as const;

for (const [lead, attempt, seconds] of REFUSALS) {
  const state = `lead ${JSON.stringify(lead)}, attempt ${JSON.stringify(attempt)}`;
  Deno.test(`a refusal with ${state} says: retry after ${seconds} s`, () => {
    const headers = HEADERS.refusal({ lead, attempt });
    equal(headers["retry-after"], seconds);
    const { "retry-after": _, ...limits } = headers;
    deepEqual(limits, HEADERS.of({ lead, attempt }));
  });
}

Deno.test("every answer to a lead counts both limits down", () =>
  withApp(async ({ postLead }) => {
    const seen = [];
    for (const body of [LEAD, { ...LEAD, company: "Another" }, { ...LEAD, locale: "fr" }]) {
      const response = await postLead(body);
      await response.body?.cancel();
      seen.push([response.status, response.headers.get("ratelimit")]);
      equal(response.headers.get("ratelimit-policy"), '"lead";q=20;w=600, "attempt";q=120;w=60');
    }
    deepEqual(seen, [
      [200, '"lead";r=19;t=30, "attempt";r=119;t=1'],
      [200, '"lead";r=18;t=30, "attempt";r=118;t=1'],
      [400, '"lead";r=18;t=30, "attempt";r=117;t=1'],
    ]);
  }));

Deno.test("a client is admitted after Retry-After seconds, and not a second earlier", () =>
  withApp(async ({ postLead, clock }) => {
    const status = async (n: number) => {
      const response = await postLead({ ...LEAD, company: `Company ${n}` });
      await response.body?.cancel();
      return [response.status, Number(response.headers.get("retry-after"))] as const;
    };
    for (const n of [1, 2]) equal((await status(n))[0], 200);
    const [refused, wait] = await status(3);
    equal(refused, 429);
    ok(wait >= 1);
    clock.advance((wait - 1) * 1_000);
    equal((await status(4))[0], 429);
    clock.advance(1_000);
    equal((await status(5))[0], 200);
  }, { env: { LEAD_RATE_LIMIT: "2/1m" } }));
