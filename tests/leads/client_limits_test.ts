/** @module What is remembered of clients: exact, bounded, and hard to flush. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { ClientLimits, inTurn } from "../../leads/client_limits.ts";
import { take } from "../../leads/rate_limit.ts";
import { FakeClock } from "../support/fake_clock.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const LIMIT = { count: 5, windowMs: 60_000 };
const DAY = 86_400_000;
const SMALL = { max: 1_000 };
const NEVER_LATE = { clock: new FakeClock(), ms: 1_000, late: () => {} };

/** Limits at a time that a test moves. */
function limitsAt(now: number, options?: { readonly max: number }) {
  const time = { now };
  const limits = new ClientLimits(
    { clock: { now: () => time.now }, leadLimit: LIMIT, attemptLimit: LIMIT },
    options,
  );
  return { time, limits, attempt: (address: string) => limits.attempt(limits.sender(address)) };
}

/** The n-th of 2^24 addresses. */
function address(n: number): string {
  return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
}

Deno.test("each address has its attempts, and gets them back as the algorithm says", () => {
  const { time, limits } = limitsAt(NOW);
  for (const who of ["192.0.2.1", "2001:db8:1:2::/64"]) {
    let arrival = 0;
    for (const now of [0, 0, 0, 0, 0, 0, 11_999, 12_000, 12_000, 72_000].map((ms) => NOW + ms)) {
      time.now = now;
      const sender = limits.sender(who);
      const { remaining, restoreMs, ...expected } = take(LIMIT, { arrival, now });
      equal(limits.attempt(sender), expected.allowed);
      deepEqual(limits.limits(sender).attempt, { remaining, restoreMs });
      arrival = expected.arrival;
    }
  }
});

Deno.test("an address that spent its attempts while the clock was a day ahead waits a window at most", () => {
  const { time, attempt } = limitsAt(NOW + DAY);
  for (let n = 0; n < LIMIT.count; n++) attempt("192.0.2.1");
  const admitted = [0, 0, 11_000, 12_000, 12_000, 72_000].map((ms) => {
    time.now = NOW + ms;
    return attempt("192.0.2.1");
  });
  deepEqual(admitted, [false, false, false, true, false, true]);
});

Deno.test("a flood of addresses frees no client that is out of attempts", () => {
  const { attempt } = limitsAt(NOW, SMALL);
  const spent = Array.from({ length: 100 }, (_, n) => `192.0.2.${n}`);
  for (const who of spent) for (let n = 0; n < LIMIT.count; n++) ok(attempt(who));
  for (let n = 0; n < 20_000; n++) ok(attempt(address(n)));
  equal(spent.filter(attempt).length, 0);
});

Deno.test("a flood of addresses that send leads frees no client that is out of leads", () => {
  const { limits } = limitsAt(NOW, SMALL);
  const spent = Array.from({ length: 100 }, (_, n) => `192.0.2.${n}`);
  for (const who of spent) limits.client(who).leads = NOW + LIMIT.windowMs;
  for (let n = 0; n < 20_000; n++) limits.client(address(n)).leads = NOW + 12_000;
  equal(spent.filter((who) => !limits.isOut(limits.sender(who))).length, 0);
});

Deno.test("a client that is forgotten starts anew, and is not refused for it", () => {
  const { limits } = limitsAt(NOW, { max: 10 });
  limits.attempt(limits.sender("192.0.2.1"));
  for (let n = 0; n < 10; n++) limits.attempt(limits.sender(address(n)));
  const sender = limits.sender("192.0.2.1");
  ok(limits.attempt(sender));
  equal(limits.limits(sender).attempt.remaining, LIMIT.count - 1);
});

Deno.test("a client that sends leads stays, and so does one whose lead is being stored", async () => {
  const { limits } = limitsAt(NOW, { max: 10 });
  const [often, once, atWork] = ["often", "once", "at work"].map((who) => limits.client(who));
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = inTurn(atWork!, () => promise, NEVER_LATE);
  for (let n = 0; n < 100; n++) {
    limits.client(address(n));
    equal(limits.client("often"), often);
  }
  equal(limits.client("at work"), atWork);
  ok(limits.client("once") !== once);
  resolve();
  await work;
});

Deno.test("one client's work is done in turn, also after work that failed", async () => {
  const client = limitsAt(NOW).limits.client("192.0.2.1");
  const order: number[] = [];
  async function work(n: number): Promise<void> {
    await Promise.resolve();
    order.push(n);
    if (n === 1) throw new Error("one fails");
  }
  const all = await Promise.allSettled(
    [1, 2, 3].map((n) => inTurn(client, () => work(n), NEVER_LATE)),
  );
  equal(order.join(), "1,2,3");
  await client.turn;
  equal(client.turn, undefined);
  equal(all.map(({ status }) => status).join(), "rejected,fulfilled,fulfilled");
});

Deno.test("a caller whose turn does not come in time is left out, and those after it wait on", async () => {
  const { client, clock, run } = turns();
  const first = Promise.withResolvers<string>();
  const atWork = run(first.promise);
  const late = run("second");
  clock.advance(999);
  const inTime = run("third");
  clock.advance(1);
  equal(await late, "late");
  equal(await atWork, "late, begun");
  first.resolve("first");
  equal(await inTime, "third");
  await client.turn;
  equal(client.turn, undefined);
  equal(clock.nextIn, undefined, "no timer is left");
});

/** A client, and work of it that is late after a second. */
function turns() {
  const client = limitsAt(NOW).limits.client("192.0.2.1");
  const clock = new FakeClock();
  const late = (hasBegun: boolean) => hasBegun ? "late, begun" : "late";
  const run = (result: string | Promise<string>) =>
    inTurn(client, () => Promise.resolve(result), { clock, ms: 1_000, late });
  return { client, clock, run };
}
