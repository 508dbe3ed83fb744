/** @module GCRA: exact allowances, exact waiting times. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { clampArrival, left, take } from "../../leads/rate_limit.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

/** Takes until refused; returns how many were admitted, and the state. */
function takeAll(allowance: { count: number; windowMs: number }, start = { arrival: 0, now: NOW }) {
  let { arrival } = start;
  for (let admitted = 0;; admitted++) {
    const verdict = take(allowance, { arrival, now: start.now });
    if (!verdict.allowed) return { admitted, arrival, restoreMs: verdict.restoreMs };
    arrival = verdict.arrival;
  }
}

const ALLOWANCES = [
  ...[[20, 600_000], [120, 60_000], [1, 1_000], [7, 60_000]],
  ...[[3, 1_000], [999, 1_000], [97, 86_400_000]],
] as const;

for (const [count, windowMs] of ALLOWANCES) {
  Deno.test(`an allowance of ${count} in ${windowMs} ms admits that many, and one more after the wait`, () => {
    const allowance = { count: count!, windowMs: windowMs! };
    const { admitted, arrival, restoreMs } = takeAll(allowance);
    equal(admitted, count);
    const refused = take(allowance, { arrival, now: NOW + restoreMs - 0.3 });
    deepEqual([refused.allowed, refused.arrival], [false, arrival]);
    equal(take(allowance, { arrival, now: NOW + restoreMs }).allowed, true);
  });
}

Deno.test("what is left counts down to nothing, and the time to one more is told", () => {
  const allowance = { count: 3, windowMs: 30_000 };
  let arrival = 0;
  const seen = [1, 2, 3].map(() => {
    const verdict = take(allowance, { arrival, now: NOW });
    arrival = verdict.arrival;
    return [verdict.remaining, verdict.restoreMs];
  });
  deepEqual(seen, [[2, 10_000], [1, 10_000], [0, 10_000]]);
});

Deno.test("the whole allowance is back after the window", () => {
  const allowance = { count: 5, windowMs: 10_000 };
  const { arrival } = takeAll(allowance);
  deepEqual(left(allowance, { arrival, now: NOW + 10_000 }), { remaining: 5, restoreMs: 0 });
  equal(takeAll(allowance, { arrival, now: NOW + 10_000 }).admitted, 5);
});

Deno.test("a clock that goes backwards refuses rather than admits more", () => {
  const allowance = { count: 1, windowMs: 1_000 };
  const { arrival } = take(allowance, { arrival: 0, now: NOW });
  equal(take(allowance, { arrival, now: NOW - 60_000 }).allowed, false);
});

const WINDOW = { count: 20, windowMs: 600_000 };

for (
  const [what, arrival] of [
    ["a day ahead, from a clock that was", NOW + 86_400_000],
    ["one window and a second ahead", NOW + 601_000],
    ["in the year 3000", Date.UTC(3000)],
    ["Infinity", Infinity],
  ] as const
) {
  Deno.test(`an arrival time ${what} refuses for one interval, then admits as after a full burst`, () => {
    const refused = take(WINDOW, { arrival, now: NOW });
    deepEqual(refused, {
      allowed: false,
      arrival: NOW + 600_000,
      remaining: 0,
      restoreMs: 30_000,
    });
    deepEqual(left(WINDOW, { arrival, now: NOW }), { remaining: 0, restoreMs: 30_000 });
    equal(takeAll(WINDOW, { arrival: refused.arrival, now: NOW + 30_000 }).admitted, 1);
    equal(takeAll(WINDOW, { arrival: refused.arrival, now: NOW + 600_000 }).admitted, 20);
  });
}

for (const arrival of [NaN, -Infinity, -1, 0, NOW - 1]) {
  Deno.test(`an arrival time of ${arrival} is that of a client at rest`, () => {
    deepEqual(left(WINDOW, { arrival, now: NOW }), { remaining: 20, restoreMs: 0 });
    deepEqual(takeAll(WINDOW, { arrival, now: NOW }), {
      admitted: 20,
      arrival: NOW + 600_000,
      restoreMs: 30_000,
    });
  });
}

Deno.test("clampArrival() leaves every arrival time that its own allowance can lead to", () => {
  let arrival = 0;
  for (let n = 1; n <= 20; n++) {
    arrival = take(WINDOW, { arrival, now: NOW }).arrival;
    equal(clampArrival(WINDOW, { arrival, now: NOW }), NOW + n * 30_000);
  }
});
