/** @module The entries of the queues: put off, stray, counted, and indexed for leads without a target. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import { Sealer } from "../../leads/sealing.ts";
import { countingKv } from "../support/counting_kv.ts";
import { withLeftBehind } from "../support/crowd.ts";
import { withHoldingReceiver } from "../support/receiver.ts";
import { type StoreWorld, withStore } from "../support/store_world.ts";
import { withApp } from "../support/test_app.ts";
import { pause } from "../support/until.ts";

const HOUR = 3_600_000;

/** Claims a job until the end of a lease, as the outbox does. */
function claim({ store, clock }: StoreWorld, id: string, lease: number) {
  return store.change(
    id,
    ({ crm, ...others }) =>
      crm?.state !== "waiting" || crm.due > clock.now()
        ? undefined
        : { crm: { ...crm, due: lease }, ...others },
  );
}

Deno.test("putOff() moves a job without its record, which is claimed when the entry is due", () =>
  withStore(async (world) => {
    const { clock, store, entries } = world;
    const now = clock.now();
    const id = await world.put({ crm: now, sales: now });
    const [job] = await store.due("crm", { now, most: 9 });
    const before = await world.kv.get(keys.lead(id));
    await store.putOff(job!, now + HOUR);
    await store.putOff(job!, now + 2 * HOUR); // another instance was first
    deepEqual(await entries(keys.queues()), [["crm", now + HOUR, id], ["sales", now, id]]);
    deepEqual(await world.kv.get(keys.lead(id)), before);
    const left = world.expiryOf(keys.due("crm", now + HOUR, id)) - Date.now();
    ok(Math.abs(left - 90 * 24 * HOUR) < 60_000, `expires in ${left} ms, not with its lead`);
    deepEqual(await store.due("crm", { now, most: 9 }), []);
    equal(await store.nextDue("crm"), now + HOUR);

    clock.advance(HOUR);
    const [later] = await store.due("crm", { now: clock.now(), most: 9 });
    deepEqual(later, { target: "crm", id, due: now + HOUR });
    await claim(world, id, now + 2 * HOUR);
    deepEqual(await store.backlog("crm"), { depth: 1, oldestAgeMs: HOUR });
    await store.dropStray(later!);
    deepEqual(await entries(keys.queues()), [["crm", now + 2 * HOUR, id], ["sales", now, id]]);
    equal(await claim(world, id, 0), null, "leased");
  }));

Deno.test("a claim and putOff() at once leave the entry of the claim; an entry of a lead that is gone is dropped", () =>
  withStore(async (world) => {
    const { store, entries } = world;
    const now = world.clock.now();
    const id = await world.put({ crm: now });
    const [job] = await store.due("crm", { now, most: 9 });
    world.beforeCommit(() => claim(world, id, now + HOUR));
    await store.putOff(job!, now + 2 * HOUR);
    await store.dropStray(job!);
    deepEqual(await entries(keys.queues()), [["crm", now + HOUR, id]]);

    const leased = { ...job!, due: now + HOUR };
    await store.dropStray(leased); // it is the record's own
    await store.putOff(leased, now + 3 * HOUR);
    await store.remove(id);
    await store.dropStray({ ...job!, due: now + 3 * HOUR });
    deepEqual(await entries(keys.queues()), []);
  }));

Deno.test("a job that was put off is attempted once, and is not looked up again meanwhile", () =>
  withHoldingReceiver((receiver) =>
    withLeftBehind(1, {
      targets: receiver.url,
      test: ({ dead, options }) => {
        const calls: string[] = [];
        return withApp(async (t) => {
          t.clock.advance(LEASE_MS);
          const [target] = await dead.store.queued();
          const [job] = await dead.store.due(target!, { now: t.clock.now(), most: 9 });
          await dead.store.putOff(job!, t.clock.now() + HOUR);
          t.clock.advance(HOUR);
          const drained = t.leads.outbox.drain();
          await receiver.arrived(1);
          calls.length = 0;
          for (let n = 0; n < 40; n++) {
            t.clock.advance(1);
            await pause(2);
          }
          ok(calls.length < 20, `${calls.length} calls`); // the end of the drain
          receiver.release();
          await drained;
          equal(receiver.received.length, 1);
          deepEqual(await dead.store.queued(), []);
        }, { ...options, wrapKv: () => countingKv(dead.kv, calls) });
      },
    })
  ));

Deno.test("queued() and backlog() count the leads of each target, configured or not", () =>
  withStore(async ({ clock, store, put }) => {
    const now = clock.now();
    await put({ crm: now, "hooks.example": now + HOUR });
    await put({ "hooks.example": now }, { receivedAt: now - 2 * HOUR });
    await put({ "webhook:hooks.example:0a1b2c3d": now });
    deepEqual(await store.queued(), ["crm", "hooks.example", "webhook:hooks.example:0a1b2c3d"]);
    deepEqual(await store.backlog("hooks.example"), { depth: 2, oldestAgeMs: 2 * HOUR });
    deepEqual(await store.backlog("gone"), { depth: 0, oldestAgeMs: 0 });
  }));

Deno.test("indexStored() indexes leads of earlier versions once, also if several processes do", () =>
  withStore(async (world) => {
    const { store, clock, kv, calls } = world;
    await store.secret();
    await kv.delete(keys.storedIndexed());
    const ids: string[] = [];
    for (let n = 0; n < 115; n++) {
      ids.push(await world.put());
      await world.put({ crm: clock.now() });
    }
    const sealer = new Sealer([{ id: "2026", key: new Uint8Array(32) }]);
    const sealed = world.storeWith({ sealer });
    await sealed.reseal(); // the others have no key
    for (const id of ids) await kv.delete(keys.stored(id));
    const stores = [store, world.storeWith(), world.storeWith()];
    await Promise.all([
      ...stores.map((each) => each.indexStored()),
      store.remove(ids[0]!),
      sealed.change(ids[1]!, () => ({ crm: { state: "waiting", due: 1, tries: [] } })),
    ]);
    deepEqual(await world.entries(keys.allStored()), ids.slice(2).map((id) => [id]));
    equal(await store.countStored(), 113);
    await kv.delete(keys.stored(ids[9]!));
    calls.length = 0;
    for (const each of [...stores, world.storeWith()]) await each.indexStored();
    deepEqual(calls, ["get"], "once a process");
    equal(await store.countStored(), 112, "not again");
  }));
