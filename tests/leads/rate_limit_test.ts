/** @module GCRA: exact allowances and exact waiting times. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { clampArrival, left, take } from "../../leads/rate_limit.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const WINDOW = { count: 20, windowMs: 600_000 };

function takeAll(allowance: { count: number; windowMs: number }, { arrival = 0, now = NOW } = {}) {
  for (let admitted = 0;; admitted++) {
    const verdict = take(allowance, { arrival, now });
    if (!verdict.allowed) return { admitted, arrival, ...left(allowance, { arrival, now }) };
    arrival = verdict.arrival;
  }
}

Deno.test("take() admits the allowance, and one more request after the wait", () => {
  const allowances = [[20, 600_000], [120, 60_000], [1, 1_000], [7, 60_000], [3, 1_000]];
  for (const [count, windowMs] of [...allowances, [999, 1_000], [97, 86_400_000]]) {
    const allowance = { count: count!, windowMs: windowMs! };
    const { admitted, arrival, remaining, restoreMs } = takeAll(allowance);
    deepEqual([admitted, remaining], [count, 0]);
    const refused = take(allowance, { arrival, now: NOW + restoreMs - 0.3 });
    deepEqual(refused, { allowed: false, arrival });
    equal(take(allowance, { arrival, now: NOW + restoreMs }).allowed, true);
    equal(takeAll(allowance, { arrival, now: NOW + windowMs! }).admitted, count);
  }
});

Deno.test("left() counts down; clampArrival() keeps every arrival time of its allowance", () => {
  let arrival = 0;
  for (let n = 1; n <= 20; n++) {
    arrival = take(WINDOW, { arrival, now: NOW }).arrival;
    equal(clampArrival(WINDOW, { arrival, now: NOW }), NOW + n * 30_000);
    deepEqual(left(WINDOW, { arrival, now: NOW }), { remaining: 20 - n, restoreMs: 30_000 });
  }
  deepEqual(left(WINDOW, { arrival, now: arrival }), { remaining: 20, restoreMs: 0 });
});

Deno.test("take() treats an arrival time beyond the window as one window ahead", () => {
  for (const arrival of [NOW + 601_000, NOW + 86_400_000, Infinity]) {
    const refused = take(WINDOW, { arrival, now: NOW });
    deepEqual(refused, { allowed: false, arrival: NOW + 600_000 });
    deepEqual(left(WINDOW, { arrival, now: NOW }), { remaining: 0, restoreMs: 30_000 });
  }
});

Deno.test("take() treats a past or invalid arrival time as a whole allowance", () => {
  for (const arrival of [NaN, -Infinity, -1, 0, NOW - 1]) {
    deepEqual(left(WINDOW, { arrival, now: NOW }), { remaining: 20, restoreMs: 0 });
    deepEqual(takeAll(WINDOW, { arrival, now: NOW }), takeAll(WINDOW));
  }
});
