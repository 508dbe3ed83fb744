/**
 * @module A lead whose commit happened while nobody saw it: KV answers again while the sender still
 * waits, or only after the 502; then the sender sends it again first, or the process dies.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { reconcile } from "../../leads/ambiguous_commit.ts";
import type { KvAccess } from "../../leads/kv/guard.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import { CommitUnknown } from "../../leads/store.ts";
import { statusesOf } from "../support/crowd.ts";
import { kvWith } from "../support/kv_with.ts";
import { type Receiver, withReceiver } from "../support/receiver.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";
import { inconsistencies } from "./consistency.ts";

/** A database that drops off right after it has taken a lead, before it can say so. */
class Outage {
  over = false;
  #commits = 0;

  wrap = (kv: Deno.Kv): KvAccess =>
    kvWith(kv, {
      get: (...args) => this.#isOut ? Promise.reject(new Error("Gone")) : kv.get(...args),
      commit: async (commit) => {
        const result = await commit();
        this.#commits++;
        if (this.#commits === 2) throw new Error("Gone"); // the first one is the store's secret
        return result;
      },
    });

  get #isOut(): boolean {
    return this.#commits >= 2 && !this.over;
  }
}

/** What a test has in hand. */
interface Ambiguous {
  readonly t: TestApp;
  readonly outage: Outage;
  /** Refuses the try before the answer, and takes every later one. */
  readonly receiver: Receiver;
}

/** Runs a test with a database that drops off with its first lead. */
function withOutage(test: (ambiguous: Ambiguous) => Promise<void>): Promise<void> {
  const outage = new Outage();
  return withReceiver(
    (receiver) =>
      withApp((t) => test({ t, outage, receiver }), {
        env: { LEAD_TARGETS: receiver.url },
        wrapKv: outage.wrap,
      }),
    (n) => new Response(null, { status: n === 0 ? 503 : 204 }),
  );
}

/** Runs one where the sender has been told 502 and the intake waits to look again. */
function withRefused(test: (ambiguous: Ambiguous) => Promise<void>): Promise<void> {
  return withOutage(async (ambiguous) => {
    const { t } = ambiguous;
    equal(await postPatiently(ambiguous), 502);
    await until("the intake waits to look again", () => t.clock.nextIn !== undefined);
    await test(ambiguous);
  });
}

async function post(t: TestApp): Promise<number> {
  const [status] = await statusesOf([t.postLead(LEAD)]);
  return status!;
}

/** Posts a lead and lets time pass until it is answered. */
async function postPatiently({ t, receiver }: Ambiguous): Promise<number> {
  let status: number | undefined;
  const answer = post(t).then((answered) => status = answered);
  await receiver.arrived(1); // or the try's own time would run out before it gets there
  await until("an answer", async () => {
    await pause(5);
    if (status === undefined) t.clock.advance(t.clock.nextIn ?? 0);
    return status !== undefined;
  });
  return await answer;
}

/** Lets the time come at which the intake looks again, and waits until it has. */
async function lookAgain({ clock, lines }: TestApp): Promise<void> {
  clock.advance(clock.nextIn!);
  await until("it has looked", () => lines.some(({ event }) => event === "lead.reconciled"));
}

Deno.test("a sender who can wait until KV answers again is told the truth: held", () =>
  withOutage(async ({ t, outage, receiver }) => {
    const answer = post(t);
    await until("the intake asks again", () => t.clock.nextIn !== undefined);
    outage.over = true;
    t.clock.advance(1_000);
    equal(await answer, 200);
    t.clock.advance(LEASE_MS);
    await t.leads.runMaintenance();
    equal(receiver.received.length, 2, "the try before the answer, and the one from the queue");
    deepEqual(await inconsistencies(t.kv), []);
  }));

Deno.test("a lead answered 502 is taken back when KV answers again", () =>
  withRefused(async ({ t, outage, receiver }) => {
    outage.over = true;
    await lookAgain(t);
    deepEqual(await Array.fromAsync(t.store.all()), []);
    deepEqual(await inconsistencies(t.kv), []);
    equal(receiver.received.length, 1);
  }));

Deno.test("a lead sent again after a 502 is held: what is found of the first one is not taken back", () =>
  withRefused(async ({ t, outage, receiver }) => {
    outage.over = true;
    equal(await post(t), 200);
    // The intake finds the first one, on whose account the 200 was given.
    await lookAgain(t);

    const held = await Array.fromAsync(t.store.all());
    equal(held.length, 1, "what was answered 200 is stored");
    t.clock.advance(60_000);
    await t.leads.runMaintenance();
    const taken = receiver.received.slice(1).map(({ headers }) => headers["webhook-id"]);
    deepEqual(taken, [held[0]!.id], "and delivered");
    deepEqual(await inconsistencies(t.kv), []);
  }));

for (const delivered of [true, false]) {
  const outcome = delivered ? "marked as delivered" : "taken back";
  Deno.test(`a lead whose commit never settles, on a dead connection, is ${outcome} even so`, () =>
    withReceiver((receiver) =>
      withApp(async (t) => {
        await t.leads.outbox.stop(0);
        equal(await post(t), 200);
        const [record] = await Array.fromAsync(t.store.all());
        const commit = new CommitUnknown(new Promise(() => {}));
        const { clock, store } = t;
        const deps = { store, outbox: t.leads.outbox, clock, log: t.leads.log };
        const reconciled = reconcile({ record: record!, commit }, { delivered, deps });
        clock.advance(5_000);
        await reconciled;
        const held = await Array.fromAsync(store.all());
        const states = held.flatMap(({ deliveries }) => Object.values(deliveries));
        deepEqual(states.map(({ state }) => state), delivered ? ["delivered"] : []);
        deepEqual(await inconsistencies(t.kv), []);
      }, { env: { LEAD_TARGETS: receiver.url } })
    ));
}

Deno.test("a lead that KV refuses as its own repetition, and then drops off, is held and told so", () => {
  let commits = 0;
  let isOut = false;
  const gone = () => Promise.reject(new Error("Gone"));
  function wrapKv(kv: Deno.Kv): KvAccess {
    return kvWith(kv, {
      get: (...args) => isOut ? gone() : kv.get(...args),
      getMany: (...args) => isOut ? gone() : kv.getMany(...args),
      commit: async (commit) => {
        const result = await commit();
        if (++commits !== 2) return result; // the first one is the store's secret
        isOut = true;
        return await commit(); // as the KV Connect client does when an answer is lost
      },
    });
  }
  return withApp(async (t) => {
    const answer = post(t);
    await until("the intake asks again", () => t.clock.nextIn !== undefined);
    isOut = false;
    t.clock.advance(1_000);
    equal(await answer, 200);
    equal((await Array.fromAsync(t.store.all())).length, 1);
  }, { wrapKv });
});

// Nobody can know what has become of a commit while KV is out of reach, nor tell it after the process
// is gone. What is left of the promise then: one lead, once, also when it is sent again.
Deno.test("a lead answered 502 whose process dies before KV answers is one lead at the most", () =>
  withRefused(async ({ t: dead, receiver }) => {
    const options = { env: { LEAD_TARGETS: receiver.url }, wrapKv: () => dead.kv };
    await withApp(async (alive) => {
      equal(await post(alive), 200);
      alive.clock.advance(dead.clock.now() - alive.clock.now() + LEASE_MS);
      await alive.leads.runMaintenance();
      const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
      equal(ids.length, 2, "the try before the 502, and one from the queue");
      equal(new Set(ids).size, 1);
      equal((await Array.fromAsync(dead.store.all())).length, 1);
      deepEqual(await inconsistencies(dead.kv), []);
    }, options);
  }));
