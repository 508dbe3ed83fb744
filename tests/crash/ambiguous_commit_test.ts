/**
 * @module Leads that KV takes without saying so, late, or not at all: a 200 is true, a 502 may be answered
 * by sending the lead again, and whatever is stored stays and is delivered under one id.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { KvAccess } from "../../leads/kv/guard.ts";
import { LONGEST_ANSWER_MS, STORING_MS } from "../../leads/intake.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import { brokenKv } from "../support/broken_kv.ts";
import { leadOf, statusesOf } from "../support/crowd.ts";
import { kvWith } from "../support/kv_with.ts";
import { type Receiver, withReceiver } from "../support/receiver.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";
import { inconsistencies } from "./consistency.ts";

const gone = () => Promise.reject(new Error("Gone"));

/** A database that loses the answer to its second commit (the first one is the store's secret). */
class Outage {
  /** Whether reads fail as well, from then on until it is over. */
  readsFail = false;
  #commits = 0;

  wrap = (kv: Deno.Kv): KvAccess =>
    kvWith(kv, {
      get: (...args) => this.#isOut ? gone() : kv.get(...args),
      getMany: (...args) => this.#isOut ? gone() : kv.getMany(...args),
      commit: async (commit) => {
        const result = await commit();
        if (++this.#commits === 2) throw new Error("Gone");
        return result;
      },
    });

  get #isOut(): boolean {
    return this.readsFail && this.#commits >= 2;
  }
}

interface World {
  readonly t: TestApp;
  readonly outage: Outage;
  readonly receiver: Receiver;
}

/** Runs a test with such a database and a receiver that refuses the first `refusals` tries. */
function withOutage(
  { readsFail, refusals }: { readonly readsFail: boolean; readonly refusals: number },
  test: (world: World) => Promise<void>,
): Promise<void> {
  const outage = new Outage();
  outage.readsFail = readsFail;
  return withReceiver(
    (receiver) =>
      withApp((t) => test({ t, outage, receiver }), {
        env: { LEAD_TARGETS: receiver.url },
        wrapKv: outage.wrap,
      }),
    (n) => new Response(null, { status: n < refusals ? 503 : 204 }),
  );
}

/** The answer to a lead: `200 true`, `502`. */
async function post({ postLead }: TestApp, body: unknown = LEAD): Promise<string> {
  const response = await postLead(body);
  const { delivered } = await response.json();
  return delivered === undefined ? String(response.status) : `${response.status} ${delivered}`;
}

function idsAt({ received }: Receiver): Set<string | undefined> {
  return new Set(received.map(({ headers }) => headers["webhook-id"]));
}

/** Lets all leases end, and delivers what is due. */
async function drainAll({ clock, leads }: TestApp): Promise<void> {
  clock.advance(LEASE_MS);
  await leads.runMaintenance();
}

async function stored({ store }: TestApp) {
  return await Array.fromAsync(store.all());
}

Deno.test("a lead whose commit happened without an answer is found by its id, and delivered", () =>
  withOutage({ readsFail: false, refusals: 0 }, async ({ t, receiver }) => {
    equal(await post(t), "200 true");
    equal((await stored(t)).length, 1);
    equal(receiver.received.length, 1);
    deepEqual(t.lines.map(({ event }) => event).includes("lead.stored"), true);
    deepEqual(await inconsistencies(t.kv), []);
  }));

Deno.test("a lead that turns up after its 502 stays and is delivered, under the id of the first try", () =>
  withOutage({ readsFail: true, refusals: 1 }, async ({ t, outage, receiver }) => {
    equal(await post(t), "502");
    outage.readsFail = false;
    await drainAll(t);
    const [record, ...others] = await stored(t);
    equal(others.length, 0);
    equal(Object.values(record!.deliveries)[0]!.state, "delivered");
    equal(receiver.received.length, 2, "the try before the answer, and the one from the queue");
    deepEqual(idsAt(receiver), new Set([record!.id]));
    deepEqual(await inconsistencies(t.kv), []);
  }));

Deno.test("a lead sent again after its 502 is the same lead: one record, one id", () =>
  withOutage({ readsFail: true, refusals: 1 }, async ({ t, outage, receiver }) => {
    equal(await post(t), "502");
    outage.readsFail = false;
    equal(await post(t), "200 false");
    await drainAll(t);
    equal(await post(t), "200 true");
    const [record, ...others] = await stored(t);
    equal(others.length, 0);
    equal(receiver.received.length, 2);
    deepEqual(idsAt(receiver), new Set([record!.id]));
  }));

Deno.test("a lead answered 502 whose process dies is one lead, also when it is sent again", () =>
  withOutage({ readsFail: true, refusals: 1 }, async ({ t: dead, receiver }) => {
    equal(await post(dead), "502");
    await withApp(async (alive) => {
      equal(await post(alive), "200 false");
      await drainAll(alive);
      equal(receiver.received.length, 2);
      equal(idsAt(receiver).size, 1);
      equal((await stored(dead)).length, 1);
      deepEqual(await inconsistencies(dead.kv), []);
    }, { env: { LEAD_TARGETS: receiver.url }, wrapKv: () => dead.kv });
  }));

Deno.test("a lead that KV refuses as its own repetition is stored, whether or not the refusal can be read", async () => {
  for (const canBeRead of [true, false]) {
    let commits = 0;
    const wrapKv = (kv: Deno.Kv) =>
      kvWith(kv, {
        getMany: (...args) => canBeRead ? kv.getMany(...args) : gone(),
        // As the KV Connect client does when an answer is lost.
        commit: async (commit) => (await commit(), ++commits === 2 ? await commit() : commit()),
      });
    await withApp(async (t) => {
      commits = 1;
      equal(await post(t), "200 false");
      equal((await stored(t)).length, 1);
    }, { wrapKv });
  }
});

Deno.test("a lead that KV never took reaches the target under one id, however often it is sent", () =>
  withReceiver((good) =>
    withReceiver((bad) =>
      withApp(async (t) => {
        for (let n = 0; n < 3; n++) equal(await post(t), "502");
        equal(good.received.length, 3);
        equal(idsAt(good).size, 1);
        deepEqual(idsAt(bad), idsAt(good));
        equal(await post(t, leadOf(1)), "502");
        equal(idsAt(good).size, 2, "another lead has another id");
        t.clock.advance(3_600_000);
        equal(await post(t), "502");
        equal(idsAt(good).size, 3, "an hour later it may be another enquiry");
      }, { env: { LEAD_TARGETS: `${good.url} ${bad.url}` }, wrapKv: brokenKv }), () =>
      new Response(null, { status: 503 }))
  ));

Deno.test("a lead that every target took without KV is stored under the same id when it is sent again", () => {
  let isBroken = true;
  const broken = brokenKv();
  const wrapKv = (kv: Deno.Kv) =>
    kvWith(kv, {
      get: (...args) => isBroken ? broken.get(...args) : kv.get(...args),
      atomic: () => isBroken ? broken.atomic() : kv.atomic(),
    });
  return withReceiver((receiver) =>
    withApp(async (t) => {
      equal(await post(t), "200 true");
      isBroken = false;
      equal(await post(t), "200 true");
      const [record] = await stored(t);
      deepEqual(idsAt(receiver), new Set([record!.id]));
    }, { env: { LEAD_TARGETS: receiver.url }, wrapKv })
  );
});

Deno.test("a silent KV is waited for once; a commit that happens later stays and is delivered", () => {
  const silence = Promise.withResolvers<void>();
  let commits = 0;
  const wrapKv = (kv: Deno.Kv) =>
    kvWith(kv, {
      commit: async (commit) => {
        if (++commits === 2) await silence.promise;
        return await commit();
      },
    });
  return withReceiver((receiver) =>
    withApp(async (t) => {
      const began = t.clock.now();
      const first = post(t);
      await until("the commit hangs", () => commits === 2);
      const second = post(t, leadOf(1)); // of the same client, behind the first
      await pause(0);
      t.clock.advance(STORING_MS);
      deepEqual(await Promise.all([first, second]), ["200 true", "200 true"]);
      ok(t.clock.now() - began <= LONGEST_ANSWER_MS);
      deepEqual(await stored(t), []);
      silence.resolve();
      await until("it is stored", async () => (await stored(t)).length === 1);
      await drainAll(t);
      equal(receiver.received.length, 3);
      equal(idsAt(receiver).size, 2);
      deepEqual(await inconsistencies(t.kv), []);
    }, { env: { LEAD_TARGETS: receiver.url }, wrapKv })
  );
});

Deno.test("without an answer of KV the lead limit is kept in memory", () => {
  const silence = Promise.withResolvers<never>();
  return withApp(async (t) => {
    const answers = [1, 2, 3].map((n) => t.postLead(leadOf(n)));
    await pause(0);
    t.clock.advance(STORING_MS);
    deepEqual(await statusesOf(answers), [502, 502, 429]);
    silence.reject(new Error("Gone"));
  }, {
    env: { LEAD_RATE_LIMIT: "2/10m" },
    wrapKv: (kv) => kvWith(kv, { get: () => silence.promise }),
  });
});
