/** @module The entries of the queues: put off, stray, counted, and indexed for leads without a target. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import type { Deliveries } from "../../leads/lead.ts";
import { createLeadIds } from "../../leads/lead_id.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import { Sealer } from "../../leads/sealing.ts";
import type { LeadStore } from "../../leads/store.ts";
import type { SealingKey } from "../../schemas/values.ts";
import { countingKv } from "../support/counting_kv.ts";
import { withLeftBehind } from "../support/crowd.ts";
import { recordOf } from "../support/delivering.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { withHoldingReceiver } from "../support/receiver.ts";
import { withApp } from "../support/test_app.ts";
import { pause } from "../support/until.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function createWorld() {
  const clock = new FakeClock();
  const kv = await Deno.openKv(":memory:");
  const calls: string[] = [];
  let before: (() => unknown) | undefined;
  const access = kvWith(countingKv(kv, calls), {
    async commit(commit) {
      const work = before;
      before = undefined;
      await work?.();
      return await commit();
    },
  });
  const createStore = (...sealingKeys: SealingKey[]) =>
    createKvStore({
      open: () => Promise.resolve(access),
      now: clock.now,
      sealer: new Sealer(sealingKeys),
      retentionMs: 90 * DAY,
    });
  const store = createStore();
  const newId = createLeadIds();
  /** Stores a lead that waits for targets since their due times, an age ago. */
  async function put(dues: Readonly<Record<string, number>>, age = 0): Promise<string> {
    const receivedAt = clock.now() - age;
    const id = newId(receivedAt);
    const deliveries: Deliveries = Object.fromEntries(
      Object.entries(dues).map(([target, due]) => [target, { state: "waiting", due, tries: [] }]),
    );
    const times = { receivedAt, expiresAt: receivedAt + 90 * DAY };
    const record = {
      ...recordOf(),
      id,
      ...times,
      deliveries,
      index: { same: id, email: "person" },
    };
    await store.accept({ client: id, arrival: clock.now(), seen: null }, record);
    return id;
  }
  const entries = async (prefix = keys.queues()) =>
    await Array.fromAsync(kv.list({ prefix }), ({ key }) => key.slice(2));
  return {
    clock,
    kv,
    calls,
    store,
    createStore,
    put,
    entries,
    /** Does something between what the next commit was based on and the commit. */
    beforeCommit: (work: () => unknown) => void (before = work),
    [Symbol.dispose]: () => kv.close(),
  };
}

/** As the outbox claims a job. */
function claim(store: LeadStore, id: string, { now, lease }: { now: number; lease: number }) {
  return store.change(
    id,
    ({ crm, ...others }) =>
      crm?.state !== "waiting" || crm.due > now
        ? undefined
        : { crm: { ...crm, due: lease }, ...others },
  );
}

Deno.test("putOff() moves a job without its record, which is claimed when the entry is due", async () => {
  using world = await createWorld();
  const { clock, store, entries } = world;
  const now = clock.now();
  const id = await world.put({ crm: now, sales: now });
  const [job] = await store.due("crm", { now, most: 9 });
  const before = await world.kv.get(keys.lead(id));
  await store.putOff(job!, now + HOUR);
  await store.putOff(job!, now + 2 * HOUR); // another instance was first
  deepEqual(await entries(), [["crm", now + HOUR, id], ["sales", now, id]]);
  deepEqual(await world.kv.get(keys.lead(id)), before);
  deepEqual(await store.due("crm", { now, most: 9 }), []);
  equal(await store.nextDue("crm"), now + HOUR);

  clock.advance(HOUR);
  const [later] = await store.due("crm", { now: clock.now(), most: 9 });
  deepEqual(later, { target: "crm", id, due: now + HOUR });
  await claim(store, id, { now: clock.now(), lease: now + 2 * HOUR });
  deepEqual(await store.backlog("crm"), { depth: 1, oldestAgeMs: HOUR });
  await store.dropStray(later!);
  deepEqual(await entries(), [["crm", now + 2 * HOUR, id], ["sales", now, id]]);
  equal(await claim(store, id, { now: clock.now(), lease: 0 }), null, "leased");
});

Deno.test("a claim and putOff() at once leave the entry of the claim; an entry of a lead that is gone is dropped", async () => {
  using world = await createWorld();
  const { clock, store, entries } = world;
  const now = clock.now();
  const id = await world.put({ crm: now });
  const [job] = await store.due("crm", { now, most: 9 });
  world.beforeCommit(() => claim(store, id, { now, lease: now + HOUR }));
  await store.putOff(job!, now + 2 * HOUR);
  await store.dropStray(job!);
  deepEqual(await entries(), [["crm", now + HOUR, id]]);

  const leased = { ...job!, due: now + HOUR };
  await store.dropStray(leased); // it is the record's own
  await store.putOff(leased, now + 3 * HOUR);
  await store.remove(id);
  deepEqual(await entries(), [["crm", now + 3 * HOUR, id]]);
  await store.dropStray({ ...job!, due: now + 3 * HOUR });
  deepEqual(await entries(), []);
});

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

Deno.test("an entry that was put off is not read again and again while its lead is in flight", () =>
  withHoldingReceiver((receiver) =>
    withLeftBehind(1, {
      targets: receiver.url,
      test: ({ dead: { store, kv }, options }) => {
        const calls: string[] = [];
        return withApp(async (t) => {
          t.clock.advance(LEASE_MS);
          const now = t.clock.now();
          const [target] = await store.queued();
          const [job] = await store.due(target!, { now, most: 9 });
          await store.putOff(job!, now + 1_000);
          // As `retry`, once the lead can be read again.
          await store.change(job!.id, (deliveries) => ({
            [target!]: { ...deliveries[target!]!, due: now },
          }));
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
          deepEqual(await store.queued(), []);
        }, { ...options, wrapKv: () => countingKv(kv, calls) });
      },
    })
  ));

Deno.test("queued() and backlog() count the leads of each target, configured or not", async () => {
  using world = await createWorld();
  const { clock, store } = world;
  const now = clock.now();
  await world.put({ crm: now, "hooks.example": now + HOUR });
  await world.put({ "hooks.example": now }, 2 * HOUR);
  await world.put({ "webhook:hooks.example:0a1b2c3d": now });
  deepEqual(await store.queued(), ["crm", "hooks.example", "webhook:hooks.example:0a1b2c3d"]);
  deepEqual(await store.backlog("hooks.example"), { depth: 2, oldestAgeMs: 2 * HOUR });
  deepEqual(await store.backlog("gone"), { depth: 0, oldestAgeMs: 0 });
});

Deno.test("indexStored() indexes leads of earlier versions once, also if several processes do", async () => {
  using world = await createWorld();
  const { store, clock, kv } = world;
  await store.secret();
  await kv.delete(keys.storedIndexed());
  await world.createStore({ id: "2026", key: new Uint8Array(32) }).reseal();
  const ids: string[] = [];
  for (let n = 0; n < 230; n++) {
    const id = await world.put(n % 2 === 0 ? {} : { crm: clock.now() });
    if (n % 2 === 0) ids.push(id);
  }
  for (const [id] of await world.entries(keys.allStored())) {
    await kv.delete(keys.stored(String(id)));
  }
  equal(await store.countStored(), 0);
  const others = [world.createStore(), world.createStore()];
  await Promise.all([
    ...[store, ...others].map((each) => each.indexStored()),
    store.remove(ids[0]!),
    store.change(ids[1]!, () => ({ crm: { state: "waiting", due: 1, tries: [] } })),
  ]);
  deepEqual(await world.entries(keys.allStored()), ids.slice(2).map((id) => [id]));
  equal(await store.countStored(), 113);
  await kv.delete(keys.stored(ids[9]!));
  for (const each of [store, ...others, world.createStore()]) await each.indexStored();
  equal(await store.countStored(), 112, "not again");
});

Deno.test("indexStored() continues where a process ended, and reports no stranded lead before", async () => {
  using world = await createWorld();
  const { kv, clock, calls, createStore } = world;
  const old = await world.put({ crm: clock.now() });
  const { value } = await kv.get<object>(keys.lead(old));
  const newId = createLeadIds();
  for (let n = 0; n < 100; n++) {
    const commit = kv.atomic();
    for (let of100 = 0; of100 < 100; of100++) {
      const id = newId(clock.now());
      commit.set(keys.lead(id), { ...value, id });
    }
    await commit.commit();
  }
  const id = await world.put({});
  await kv.delete(keys.stored(id));
  await withApp(async (t) => {
    const stranded = () => t.lines.filter(({ event }) => event === "leads.stranded");
    await t.leads.outbox.stop(0);
    await t.leads.runMaintenance();
    deepEqual(stranded(), []);
    calls.length = 0;
    deepEqual(await createStore().indexStored(), true, "another process");
    ok(calls.length < 9, `${calls.length} calls`);
    await t.leads.runMaintenance();
    const fix = "deno task leads send --stored";
    deepEqual(stranded(), [{ level: "error", event: "leads.stranded", leads: 1, fix }]);
  }, { env: { LEAD_TARGETS: "crm=https://crm.example" }, wrapKv: () => kv });
});

Deno.test("indexStored() reads one entry of a new database, once a process", async () => {
  using world = await createWorld();
  await world.store.secret();
  await world.put({});
  world.calls.length = 0;
  await world.store.indexStored();
  await world.store.indexStored();
  deepEqual(world.calls, ["get"]);
  equal(await world.store.countStored(), 1);
});
