/** @module One lead or entry that cannot be used, on a real file: it is named, and holds up no other. */

import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { KvFailure } from "../../leads/kv/error_reasons.ts";
import { keys } from "../../leads/kv/keys.ts";
import type { Delivery } from "../../leads/lead.ts";
import { createPseudonyms } from "../../leads/pseudonyms.ts";
import { CannotOpen, Sealer } from "../../leads/sealing.ts";
import { UnusableLead } from "../../leads/ports.ts";
import { brokenKv, storeOn } from "../support/kv_with.ts";
import { inconsistencies } from "../crash/consistency.ts";
import { putLead } from "../support/delivering.ts";
import { expireLeases, leadOf, statusesOf } from "../support/sent_leads.ts";
import { withDamagedKv } from "../support/damaged_kv.ts";
import { startReceiver } from "../support/receiver.ts";
import { type StoreWorld, test } from "../support/store_world.ts";
import { LEAD, startApp } from "../support/test_app.ts";

const DAY = 86_400_000;
const SEALER = new Sealer([{ id: "2026", key: new Uint8Array(32).fill(1) }]);
const DELIVERY: Delivery = { state: "waiting", due: 1, attempts: [] };
const DAMAGED = "its bytes are damaged";

async function putMany({ put, clock, calls }: StoreWorld, count: number, record = {}) {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    clock.advance(1_000);
    ids.push(await put({}, record));
  }
  calls.length = 0;
  return ids;
}

async function idsIn({ store }: StoreWorld, from?: string): Promise<string[]> {
  return await Array.fromAsync(store.all(from === undefined ? {} : { from }), ({ id }) => id);
}

const crm = (members: object) => ({ deliveries: { crm: { ...DELIVERY, ...members } } });

/** What makes a lead something else that KV can decode. */
const NO_LEADS: readonly (object | null)[] = [
  null,
  { id: "019aa6b1-7c00-7abc-8def-0123456789ab" },
  { receivedAt: 1e17 },
  { expiresAt: NaN },
  { deliveries: null },
  ...[crm({ state: "lost" }), crm({ due: undefined }), crm({ attempts: 3 }), crm({ omitted: "2" })],
  crm({ attempts: [{ at: 1, durationMs: 1 }] }),
  crm({ attempts: [{ at: 1e17, durationMs: 1, result: "ok" }] }),
  { index: undefined },
  { content: { company: "Example GmbH", locale: "en" } },
  { content: { nonce: new Uint8Array(12), data: new Uint8Array(16) } },
  { content: { ...LEAD, message: 5 } },
];

test("get() and change() reject a damaged or malformed lead by id and reason, all() passes over it", async (world) => {
  const { kv, store } = world;
  const [first, damaged, ...others] = await putMany(world, NO_LEADS.length + 2);
  world.damage(keys.lead(damaged!));
  for (const [n, members] of NO_LEADS.entries()) {
    const { key, value } = await kv.get<object>(keys.lead(others[n]!));
    await kv.set(key, members && { ...value, ...members });
  }
  const noLeads = others.map((id) => [id, "what is stored is not a lead"]);
  const expected = [[damaged, DAMAGED], ...noLeads];
  for (const [id, reason] of expected) {
    const error = new UnusableLead(id!, reason!);
    await rejects(store.get(id!), error);
    await rejects(store.change(id!, (deliveries) => deliveries), error);
  }
  deepEqual(await idsIn(world), [first]);
  deepEqual(world.passedOver, expected);
});

test("a change that makes a lead too large is not made; KV's own failures stay what they are", async ({ store, storeWith, put }) => {
  const id = await put({ crm: 1 });
  const before = await store.get(id);
  const long = Array.from({ length: 2_000 }, () => ({ at: 1, durationMs: 1, result: "timeout" }));
  await rejects(
    store.change(id, () => ({ crm: { ...DELIVERY, attempts: long } })),
    new UnusableLead(id, "it is larger than KV allows"),
  );
  deepEqual(await store.get(id), before);
  const broken = brokenKv();
  const full = { ...broken, get: () => Promise.reject(new Error("disk I/O error")) };
  for (const [kv, reason] of [[broken, /out of order/], [full, KvFailure]] as const) {
    await rejects(storeWith({ open: () => Promise.resolve(kv) }).get(id), reason);
  }
});

test("all() and reseal() go on past damaged leads, also at the ends of a page", async (world) => {
  const ids = await putMany(world, 250);
  const damaged = [0, 57, 58, 99, 100, 249].map((n) => ids[n]!);
  const usable = ids.filter((id) => !damaged.includes(id));
  for (const id of damaged) world.damage(keys.lead(id));
  const expected = damaged.map((id) => [id, DAMAGED]);
  deepEqual(await idsIn(world), usable);
  deepEqual(world.passedOver.splice(0), expected);
  deepEqual(await idsIn(world, ids[57]), usable.filter((id) => id > ids[57]!));
  world.passedOver.length = 0;
  const secret = await world.store.secret();
  const sealed = () => world.storeWith({ sealer: SEALER });
  deepEqual(await sealed().reseal(), { leads: 250, resealed: 244 });
  deepEqual(await sealed().reseal(), { leads: 250, resealed: 0 });
  deepEqual(world.passedOver, [...expected, ...expected]);
  deepEqual(await sealed().secret(), secret);
  await rejects(world.storeWith().secret(), CannotOpen);
});

test("a purge names damaged leads once, and removes all that are past their retention", async (world) => {
  const { store, clock } = world;
  const old = await putMany(world, 25);
  clock.advance(80 * DAY);
  const kept = await putMany(world, 12);
  const brief = await putMany(world, 25, { expiresAt: clock.now() + 11 * DAY });
  for (const id of [old[3]!, old[24]!, ...kept]) world.damage(keys.lead(id));
  world.damage(keys.same(old[11]!));
  clock.advance(11.5 * DAY);
  const purged = [await store.purge(), await store.purge()];
  deepEqual(purged, [50, 0]);
  deepEqual(world.passedOver, kept.map((id) => [id, DAMAGED]));
  for (const id of [...old, ...brief]) equal(await store.get(id, { expired: true }), null);
  deepEqual(await world.entries(keys.allStored()), kept.map((id) => [id]));
  world.calls.length = 0;
  await store.purge();
  ok(world.calls.length <= 2 * 12 + 3, `${world.calls.length} reads a minute`);
});

test("a person's damaged lead is removed, then its index entry; its job is dropped once it is due", async ({ store, damage, put, entries }) => {
  const id = await put({ crm: 1 });
  damage(keys.lead(id));
  equal(await store.remove(id), true);
  deepEqual(await store.ofPerson(id), [id], "found again after an interruption");
  equal(await store.remove(id, id), false);
  deepEqual(await store.ofPerson(id), []);
  for (const job of await store.queue("crm", { most: 9 })) {
    await store.claim([job], () => undefined);
  }
  equal((await entries([keys.secret()[0]!])).length, 3, "same, limit and a counter");
});

test("counts() is right after changes and erasure, needs no key, and forgets days without leads", async ({ store, storeWith, put, clock, kv, entries }) => {
  const lead = { ...LEAD, plan: "pro", locale: "de" } as const;
  const counts = async () =>
    (await store.counts()).map(({ day, choices: { locale, plan = "none" }, states, leads }) =>
      `${leads} ${day} ${locale} ${plan} ${Object.entries(states)}`
    );
  const old = await put({}, { receivedAt: clock.now() - 80 * DAY });
  const ids = [await put({ mail: 2, crm: 1 }), await put({ crm: 1 })];
  const sealed = storeWith({ sealer: SEALER });
  for (const same of ["one", "two"]) {
    await putLead({ store: sealed, clock }, { lead, index: { same, email: "e" } });
  }
  await store.change(ids[1]!, () => ({ crm: { ...DELIVERY, state: "delivered" } }));
  deepEqual((await counts()).sort(), [
    "1 2026-09-02 en none ",
    "1 2026-11-21 en none crm,delivered",
    "1 2026-11-21 en none crm,waiting,mail,waiting",
    "2 2026-11-21 de pro ",
  ]);
  for (const id of [...ids, old]) await store.remove(id);
  await put({}, { receivedAt: clock.now() - 70 * DAY, expiresAt: clock.now() - DAY });
  equal(await store.purge(), 1);
  deepEqual(await inconsistencies(kv), []);
  deepEqual(new Set((await entries(keys.counts())).map(([day]) => day)), new Set(["2026-11-21"]));
  const many = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`target-${n}`, DELIVERY]));
  await put({}, { deliveries: many }); // more than a key can hold
  deepEqual(await counts(), ["2 2026-11-21 de pro ", "1 2026-11-21 en none "]);
});

const HARMS: readonly [title: string, kind: string, value: unknown, stored: number][] = [
  ["a lead whose key is missing is a duplicate", "lead", SEALER, 1],
  ["a damaged lead is stored anew, once, and logged", "lead", DAMAGED, 2],
  ["a lead with a damaged index entry is stored anew, once", "same", DAMAGED, 2],
  ["a damaged limit of the client is replaced", "limit", DAMAGED, 1],
];

for (const [title, kind, harm, stored] of HARMS) {
  Deno.test(title, () =>
    withDamagedKv(async ({ kv, damage }) => {
      const all = (kind: string) =>
        Array.fromAsync(kv.list<object>({ prefix: [keys.secret()[0]!, kind] }));
      const postAfter = async (ms: number, expected: readonly string[]) => {
        await using t = await startApp({ wrapKv: () => kv });
        t.clock.advance(ms);
        deepEqual(await statusesOf([t.postLead(LEAD)]), [200]);
        for (let minute = 0; minute < 2; minute++) await t.leads.runMaintenance();
        const errors = t.lines.filter(({ level }) => level === "error");
        deepEqual(errors.map(({ event }) => event), expected);
      };
      await postAfter(0, []);
      const [{ key, value }] = await all(kind) as [Deno.KvEntry<object>];
      if (harm === DAMAGED) damage(key);
      else await kv.set(key, { ...value, content: SEALER.seal<unknown>(LEAD, String(key[2])) });
      const logged = kind === "lead" && harm === DAMAGED ? ["lead.unusable"] : [];
      for (const ms of [1_000, 2_000]) await postAfter(ms, logged);
      equal((await all("by_email")).length, stored);
      await all("limit"); // repaired
    }));
}

Deno.test("a damaged entry of a queue or an index is written again from its lead, and holds up no other", async () => {
  await using receiver = startReceiver();
  await withDamagedKv(async ({ kv, damage }) => {
    const keysOf = (...prefix: Deno.KvKey) =>
      Array.fromAsync(kv.list({ prefix }), ({ key }) => key);
    const wrapKv = () => kv;
    const LEAD_TARGETS = `crm=${receiver.url}`;
    {
      await using t = await startApp({ wrapKv });
      await statusesOf([1, 2].map((n) => t.postLead(leadOf(n))));
    }
    {
      await using t = await startApp({ env: { LEAD_TARGETS }, wrapKv });
      await t.leads.outbox.stop(0);
      await statusesOf([3, 4, 5].map((n) => t.postLead(leadOf(n))));
    }
    for (const prefix of [keys.queue("crm"), keys.allStored()]) {
      for (const key of (await keysOf(...prefix)).slice(1, 3)) damage(key);
    }
    await using t = await startApp({ env: { LEAD_TARGETS }, wrapKv });
    await expireLeases(t);
    await t.leads.runMaintenance();
    equal(receiver.received.length, 3);
    deepEqual(
      t.lines.filter(({ level }) => level === "error").map(({ event, leads }) => ({
        event,
        leads,
      })),
      [{ event: "leads.stranded", leads: 2 }],
    );
    deepEqual(await inconsistencies(kv), []);

    const store = storeOn(kv, { now: t.clock.now });
    const person = createPseudonyms(await store.secret()).email(LEAD.email);
    const [id, other] = await store.ofPerson(person);
    damage(keys.lead(id!));
    damage(keys.byEmail(person, other!));
    equal(await store.remove(id!, person), true);
    equal((await store.ofPerson(person)).length, 4);
  });
});
