/** @module The limits of clients: GCRA, exact and bounded in memory; the slots of a target. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { ClientLimits, inTurn } from "../../leads/client_limits.ts";
import {
  clamp,
  fromStored,
  left,
  type LimitState,
  NEW_CLIENT,
  take,
  toStored,
} from "../../leads/rate_limit.ts";
import { FakeClock } from "../support/fake_clock.ts";
import type { RateLimit } from "../../config/settings.ts";
import { ConcurrencyLimit } from "../../leads/slots.ts";

const LIMIT = { count: 5, windowMs: 60_000 };
const DAY = 86_400_000;

function createLimits(options?: { readonly max: number }) {
  const clock = new FakeClock();
  const limits = new ClientLimits({ clock, leadLimit: LIMIT, attemptLimit: LIMIT }, options);
  return { clock, limits };
}

function address(n: number): string {
  return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
}

function takeFrom(state: LimitState, count: number, now: number): LimitState {
  return count === 0 ? state : takeFrom(take(LIMIT, { state, now }).state, count - 1, now);
}

const SPENT = Array.from({ length: 100 }, (_, n) => `192.0.2.${n}`);

Deno.test("attempts are limited by address, as take() says, also after the clock was set back", () => {
  const { clock, limits } = createLimits();
  const states = [NEW_CLIENT, NEW_CLIENT];
  for (const ms of [0, 0, 0, 0, 0, 0, 11_999, 1, 0, 60_000, DAY, -DAY, 0, 11_999, 1]) {
    clock.advance(ms);
    for (const [n, client] of ["192.0.2.1", "2001:db8:1:2::/64"].entries()) {
      const now = clock.now();
      const { allowed, state } = take(LIMIT, { state: states[n]!, now });
      equal(limits.attempt(client), allowed);
      deepEqual(limits.limits(client).attempt, left(LIMIT, { state, now }));
      states[n] = state;
    }
  }
});

Deno.test("a flood of addresses frees no client that is over the lead limit", () => {
  const { clock, limits } = createLimits({ max: 1_000 });
  for (const client of SPENT) {
    limits.client(client).leads = takeFrom(NEW_CLIENT, LIMIT.count, clock.now());
  }
  for (let n = 0; n < 10_000; n++) {
    limits.client(address(n)).leads = takeFrom(NEW_CLIENT, 1, clock.now());
  }
  equal(SPENT.filter((client) => limits.limits(client).lead.remaining > 0).length, 0);
});

Deno.test("no number of other addresses gives a client more attempts, and hardly any is refused", () => {
  const clock = new FakeClock();
  const limit = { count: 120, windowMs: 60_000 };
  const limits = new ClientLimits({ clock, leadLimit: LIMIT, attemptLimit: limit });
  let [admitted, refused, others] = [0, 0, 0];
  for (let round = 0; round < 20; round++) {
    for (let n = 0; n < 119; n++) if (limits.attempt("192.0.2.1")) admitted++;
    for (let n = 0; n < 10_001; n++) if (!limits.attempt(address(others++))) refused++;
  }
  deepEqual([admitted, refused], [120, 0]);
  for (const client of SPENT) for (let n = 0; n < 200; n++) limits.attempt(client);
  for (let n = 0; n < 100_000; n++) if (!limits.attempt(address(others++))) refused++;
  equal(refused, 0);
  clock.advance(limit.windowMs);
  equal(limits.limits("192.0.2.1").attempt.remaining, limit.count, "time empties the table");
});

Deno.test("clients are evicted, but not active ones and those with work in flight", async () => {
  const { clock, limits } = createLimits({ max: 10 });
  const [often, once, busy] = ["often", "once", "busy"].map((name) => limits.client(name));
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = inTurn(busy!, () => promise, { clock, ms: 1_000, late: () => {} });
  for (let n = 0; n < 100; n++) {
    limits.client(address(n));
    equal(limits.client("often"), often);
  }
  equal(limits.client("busy"), busy);
  ok(limits.client("once") !== once);
  resolve();
  await work;
});

/** Queues work for one client; it is late after a second. */
function createQueue() {
  const client = createLimits().limits.client("192.0.2.1");
  const clock = new FakeClock();
  const late = (hasBegun: boolean) => hasBegun ? "late, begun" : "late";
  const run = (work: () => string | Promise<string>) =>
    inTurn(client, async () => await work(), { clock, ms: 1_000, late });
  return { client, clock, run };
}

Deno.test("inTurn() runs one client's work in order, also after work that failed", async () => {
  const { client, run } = createQueue();
  const order: number[] = [];
  const all = await Promise.allSettled([1, 2, 3].map((n) =>
    run(async () => {
      await Promise.resolve();
      order.push(n);
      if (n === 1) throw new Error("one fails");
      return "";
    })
  ));
  deepEqual(order, [1, 2, 3]);
  deepEqual(all.map(({ status }) => status), ["rejected", "fulfilled", "fulfilled"]);
  await client.turn;
  equal(client.turn, undefined);
});

Deno.test("inTurn() skips work whose turn comes too late; later work is still done", async () => {
  const { client, clock, run } = createQueue();
  const first = Promise.withResolvers<string>();
  const begun = run(() => first.promise);
  let isSkipped = true;
  const late = run(() => (isSkipped = false, "second"));
  clock.advance(999);
  const inTime = run(() => "third");
  clock.advance(1);
  deepEqual([await late, await begun], ["late", "late, begun"]);
  first.resolve("first");
  equal(await inTime, "third");
  await client.turn;
  deepEqual([client.turn, clock.nextIn, isSkipped], [undefined, undefined, true]);
});

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

/** Attempts in rounds: as many at once as there are slots. */
function rounds(
  limit: ConcurrencyLimit,
  { count, ms, from = 0, failed = false }: {
    readonly count: number;
    readonly ms: number;
    readonly from?: number;
    readonly failed?: boolean;
  },
): number {
  let now = from;
  for (let round = 0; round < count; round++) {
    const startedAt = now;
    now += ms;
    for (let left = limit.slots; left > 0; left--) limit.note({ startedAt, now, failed });
  }
  return now;
}

Deno.test("a round of successes is one more slot, from eight up to the most", () => {
  const limit = new ConcurrencyLimit(64);
  equal(String(limit.slots), "8");
  rounds(limit, { count: 4, ms: 100 });
  const { slots } = limit;
  ok([11, 12].includes(slots), `${slots} slots`);
  rounds(limit, { count: 100, ms: 100 });
  equal(String(limit.slots), "64");
  equal(new ConcurrencyLimit(3).slots, 3);
});

Deno.test("a round of failures halves the slots once, to one at last", () => {
  const limit = new ConcurrencyLimit(64);
  const now = rounds(limit, { count: 1, ms: 100, failed: true });
  equal(limit.slots, 4);
  rounds(limit, { count: 9, ms: 100, from: now, failed: true });
  equal(limit.slots, 1);
});

Deno.test("answers that take twice as long halve the slots, until that is how long they take", () => {
  const limit = new ConcurrencyLimit(64);
  let now = rounds(limit, { count: 20, ms: 100 });
  const before = limit.slots;
  now = rounds(limit, { count: 4, ms: 400, from: now });
  ok(limit.slots <= before / 2, `${before}, ${limit.slots}`);
  rounds(limit, { count: 2_000, ms: 400, from: now });
  equal(limit.slots, 64);
});

Deno.test("no answer is so fast, also by a clock that was set back, that others stay slow for good", () => {
  for (const ms of [0, -3_600_000]) {
    const limit = new ConcurrencyLimit(64);
    const now = rounds(limit, { count: 20, ms });
    rounds(limit, { count: 2_000, ms: 150, from: now });
    equal(limit.slots, 64);
  }
});

Deno.test("after a pause there is one slot, then half as many as before at double speed", () => {
  const limit = new ConcurrencyLimit(64);
  let now = rounds(limit, { count: 100, ms: 10 });
  limit.restart(now);
  equal(limit.slots, 1);
  const steps = [1, 2, 3, 4, 5].map(() => {
    now = rounds(limit, { count: 1, ms: 10, from: now });
    return limit.slots;
  });
  equal(String(steps), "2,4,8,16,32");
  equal(limit.isRecovering, false);
});
