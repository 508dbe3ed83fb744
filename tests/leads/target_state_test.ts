/** @module What pauses a target, for how long, what resumes it, and what is reported of its failures. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { CircuitBreaker } from "../../leads/circuit_breaker.ts";
import type { Pause, Versioned } from "../../leads/ports.ts";
import type { DeliveryOutcome } from "../../leads/retry.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { TargetHealth } from "../../leads/delivery_worker.ts";

const OK: DeliveryOutcome = { result: "ok" };
const DOWN: DeliveryOutcome = { result: "refused" };
const REFUSED: DeliveryOutcome = { result: "http_422", permanent: true };
const BUSY: DeliveryOutcome = { result: "http_503" };
const LATER: DeliveryOutcome = { result: "http_500", retryAfterMs: 90_000 };
const NEVER: DeliveryOutcome = { result: "http_429", retryAfterMs: 90 * 86_400_000 };

/** A store that the breakers of two processes share. */
function createPauses() {
  let stored: Versioned<Pause> = { value: null, versionstamp: null };
  let version = 0;
  return {
    pause: () => Promise.resolve(stored),
    setPause(_target: string, value: Pause | null, seen: string | null): Promise<string | null> {
      if (seen !== stored.versionstamp) return Promise.resolve(null);
      const versionstamp = String(++version);
      stored = { value, versionstamp: value === null ? null : versionstamp };
      return Promise.resolve(versionstamp);
    },
  };
}

function start(store = createPauses()) {
  const clock = new FakeClock();
  const events: string[] = [];
  const log = { info: (event: string) => void events.push(event) };
  const breaker = new CircuitBreaker("crm", { store, clock, log, resumed: () => {} });
  /** Notes attempts of which each begins when the one before has ended; returns the pause in seconds. */
  function after(...outcomes: readonly DeliveryOutcome[]): number {
    for (const outcome of outcomes) {
      clock.advance(Math.max(0, breaker.pausedUntil - clock.now()));
      const now = clock.now();
      breaker.note(outcome, { startedAt: now, now });
    }
    return Math.max(0, breaker.pausedUntil - clock.now()) / 1_000;
  }
  return { breaker, clock, events, store, after };
}

const PAUSES: readonly [title: string, outcomes: readonly DeliveryOutcome[], seconds: number][] = [
  ["four failures in a row", Array(4).fill(DOWN), 0],
  ["five failures in a row", Array(5).fill(DOWN), 0.1],
  ["failures with a success between", [DOWN, DOWN, DOWN, DOWN, OK, DOWN, DOWN], 0],
  ["failures with a lead refused for good between", [DOWN, DOWN, DOWN, DOWN, REFUSED, DOWN], 0],
  ["503 or 429", [BUSY], 0.1],
  ["Retry-After", [LATER], 90],
  ["a Retry-After of months", [NEVER], 3_600],
  ["three attempts that decide", [BUSY, DOWN, DOWN], 0.4],
  ["many of them", Array(20).fill(BUSY), 60],
  ["success after a pause", [BUSY, OK], 0],
  ["a refused lead after a pause", [BUSY, REFUSED], 0],
  ["another pause after a success", [BUSY, BUSY, BUSY, OK, BUSY], 0.1],
];

Deno.test("a pause after …", async (t) => {
  for (const [title, outcomes, seconds] of PAUSES) {
    await t.step(title, async () => {
      const { breaker, after } = start();
      deepEqual(after(...outcomes), seconds);
      await breaker.idle();
    });
  }
});

Deno.test("attempts that began before a pause neither lengthen nor end it", async () => {
  const { breaker, clock, events } = start();
  const startedAt = clock.now();
  clock.advance(10);
  for (const outcome of [BUSY, BUSY, DOWN, OK]) {
    breaker.note(outcome, { startedAt, now: clock.now() });
  }
  deepEqual(breaker.pausedUntil, clock.now() + 100);
  await breaker.idle();
  deepEqual(events, ["delivery.target_paused"]);
});

Deno.test("processes share a pause: one makes the attempt that decides, and all learn how it ended", async () => {
  const one = start();
  const two = start(one.store);
  one.after(BUSY);
  await one.breaker.idle();
  await two.breaker.refresh();
  deepEqual(two.breaker.pausedUntil, one.breaker.pausedUntil);

  const until = one.breaker.pausedUntil + 20_000;
  deepEqual(await one.breaker.reserve(until), true);
  deepEqual([await two.breaker.reserve(until + 1), two.breaker.pausedUntil], [false, until]);

  one.breaker.note(OK, { startedAt: until, now: until });
  await one.breaker.idle();
  await two.breaker.refresh();
  deepEqual([one.breaker.isClosed, two.breaker.isClosed], [true, true]);
  deepEqual(two.events, ["delivery.target_resumed"]);
});

Deno.test("while KV fails a change holds in its process and waits for KV, as one write", async () => {
  const pauses = createPauses();
  let isOut = true;
  let writes = 0;
  const { breaker, after } = start({
    pause: pauses.pause,
    setPause(...args: Parameters<typeof pauses.setPause>) {
      writes++;
      return isOut ? Promise.reject(new Error("KV is out of order")) : pauses.setPause(...args);
    },
  });
  const stored = async () => (await pauses.pause()).value?.failures;
  /** What was not written is written after a read. */
  const settle = () => breaker.refresh().then(() => breaker.idle());
  after(...Array(200).fill(BUSY));
  await breaker.idle();
  deepEqual([writes, breaker.isClosed], [1, false]);
  isOut = false;
  await settle();
  deepEqual([breaker.isClosed, await stored()], [false, 200]);

  isOut = true;
  after(OK);
  await breaker.idle();
  deepEqual([breaker.isClosed, await stored()], [true, 200]);
  isOut = false;
  await settle();
  deepEqual([breaker.isClosed, await stored()], [true, undefined]);
});

Deno.test("a pause that another process has ended leaves no failures behind", async () => {
  const one = start();
  const two = start(one.store);
  one.after(...Array(5).fill(DOWN));
  await one.breaker.idle();
  await two.breaker.refresh();
  two.after(OK);
  await two.breaker.idle();
  await one.breaker.refresh();
  deepEqual([one.after(...Array(4).fill(DOWN)), one.breaker.isClosed], [0, true]);
  const since = one.clock.now();
  one.clock.advance(3 * 86_400_000);
  one.after(BUSY);
  await one.breaker.idle();
  deepEqual((await one.store.pause()).value?.since, since);
});

Deno.test("a reservation that is given back does not pause a target that is well again", async () => {
  const { breaker, store, clock, after } = start();
  after(BUSY);
  await breaker.reserve(clock.now() + 20_000);
  breaker.note(OK, { startedAt: clock.now(), now: clock.now() });
  await breaker.reserve(clock.now());
  deepEqual([breaker.isClosed, (await store.pause()).value], [true, null]);
});

Deno.test("no pause lasts longer than an hour because a clock is ahead or was set back", async () => {
  const ahead = start();
  const { breaker, clock } = start(ahead.store);
  ahead.clock.advance(DAY);
  ahead.after(BUSY);
  await ahead.breaker.idle();
  await breaker.refresh();
  deepEqual(breaker.pausedUntil - clock.now(), HOUR);

  clock.advance(-DAY);
  await breaker.refresh();
  deepEqual(breaker.pausedUntil - clock.now(), HOUR);
  clock.advance(HOUR);
  breaker.note(OK, { startedAt: clock.now(), now: clock.now() });
  await breaker.idle();
  deepEqual([breaker.isClosed, (await ahead.store.pause()).value], [true, null]);
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Failed attempts at one lead, in minutes, and when it was accepted after them. */
interface Attempt {
  readonly failed?: readonly number[];
  readonly accepted?: number;
  readonly refused?: true;
  /** How many of the attempts belong to earlier rounds. */
  readonly earlier?: number;
}

const STORIES: readonly (readonly [string, readonly Attempt[], readonly unknown[]])[] = [
  ["different leads count together", [{ failed: [0] }, { failed: [30] }, { failed: [60] }], [0]],
  ["an acceptance resets", [
    { failed: [0] },
    { failed: [0, 30], accepted: 40 },
    { failed: [50] },
    { failed: [0, 30, 109] },
    { failed: [50, 110] },
  ], [50]],
  ["each failure and recovery is reported", [
    { failed: [0, 60] },
    { failed: [0, 60], accepted: 70 },
    { failed: [0, 60], accepted: 71 },
    { failed: [80, 140] },
    { accepted: 150 },
  ], [0, "recovered", 80, "recovered"]],
  ["a fresh process knows from the lead that the target has failed", [
    { failed: [0, 30, 150] },
    { failed: [10, 160] },
  ], [0]],
  ["a fresh process knows from the lead that its failure was reported", [
    { failed: [0, 30, 150], accepted: 300 },
    { failed: [0, 30, 150], accepted: 301 },
  ], ["recovered"]],
  ["a failure of less than an hour has no recovery", [{ failed: [0, 59], accepted: 300 }], []],
  ["an attempt that began before the last acceptance does not count", [
    { accepted: 100 },
    { failed: [0, 100] },
    { failed: [101] },
    { failed: [160] },
  ], []],
  ["a lead that is refused for good tells nothing about earlier attempts", [
    { failed: [0, 100], refused: true },
    { failed: [0, 159], refused: true },
    { failed: [160], refused: true },
  ], [100]],
  ["attempts of earlier rounds do not count", [
    { failed: [0, 100], earlier: 1 },
    { failed: [0, 159], earlier: 1 },
    { failed: [0, 160], earlier: 1 },
  ], [100]],
];

for (const [title, attempts, reports] of STORIES) {
  Deno.test(`TargetHealth: ${title}`, () => {
    const health = new TargetHealth();
    const reported = attempts.map(({ failed = [], accepted, refused, earlier = 0 }) => {
      const attempts = [...failed, ...accepted === undefined ? [] : [accepted]]
        .map((minute) => ({ at: minute * MINUTE, durationMs: 0, result: "" }));
      const state = accepted !== undefined ? "delivered" : refused ? "dead" : "waiting";
      const report = health.note({ state, due: (accepted ?? 0) * MINUTE, attempts, earlier });
      return typeof report === "number" ? report / MINUTE : report;
    });
    deepEqual(reported.filter((report) => report !== undefined), reports);
  });
}
