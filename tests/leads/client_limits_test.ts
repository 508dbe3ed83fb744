/** @module The limits of clients in memory: exact, bounded, and resistant to floods. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { ClientLimits, inTurn } from "../../leads/client_limits.ts";
import { left, type LimitState, NEW_CLIENT, take } from "../../leads/rate_limit.ts";
import { FakeClock } from "../support/fake_clock.ts";

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
