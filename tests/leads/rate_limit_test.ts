/** @module GCRA: exact allowances and exact waiting times. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { clampArrival, left, take } from "../../leads/rate_limit.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

/** Takes until refused; returns how many were admitted, and the state. */
function takeAll(allowance: { count: number; windowMs: number }, start = { arrival: 0, now: NOW }) {
  let { arrival } = start;
  for (let admitted = 0;; admitted++) {
    const verdict = take(allowance, { arrival, now: start.now });
    if (!verdict.allowed) {
      return { admitted, arrival, restoreMs: left(allowance, { ...start, arrival }).restoreMs };
    }
    arrival = verdict.arrival;
  }
}

Deno.test("take() admits the allowance, and one more request after the wait", () => {
  const allowances = [[20, 600_000], [120, 60_000], [1, 1_000], [7, 60_000], [3, 1_000]];
  for (const [count, windowMs] of [...allowances, [999, 1_000], [97, 86_400_000]]) {
    const allowance = { count: count!, windowMs: windowMs! };
    const { admitted, arrival, restoreMs } = takeAll(allowance);
    equal(admitted, count);
    const refused = take(allowance, { arrival, now: NOW + restoreMs - 0.3 });
    deepEqual([refused.allowed, refused.arrival], [false, arrival]);
    equal(take(allowance, { arrival, now: NOW + restoreMs }).allowed, true);
  }
});

Deno.test("take() counts down, and the whole allowance is back after the window", () => {
  const allowance = { count: 3, windowMs: 30_000 };
  let arrival = 0;
  const seen = [1, 2, 3].map(() => {
    arrival = take(allowance, { arrival, now: NOW }).arrival;
    return left(allowance, { arrival, now: NOW });
  });
  deepEqual(seen, [2, 1, 0].map((remaining) => ({ remaining, restoreMs: 10_000 })));
  deepEqual(left(allowance, { arrival, now: NOW + 30_000 }), { remaining: 3, restoreMs: 0 });
  equal(takeAll(allowance, { arrival, now: NOW + 30_000 }).admitted, 3);
});

const WINDOW = { count: 20, windowMs: 600_000 };

Deno.test("take() treats an arrival time beyond the window as one window ahead", () => {
  for (const arrival of [NOW + 601_000, NOW + 86_400_000, Infinity]) {
    const refused = take(WINDOW, { arrival, now: NOW });
    deepEqual(refused, { allowed: false, arrival: NOW + 600_000 });
    deepEqual(left(WINDOW, { arrival, now: NOW }), { remaining: 0, restoreMs: 30_000 });
    equal(takeAll(WINDOW, { arrival: refused.arrival, now: NOW + 30_000 }).admitted, 1);
    equal(takeAll(WINDOW, { arrival: refused.arrival, now: NOW + 600_000 }).admitted, 20);
  }
});

Deno.test("take() treats a past or invalid arrival time as a whole allowance", () => {
  for (const arrival of [NaN, -Infinity, -1, 0, NOW - 1]) {
    deepEqual(left(WINDOW, { arrival, now: NOW }), { remaining: 20, restoreMs: 0 });
    const full = { admitted: 20, arrival: NOW + 600_000, restoreMs: 30_000 };
    deepEqual(takeAll(WINDOW, { arrival, now: NOW }), full);
  }
});

Deno.test("clampArrival() keeps every arrival time that its allowance can produce", () => {
  let arrival = 0;
  for (let n = 1; n <= 20; n++) {
    arrival = take(WINDOW, { arrival, now: NOW }).arrival;
    equal(clampArrival(WINDOW, { arrival, now: NOW }), NOW + n * 30_000);
  }
});
