/** @module Damaged and malformed entries of a database file: the service works on, and repairs them. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import { createPseudonyms } from "../../leads/privacy.ts";
import { Sealer } from "../../leads/sealing.ts";
import { inconsistencies } from "../crash/consistency.ts";
import { leadOf, statusesOf } from "../support/crowd.ts";
import { type DamagedKv, withDamagedKv } from "../support/damaged_kv.ts";
import { withReceiver } from "../support/receiver.ts";
import { LEAD, withApp } from "../support/test_app.ts";

const DAY = 86_400_000;
const KEY = { id: "2026", key: new Uint8Array(32).fill(1) };

/** What happens to a stored lead, and how many are stored after it has been sent twice more. */
const HARMS: readonly (readonly [
  title: string,
  harm: (damaged: DamagedKv, entry: (kind: string) => Promise<Deno.KvEntry<object>>) => unknown,
  stored: number,
])[] = [
  ["whose key is missing is still the duplicate", async ({ kv }, entry) => {
    const { key, value } = await entry("lead");
    const content = new Sealer([KEY]).seal<unknown>(LEAD, String(key[2]));
    await kv.set(key, { ...value, content });
  }, 1],
  ["that is damaged is stored again, once", async ({ damage }, entry) => {
    damage((await entry("lead")).key);
  }, 2],
  ["whose index entry is damaged is stored again, once", async ({ damage }, entry) => {
    damage((await entry("same")).key);
  }, 2],
  ["whose index entry is malformed is stored again, once", async ({ kv }, entry) => {
    await kv.set((await entry("same")).key, "no entry");
  }, 2],
  ["whose index entry is empty is stored again, once", async ({ kv }, entry) => {
    await kv.set((await entry("same")).key, null);
  }, 2],
  ["whose client's limit is damaged is recognised", async ({ damage }, entry) => {
    damage((await entry("limit")).key);
  }, 1],
  ["whose client's limit is malformed is recognised", async ({ kv }, entry) => {
    await kv.set((await entry("limit")).key, { arrival: "soon" });
  }, 1],
];

for (const [title, harm, stored] of HARMS) {
  Deno.test(`a lead ${title}`, () =>
    withDamagedKv(async (damaged) => {
      const { kv } = damaged;
      const ofKind = (kind: string) => ({ prefix: [keys.secret()[0]!, kind] });
      const post = () =>
        withApp(async (t) => {
          deepEqual(await statusesOf([t.postLead(LEAD)]), [200]);
          deepEqual(t.lines.filter(({ level }) => level === "error"), []);
        }, { wrapKv: () => kv });
      await post();
      await harm(
        damaged,
        async (kind) => (await Array.fromAsync(kv.list<object>(ofKind(kind))))[0]!,
      );
      await post();
      await post();
      equal((await Array.fromAsync(kv.list(ofKind("by_email")))).length, stored);
      await Array.fromAsync(kv.list(ofKind("limit"))); // repaired
    }));
}

Deno.test("the maintenance logs a damaged lead once, and replaces a damaged time of the rewrite", () =>
  withDamagedKv(({ kv, damage }) =>
    withApp(async (t) => {
      const { rewriteDaily } = createKvStore({
        open: () => Promise.resolve(kv),
        now: t.clock.now,
        sealer: new Sealer([]),
        retentionMs: DAY,
      });
      await statusesOf([t.postLead(LEAD)]);
      const [lead] = await Array.fromAsync(kv.list({ prefix: keys.leads() }), ({ key }) => key);
      damage(lead!);
      for (let minute = 0; minute < 3; minute++) await t.leads.runMaintenance();
      deepEqual(t.lines.filter(({ level }) => level === "error"), [
        { level: "error", event: "lead.unusable", lead: lead![2], reason: "its bytes are damaged" },
      ]);
      await rewriteDaily(() => Promise.resolve());
      damage(keys.rewrite());
      equal(await rewriteDaily(() => Promise.reject(new Error("too early"))), false);
      t.clock.advance(DAY);
      equal(await rewriteDaily(() => Promise.resolve()), true);
    }, { wrapKv: () => kv })
  ));

Deno.test("a damaged entry of a queue or an index is written again from its lead, and holds up no other", () =>
  withReceiver((receiver) =>
    withDamagedKv(async ({ kv, damage }) => {
      const keysOf = (...prefix: Deno.KvKey) =>
        Array.fromAsync(kv.list({ prefix }), ({ key }) => key);
      const wrapKv = () => kv;
      const LEAD_TARGETS = `crm=${receiver.url}`;
      await withApp(async (t) => {
        await statusesOf([1, 2].map((n) => t.postLead(leadOf(n))));
      }, { wrapKv });
      await withApp(async (t) => {
        await t.leads.outbox.stop(0);
        await statusesOf([3, 4, 5].map((n) => t.postLead(leadOf(n))));
      }, { env: { LEAD_TARGETS }, wrapKv });
      for (const prefix of [keys.queue("crm"), keys.allStored()]) {
        for (const key of (await keysOf(...prefix)).slice(1, 3)) damage(key);
      }
      await withApp(async (t) => {
        t.clock.advance(LEASE_MS);
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

        const store = createKvStore({
          open: () => Promise.resolve(kv),
          now: t.clock.now,
          sealer: new Sealer([]),
          retentionMs: DAY,
        });
        const person = createPseudonyms(await store.secret()).email(LEAD.email);
        const [id, other] = await store.ofPerson(person);
        damage(keys.lead(id!));
        damage(keys.byEmail(person, other!));
        equal((await store.remove(id!)).leads, 1);
        equal((await store.ofPerson(person)).length, 4);
      }, { env: { LEAD_TARGETS }, wrapKv });
    })
  ));
