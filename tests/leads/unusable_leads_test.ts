/** @module One lead that cannot be used, on a real file: it is named, and holds up no other lead. */

import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { KvFailure } from "../../leads/kv/cause.ts";
import type { KvAccess } from "../../leads/kv/guard.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import { createLeadIds } from "../../leads/lead_id.ts";
import { Sealer } from "../../leads/sealing.ts";
import { type LeadStore, UnusableLead } from "../../leads/store.ts";
import { brokenKv } from "../support/broken_kv.ts";
import { countingKv } from "../support/counting_kv.ts";
import { type DamagedKv, withDamagedKv } from "../support/damaged_kv.ts";
import { recordOf } from "../support/delivering.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { LEAD } from "../support/test_app.ts";

const DAY = 86_400_000;
const KEY = { id: "2026", key: new Uint8Array(32).fill(1) };
const DELIVERY: Delivery = { state: "waiting", due: 1, tries: [] };
const DAMAGED = "its bytes are damaged";
const NO_LEAD = "what is stored is not a lead";

interface World extends DamagedKv {
  readonly clock: FakeClock;
  readonly store: LeadStore;
  /** Names of the calls to KV. */
  readonly calls: string[];
  /** The leads that were passed over: id and reason. */
  readonly passedOver: string[][];
  /** Another store on the same file. */
  storeWith(options: { readonly sealingKeys?: typeof KEY[]; readonly kv?: KvAccess }): LeadStore;
  /** Stores leads, one a second. */
  put(count: number, record?: Partial<LeadRecord>): Promise<string[]>;
}

function withWorld(test: (world: World) => Promise<void>): Promise<void> {
  return withDamagedKv(async (damaged) => {
    const clock = new FakeClock();
    const calls: string[] = [];
    const passedOver: string[][] = [];
    const counting = countingKv(damaged.kv, calls);
    const storeWith: World["storeWith"] = ({ sealingKeys = [], kv = counting }) =>
      createKvStore({
        open: () => Promise.resolve(kv),
        now: clock.now,
        sealer: new Sealer(sealingKeys),
        retentionMs: 30 * DAY,
        unusable: ({ id, message }) => passedOver.push([id, message]),
      });
    const store = storeWith({});
    const newId = createLeadIds();
    await test({
      ...damaged,
      clock,
      store,
      calls,
      passedOver,
      storeWith,
      async put(count, record = {}) {
        const ids: string[] = [];
        for (let n = 0; n < count; n++) {
          clock.advance(1_000);
          const receivedAt = clock.now();
          const id = newId(receivedAt);
          const index = { same: id, email: `person-${n}` };
          const times = { receivedAt, expiresAt: receivedAt + 90 * DAY };
          await store.accept(
            { client: id, arrival: receivedAt, seen: null },
            { ...recordOf(), id, ...times, index, ...record },
          );
          ids.push(id);
        }
        calls.length = 0;
        return ids;
      },
    });
  });
}

async function idsIn({ store }: Pick<World, "store">, from?: string): Promise<string[]> {
  return (await Array.fromAsync(store.all(from === undefined ? {} : { from }))).map(({ id }) => id);
}

/** Changes a stored lead in place. */
async function spoil({ kv }: World, id: string, change: (lead: object) => unknown) {
  const { key, value } = await kv.get<object>(keys.lead(id));
  await kv.set(key, change(value!));
}

const of = (members: object) => (lead: object) => ({ ...lead, ...members });
const tries = (one: unknown) => of({ deliveries: { crm: { ...DELIVERY, tries: [one] } } });

/** Values that are decoded but are no leads. */
const NO_LEADS: Record<string, (lead: object) => unknown> = {
  null: () => null,
  "a number": () => 7,
  bytes: () => new Uint8Array(8),
  "another id": of({ id: "019aa6b1-7c00-7abc-8def-0123456789ab" }),
  "a time that no date has": of({ receivedAt: 1e17 }),
  "no end of retention": of({ expiresAt: NaN }),
  "no deliveries": of({ deliveries: null }),
  "an unknown state": of({ deliveries: { crm: { ...DELIVERY, state: "lost" } } }),
  "no due time": of({ deliveries: { crm: { ...DELIVERY, due: undefined } } }),
  "tries that are no list": of({ deliveries: { crm: { ...DELIVERY, tries: 3 } } }),
  "a try without a result": tries({ at: 1, durationMs: 1 }),
  "a try that is null": tries(null),
  "an odd number of omitted tries": of({ deliveries: { crm: { ...DELIVERY, omitted: "2" } } }),
  "no index": of({ index: undefined }),
  "content without an address": of({ content: { company: "Example GmbH", locale: "en" } }),
  "a seal without the name of a key": of({ content: { nonce: KEY.key, data: KEY.key } }),
  "a message that is no text": of({ content: { ...LEAD, message: 5 } }),
};

Deno.test("get() and change() reject a damaged or malformed lead by id and reason, all() passes over it", () =>
  withWorld(async (world) => {
    const { store, damage, passedOver } = world;
    const [first, ...others] = await world.put(Object.keys(NO_LEADS).length + 2);
    const last = others.pop()!;
    for (const [n, change] of Object.values(NO_LEADS).entries()) {
      await spoil(world, others[n]!, change);
    }
    damage(keys.lead(last));
    const expected = [...others.map((id) => [id, NO_LEAD]), [last, DAMAGED]];
    for (const [id, reason] of expected) {
      const error = new UnusableLead(id!, reason!);
      await rejects(store.get(id!), error);
      await rejects(store.change(id!, (deliveries) => deliveries), error);
    }
    deepEqual(await idsIn(world), [first]);
    deepEqual(passedOver, expected);
  }));

Deno.test("a lead whose key is missing is not claimed, and not resealed", () =>
  withWorld(async (world) => {
    const sealed = world.storeWith({ sealingKeys: [KEY] });
    const [id] = await world.put(1, { deliveries: { crm: DELIVERY } });
    await sealed.reseal();
    const { versionstamp } = await world.kv.get(keys.lead(id!));
    const reason = "Cannot open what is sealed: LEAD_ENCRYPTION_KEYS has no 2026";
    const error = new UnusableLead(id!, reason);
    await rejects(world.store.get(id!), error);
    await rejects(world.store.change(id!, () => ({ crm: { ...DELIVERY, due: 9 } })), error);
    equal(await world.store.change(id!, () => undefined), null, "another instance has claimed it");
    deepEqual(await world.store.reseal(), { leads: 1, resealed: 0 });
    deepEqual(await idsIn(world), []);
    deepEqual(world.passedOver, [[id, reason], [id, reason]]);
    equal((await world.kv.get(keys.lead(id!))).versionstamp, versionstamp);
  }));

Deno.test("a change that makes a lead too large is not made; KV's own failures stay what they are", () =>
  withWorld(async (world) => {
    const { store } = world;
    const [id] = await world.put(1, { deliveries: { crm: DELIVERY } });
    const before = await store.get(id!);
    const long = Array.from({ length: 2_000 }, () => ({ at: 1, durationMs: 1, result: "timeout" }));
    await rejects(
      store.change(id!, () => ({ crm: { ...DELIVERY, tries: long } })),
      new UnusableLead(id!, "it is larger than KV allows"),
    );
    deepEqual(await store.get(id!), before);
    await rejects(world.storeWith({ kv: brokenKv() }).get(id!), /out of order/);
    const full = { ...brokenKv(), get: () => Promise.reject(new Error("disk I/O error")) };
    await rejects(world.storeWith({ kv: full }).get(id!), KvFailure);
  }));

Deno.test("all() and reseal() go on past damaged leads, also at the ends of a page, and find them once", () =>
  withWorld(async (world) => {
    const ids = await world.put(250);
    const damaged = [0, 57, 58, 99, 100, 249].map((n) => ids[n]!);
    for (const id of damaged) world.damage(keys.lead(id));
    const others = ids.filter((id) => !damaged.includes(id));
    deepEqual(await idsIn(world), others);
    const expected = damaged.map((id) => [id, DAMAGED]);
    deepEqual(world.passedOver.splice(0), expected);
    ok(world.calls.length < 6 * 140, `${world.calls.length} reads`);

    world.calls.length = 0;
    deepEqual(await idsIn(world), others);
    deepEqual(world.passedOver.splice(0), expected);
    ok(world.calls.length <= 2 * 6 + 4, `${world.calls.length} reads`);

    deepEqual(await idsIn(world, ids[57]), others.filter((id) => id > ids[57]!));
    world.passedOver.length = 0;
    const sealed = world.storeWith({ sealingKeys: [KEY] });
    deepEqual(await sealed.reseal(), { leads: 250, resealed: 244 });
    deepEqual(world.passedOver, expected);
  }));

Deno.test("a purge goes on past damaged leads, without searching for them again, and removes the expired ones with all entries", () =>
  withWorld(async (world) => {
    const { store, clock, kv } = world;
    const deliveries = {
      crm: DELIVERY,
      sales: { ...DELIVERY, state: "dead" },
    } satisfies LeadRecord["deliveries"];
    const old = await world.put(25, { deliveries });
    clock.advance(20 * DAY);
    // Their own retention ends earlier; the damaged ones among them do not tell.
    const kept = await world.put(12);
    const brief = await world.put(25, { expiresAt: clock.now() + 11 * DAY });
    for (const id of [old[3]!, old[24]!, ...kept]) world.damage(keys.lead(id));
    await spoil(world, old[7]!, () => "not a lead");
    world.damage(keys.same(old[11]!));
    clock.advance(11.5 * DAY);
    world.calls.length = 0;
    deepEqual([await store.purge(30), await store.purge(1_000), await store.purge(1_000)], [
      30,
      20,
      0,
    ]);
    deepEqual(world.passedOver, kept.map((id) => [id, DAMAGED]));
    const left = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key).catch(String);
    equal(left, "RangeError: could not deserialize value");
    for (const kind of [keys.queues(), keys.allDead()]) {
      deepEqual(await Array.fromAsync(kv.list({ prefix: kind })), []);
    }
    const indexed = await Array.fromAsync(kv.list({ prefix: keys.people() }), ({ key }) => key[3]);
    deepEqual(indexed.sort(), kept);
    for (const id of [...old, ...brief]) equal((await kv.get(keys.lead(id))).value, null);

    world.calls.length = 0;
    await store.purge(1_000);
    ok(world.calls.length <= 2 * 12 + 3, `${world.calls.length} reads a minute`);
  }));

Deno.test("an entry that was put off expires with its lead", () =>
  withWorld(async ({ store, expiryOf, put }) => {
    const [id] = await put(1, { deliveries: { crm: DELIVERY } });
    await store.putOff({ target: "crm", id: id!, due: DELIVERY.due }, DAY);
    const left = expiryOf(keys.due("crm", DAY, id!)) - Date.now();
    ok(Math.abs(left - 30 * DAY) < 60_000, `expires in ${left} ms`);
  }));

Deno.test("remove() removes a person's damaged lead with all entries", () =>
  withWorld(async ({ store, kv, damage, put }) => {
    const deliveries = { crm: DELIVERY, sales: { ...DELIVERY, state: "dead" as const } };
    const [id] = await put(1, { deliveries });
    const many = await put(510); // more than are searched at once
    const stored = many[99]!;
    for (const each of [id!, stored]) damage(keys.lead(each));
    deepEqual(await store.remove(id!), { leads: 1, queued: 1, dead: 1, index: 1 });
    deepEqual(await store.remove(stored), { leads: 1, queued: 0, dead: 0, index: 2 });
    deepEqual(await store.ofPerson("person-99"), []);
    const left = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key);
    const ofThem = left.filter((key) => [id, stored].includes(String(key.at(-1))));
    deepEqual(ofThem.map(([, kind]) => kind), ["limit", "limit", "same", "same"]);
  }));

Deno.test("a damaged lead's removal that is interrupted anywhere can be repeated by its person", () =>
  withWorld(async (world) => {
    const deliveries = { crm: DELIVERY, sales: { ...DELIVERY, state: "dead" as const } };
    for (const record of [{ deliveries }, {}]) {
      for (let commits = 0; commits < 5; commits++) {
        const [id] = await world.put(1, record);
        world.damage(keys.lead(id!));
        let left = commits;
        const dying = kvWith(world.kv, {
          commit: (commit) => left-- > 0 ? commit() : Promise.reject(new Error("killed")),
        });
        await world.storeWith({ kv: dying }).remove(id!).catch(() => {});
        for (const each of await world.store.ofPerson("person-0")) {
          const { leads } = await world.store.remove(each);
          if (leads === 0) await world.store.removeStray("person-0", each);
        }
        equal((await world.kv.get(keys.lead(id!))).versionstamp, null, `after ${commits} commits`);
        deepEqual(await world.store.ofPerson("person-0"), []);
      }
    }
  }));
