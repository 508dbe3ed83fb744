/** @module Queues of several processes: paused targets, and clocks that differ. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS, Sightings } from "../../leads/leases.ts";
import { kvWith } from "../support/kv_with.ts";
import { startHoldingReceiver, startReceiver } from "../support/receiver.ts";
import {
  addressOf,
  countKeys,
  crowd,
  expireLeases,
  idsAt,
  leadOf,
  leaveBehind,
  post,
  statusesOf,
  stored,
} from "../support/sent_leads.ts";
import { startApp, type TestApp } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";

/** Lets both processes work for a time, in steps of a second. */
async function run(apps: readonly TestApp[], seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    for (const { clock } of apps) clock.advance(1_000);
    await pause(5);
  }
}

async function attemptsIn(t: TestApp): Promise<number[]> {
  const deliveries = (await stored(t)).flatMap(({ deliveries }) => Object.values(deliveries));
  return deliveries.map(({ attempts }) => attempts.length).sort();
}

Deno.test("a target that is down gets few attempts from two processes, and the leads that wait pay none", async () => {
  let isDown = true;
  await using receiver = startReceiver(() => new Response(null, { status: isDown ? 503 : 204 }));
  await using dead = await leaveBehind(60, receiver.url);
  await using one = await startApp(dead.options);
  await using two = await startApp(dead.options);
  const both = [one, two];
  await Promise.all(both.map(expireLeases));
  await run(both, 120);
  // After 0.1, 0.2, 0.4 … 51.2, 60 s, beside what was in flight at first.
  const attempts = receiver.received.length;
  ok(attempts >= 4 && attempts <= 2 * 8 + 12, `${attempts} attempts in two minutes`);
  const none = (await attemptsIn(dead)).filter((count) => count === 0);
  ok(none.length >= 30, `${none.length} leads without an attempt`);

  equal(await post(one, leadOf(900), addressOf(900)), "200 false");
  equal(receiver.received.length, attempts, "nobody waits for a target that is paused");

  isDown = false;
  await run(both, 400);
  equal(new Set(receiver.acknowledged.map(({ headers }) => headers["webhook-id"])).size, 61);
  equal(await countKeys(dead, "due"), 0);
  equal(await countKeys(dead, "pause"), 0);
  equal(await post(two, leadOf(901), addressOf(901)), "200 true");
});

Deno.test("Retry-After pauses the target for every process", async () => {
  const headers = { "retry-after": "600" };
  await using receiver = startReceiver(() => new Response(null, { status: 503, headers }));
  await using dead = await leaveBehind(20, receiver.url);
  await using one = await startApp({
    env: { ...dead.options.env, LEAD_TARGET_CONCURRENCY: "1" },
    wrapKv: () => dead.kv,
  });
  await using two = await startApp(dead.options);
  await expireLeases(one);
  await until("the pause", async () => await countKeys(dead, "pause") === 1);
  await expireLeases(two);
  await run([one, two], 300);
  equal(receiver.received.length, 1);
});

Deno.test("LEAD_TARGET_CONCURRENCY bounds the attempts at a target, inline ones included", async () => {
  await using receiver = startHoldingReceiver();
  await using dead = await leaveBehind(20, receiver.url);
  const env = { ...dead.options.env!, LEAD_TARGET_CONCURRENCY: "3" };
  await using t = await startApp({ env, wrapKv: () => dead.kv });
  await expireLeases(t);
  void t.leads.outbox.drain();
  await receiver.arrived(3);
  await pause(50);
  equal(receiver.received.length, 3);
  equal(await post(t, leadOf(901), addressOf(901)), "200 false");
  receiver.release();
  await until("all delivered", async () => {
    t.clock.advance(1_000);
    return await countKeys(dead, "due") === 0;
  });
});

Deno.test("LEAD_TARGET_CONCURRENCY bounds the attempts at leads that arrive at once", async () => {
  await using receiver = startHoldingReceiver();
  const env = { LEAD_TARGETS: receiver.url, LEAD_TARGET_CONCURRENCY: "3" };
  await using t = await startApp({ env });
  const answers = statusesOf(crowd(t, 40));
  await receiver.arrived(3);
  await pause(50);
  equal(receiver.received.length, 3);
  receiver.release();
  deepEqual(await answers, Array(40).fill(200));
  await until("all delivered", async () => {
    t.clock.advance(100);
    return await countKeys(t, "due") === 0;
  });
  equal(receiver.received.length, 40);
});

Deno.test("leads whose turn comes when their target is paused are sent after the pause", async () => {
  const busy = () => new Response(null, { status: 429 });
  await using receiver = startHoldingReceiver({ answer: busy });
  const env = { LEAD_TARGETS: receiver.url, LEAD_TARGET_CONCURRENCY: "3" };
  await using t = await startApp({ env });
  const answers = statusesOf(crowd(t, 10));
  await receiver.arrived(3);
  receiver.release();
  deepEqual(await answers, Array(10).fill(200));
  await until("no lease is left", async () => {
    const deliveries = (await stored(t)).flatMap(({ deliveries }) => Object.values(deliveries));
    return deliveries.every(({ leased }) => !leased);
  });
  ok(t.clock.nextIn! < 1_000, `the next in ${t.clock.nextIn} ms`);
  deepEqual(await attemptsIn(t), [...Array(7).fill(0), 1, 1, 1]);
});

Deno.test("a lease that is not used is forgotten when it is void for everyone, behind any backlog", () => {
  const sightings = new Sightings();
  const job = { target: "crm", id: "a", due: LEASE_MS };
  const leased = { crm: { state: "waiting", due: job.due, leased: true, attempts: [] } } as const;
  const isVoid = () => sightings.lease(leased, job, job.due) !== undefined;
  sightings.abandon(job);
  sightings.see([{ ...job, due: 0 }], { most: 1, now: 0 });
  equal(isVoid(), true);
  sightings.see([{ ...job, due: 0 }], { most: 1, now: LEASE_MS + 10 * 60_000 });
  equal(isVoid(), false);
});

Deno.test("a lead that is stored while the queue is read is not left to the next minute", async () => {
  await using receiver = startReceiver((n) => new Response(null, { status: n === 0 ? 429 : 204 }));
  const [isRead, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeld = true;
  await using t = await startApp({
    env: { LEAD_TARGETS: receiver.url },
    wrapKv: (kv) =>
      kvWith(kv, {
        list<T>(...args: Parameters<Deno.Kv["list"]>) {
          const entries = kv.list<T>(...args);
          if (!isHeld) return entries;
          isHeld = false;
          async function* held() {
            const read = await Array.fromAsync(entries);
            isRead.resolve();
            await goOn.promise;
            yield* read;
          }
          return Object.assign(held(), { cursor: "" }) as unknown as Deno.KvListIterator<T>;
        },
      }),
  });
  const drain = t.leads.outbox.drain();
  await isRead.promise;
  for (const n of [1, 2]) equal(await post(t, leadOf(n), addressOf(n)), "200 false");
  t.clock.advance(100);
  goOn.resolve();
  await drain;
  await until("all but the first delivered", () => {
    t.clock.advance(100);
    return receiver.received.length === 2;
  });
});

Deno.test("a stop during a claim gives the leads back", async () => {
  await using receiver = startReceiver();
  await using dead = await leaveBehind(20, receiver.url);
  const claims = Promise.withResolvers<void>();
  let isSlow = false;
  await using t = await startApp({
    ...dead.options,
    wrapKv: () =>
      kvWith(dead.kv, {
        async commit(commit) {
          claims.resolve();
          if (isSlow) await pause(50);
          return await commit();
        },
      }),
  });
  await t.leads.outbox.drain();
  isSlow = true;
  t.clock.advance(LEASE_MS);
  await claims.promise;
  equal(await t.leads.outbox.stop(5_000), true);
  const deliveries = (await stored(dead)).flatMap(({ deliveries }) => Object.values(deliveries));
  deepEqual(deliveries.filter(({ due }) => due > t.clock.now()), []);
  equal(receiver.received.length, 0);
});

Deno.test("processes whose clocks are six minutes apart deliver each lead once", async () => {
  await using receiver = startReceiver();
  await using dead = await leaveBehind(100, receiver.url);
  const apps = [-180_000, 0, 180_000].map(async (skew) => {
    const t = await startApp(dead.options);
    t.clock.advance(skew);
    return t;
  });
  await using stack = new AsyncDisposableStack();
  const all = (await Promise.all(apps)).map((t) => stack.use(t));
  await Promise.all(all.map(expireLeases));
  await Promise.all(all.map(({ leads }) => leads.outbox.drain()));
  await run(all, 30);
  await until("all delivered", async () => await countKeys(dead, "due") === 0);
  deepEqual([receiver.received.length, new Set(idsAt(receiver)).size], [100, 100]);
});

Deno.test("a lease of a process that is gone is taken over by one whose clock is behind or ahead", async () => {
  for (const skew of [-180_000, 180_000]) {
    await using receiver = startReceiver();
    await using dead = await leaveBehind(1, receiver.url);
    await using t = await startApp(dead.options);
    t.clock.advance(skew);
    await t.leads.outbox.drain();
    equal(receiver.received.length, 0, "it may still be attempted");
    await run([t], (LEASE_MS + Math.max(0, -skew)) / 1_000 + 2);
    await receiver.arrived(1);
  }
});

Deno.test("leases of processes that are gone hide no others: all are taken over after two terms", async () => {
  await using receiver = startReceiver();
  await using dead = await leaveBehind(1_000, receiver.url);
  await using t = await startApp(dead.options);
  await t.leads.outbox.drain();
  for (let term = 0; term < 2; term++) {
    t.clock.advance(LEASE_MS);
    await t.leads.outbox.drain();
  }
  deepEqual([receiver.received.length, await countKeys(dead, "due")], [1_000, 0]);
});
