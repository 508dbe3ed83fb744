/** @module Damaged and malformed entries of a database file: the service works on, and repairs them. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import { Sealer } from "../../leads/sealing.ts";
import { statusesOf } from "../support/crowd.ts";
import { type DamagedKv, withDamagedKv } from "../support/damaged_kv.ts";
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
