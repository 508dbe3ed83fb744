/** @module The entries of the queues: put off, stray, counted, and indexed for leads without a target. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { dueAgain } from "../../leads/lead.ts";
import { keys } from "../../leads/kv/keys.ts";
import { countingKv } from "../support/kv_with.ts";
import { expireLeases, leaveBehind } from "../support/sent_leads.ts";
import { startHoldingReceiver, startReceiver } from "../support/receiver.ts";
import { type StoreWorld, test } from "../support/store_world.ts";
import { startApp, type TestApp } from "../support/test_app.ts";
import { pause } from "../support/until.ts";

const HOUR = 3_600_000;

function claim({ store, clock }: StoreWorld, id: string, lease: number) {
  return store.change(
    id,
    ({ crm, ...others }) =>
      crm?.state !== "waiting" || crm.due > clock.now()
        ? undefined
        : { crm: { ...crm, due: lease }, ...others },
  );
}

test("putOff() moves a job without its record, which is claimed when the entry is due; leads are counted once", async (world) => {
  const { clock, store, entries } = world;
  const now = clock.now();
  const id = await world.put({ crm: now, sales: now });
  const [job] = await store.queue("crm", { most: 9 });
  const before = await world.kv.get(keys.lead(id));
  await store.putOff(job!, now + HOUR);
  await store.putOff(job!, now + 2 * HOUR); // another instance was first
  deepEqual(await entries(keys.queues()), [["crm", now + HOUR, id], ["sales", now, id]]);
  deepEqual(await world.kv.get(keys.lead(id)), before);
  equal(world.expiryOf(keys.due("crm", now + HOUR, id)), -1, "does not expire");
  equal((await store.queue("crm", { most: 1 }))[0]!.due, now + HOUR);

  clock.advance(HOUR);
  const [later] = await store.queue("crm", { most: 9 });
  deepEqual(later, { target: "crm", id, due: now + HOUR });
  await claim(world, id, now + 2 * HOUR);
  await world.put({ crm: now });
  deepEqual(await store.backlog("crm"), { depth: 2, oldestAgeMs: HOUR });
  deepEqual(await store.backlog("gone"), { depth: 0, oldestAgeMs: 0 });
  deepEqual(await store.targetsWithWaitingLeads(), ["crm", "sales"]);
  await store.claim([later!], () => undefined);
  deepEqual((await entries(keys.queues())).at(1), ["crm", now + 2 * HOUR, id]);
  equal(await claim(world, id, 0), null, "leased");
});

test("a claim and putOff() at once leave the entry of the claim; an entry of a lead that is gone is dropped", async (world) => {
  const { store, entries } = world;
  const now = world.clock.now();
  const id = await world.put({ crm: now });
  const [job] = await store.queue("crm", { most: 9 });
  world.beforeCommit(() => claim(world, id, now + HOUR));
  await store.putOff(job!, now + 2 * HOUR);
  const leased = { ...job!, due: now + HOUR };
  for (const one of [job!, leased]) await store.claim([one], () => undefined);
  deepEqual(await entries(keys.queues()), [["crm", now + HOUR, id]], "the record's own");

  await store.putOff(leased, now + 3 * HOUR);
  await store.remove(id);
  deepEqual(await entries(keys.queues()), [["crm", now + 3 * HOUR, id]]);
  await store.claim([{ ...job!, due: now + 3 * HOUR }], () => undefined);
  deepEqual(await entries(keys.queues()), []);
});

/** Puts a lead off and makes it due, as `retry` does once it can be read again: it has two entries. */
async function putOffAndRetry({ store }: TestApp, { now, until }: { now: number; until: number }) {
  const [target] = await store.targetsWithWaitingLeads();
  const [job] = await store.queue(target!, { most: 9 });
  await store.putOff(job!, until);
  await store.change(job!.id, (deliveries) => ({
    [target!]: dueAgain(deliveries[target!]!, now),
  }));
}

Deno.test("a lead with two entries that are due is attempted once", async () => {
  await using receiver = startReceiver();
  await using dead = await leaveBehind(1, receiver.url);
  const now = dead.clock.now();
  await putOffAndRetry(dead, { now, until: now - 1 });
  await using t = await startApp(dead.options);
  await t.leads.outbox.drain();
  t.clock.advance(1_000);
  await t.leads.outbox.drain();
  equal(receiver.received.length, 1);
  deepEqual(await dead.store.targetsWithWaitingLeads(), []);
});

Deno.test("an entry that was put off is not read again and again while its lead is in flight", async () => {
  await using receiver = startHoldingReceiver();
  await using dead = await leaveBehind(1, receiver.url);
  const { store, kv } = dead;
  const calls: string[] = [];
  await using t = await startApp({ ...dead.options, wrapKv: () => countingKv(kv, calls) });
  await expireLeases(t);
  const now = t.clock.now();
  await putOffAndRetry(dead, { now, until: now + 1_000 });
  const drained = t.leads.outbox.drain();
  await receiver.arrived(1);
  await pause(20);
  t.clock.advance(1_000);
  calls.length = 0;
  for (let n = 0; n < 40; n++) {
    t.clock.advance(1);
    await pause(2);
  }
  ok(calls.length < 9, `${calls.length} calls`);
  receiver.release();
  await drained;
  t.clock.advance(1_000);
  await t.leads.outbox.drain();
  equal(receiver.received.length, 1);
  deepEqual(await store.targetsWithWaitingLeads(), []);
});
