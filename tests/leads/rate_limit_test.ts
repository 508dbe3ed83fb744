/** @module GCRA: exact quotas and exact waiting times. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { RateLimit } from "../../config/settings.ts";
import { clamp, fromStored, left, NEW_CLIENT, take, toStored } from "../../leads/rate_limit.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const WINDOW = { count: 20, windowMs: 600_000 };

function takeAll(limit: RateLimit, { state = NEW_CLIENT, now = NOW } = {}) {
  for (let admitted = 0;; admitted++) {
    const verdict = take(limit, { state, now });
    if (!verdict.allowed) {
      equal(verdict.state, state, "a refusal changes nothing");
      return { admitted, state, ...left(limit, { state, now }) };
    }
    state = verdict.state;
  }
}

Deno.test("take() admits the quota, and one more request after the wait", () => {
  const limits = [[20, 600_000], [120, 60_000], [1, 1_000], [7, 60_000], [3, 1_000]];
  for (const [count, windowMs] of [...limits, [999, 1_000], [97, 86_400_000]]) {
    const limit = { count: count!, windowMs: windowMs! };
    const { admitted, state, remaining, restoreMs } = takeAll(limit);
    deepEqual([admitted, remaining], [count, 0]);
    equal(take(limit, { state, now: NOW + restoreMs - 0.3 }).allowed, false);
    equal(take(limit, { state, now: NOW + restoreMs }).allowed, true);
    equal(takeAll(limit, { state, now: NOW + windowMs! }).admitted, count);
  }
});

Deno.test("left() counts down; a state survives storing and clamping, until its quota is whole", () => {
  let state = NEW_CLIENT;
  for (let n = 1; n <= 20; n++) {
    state = take(WINDOW, { state, now: NOW }).state;
    const { value, until } = toStored(state);
    equal(until, NOW + n * 30_000);
    equal(clamp(WINDOW, { state: fromStored(structuredClone(value)), now: NOW }), state);
    deepEqual(left(WINDOW, { state, now: NOW }), { remaining: 20 - n, restoreMs: 30_000 });
    deepEqual(left(WINDOW, { state, now: until }), { remaining: 20, restoreMs: 0 });
  }
});

Deno.test("take() treats an arrival time beyond the window as one window ahead", () => {
  for (const arrival of [NOW + 601_000, NOW + 86_400_000, Infinity]) {
    const state = fromStored({ arrival });
    const refused = take(WINDOW, { state, now: NOW });
    deepEqual([refused.allowed, toStored(refused.state).until], [false, NOW + 600_000]);
    deepEqual(left(WINDOW, { state, now: NOW }), { remaining: 0, restoreMs: 30_000 });
  }
});

Deno.test("take() treats what is no stored state, or one of the past, as a whole quota", () => {
  const past = [NaN, -Infinity, -1, 0, NOW - 1, "soon"].map((arrival) => ({ arrival }));
  for (const stored of [...past, null, undefined, 7, "x", {}]) {
    const state = fromStored(stored);
    deepEqual(left(WINDOW, { state, now: NOW }), { remaining: 20, restoreMs: 0 });
    deepEqual(takeAll(WINDOW, { state, now: NOW }), takeAll(WINDOW));
  }
});
