/** @module The purge of many leads: in slices, bounded in time, and concurrent with other work. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import type { Deliveries } from "../../leads/lead.ts";
import { createLeadIds } from "../../leads/lead_id.ts";
import { leadOf, statusesOf, withLeftBehind } from "../support/crowd.ts";
import { countKeys } from "../support/deliveries.ts";
import { recordOf } from "../support/delivering.ts";
import { kvWith } from "../support/kv_with.ts";
import { withReceiver } from "../support/receiver.ts";
import { type TestApp, withApp } from "../support/test_app.ts";

const DAY = 86_400_000;
const env = { LEAD_RETENTION: "30d" };
const LONG = "x".repeat(5_000);

/** Stores leads of 60 days ago with a retention of 90, which KV does not expire itself. */
async function putExpired(
  { store, clock }: Pick<TestApp, "store" | "clock">,
  { leads, message = "", deliveries = {} }: {
    readonly leads: number;
    readonly message?: string;
    readonly deliveries?: Deliveries;
  },
): Promise<string[]> {
  const receivedAt = clock.now() - 60 * DAY;
  const expiresAt = receivedAt + 90 * DAY;
  const newId = createLeadIds();
  return await Promise.all(Array.from({ length: leads }, async (_, n) => {
    const id = newId(receivedAt);
    const index = { same: `content-${n}`, email: `person-${n}` };
    const record = { ...recordOf({ message }), id, receivedAt, expiresAt, deliveries, index };
    await store.accept({ client: id, arrival: clock.now(), seen: null }, record);
    return id;
  }));
}

/** The keys in KV of leads. */
async function keysLeft({ kv }: Pick<TestApp, "kv">): Promise<Deno.KvKey[]> {
  const all = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key);
  return all.filter(([, kind]) => !["limit", "secret", "stored_indexed"].includes(String(kind)));
}

/** Calls `before` before each commit. */
function beforeCommits(before: () => unknown) {
  return (kv: Deno.Kv) => kvWith(kv, { commit: async (commit) => (await before(), commit()) });
}

Deno.test("a purge takes five seconds of each minute", async () => {
  let tick = () => {};
  await withApp(async (t) => {
    await putExpired(t, { leads: 250 });
    tick = () => t.clock.advance(1_000);
    const left: number[] = [];
    for (let minute = 0; minute < 3; minute++) {
      await t.leads.runMaintenance();
      left.push(await countKeys(t, "lead"));
    }
    deepEqual(left, [150, 50, 0]);
    const purged = t.lines.filter(({ event }) => event === "leads.purged");
    deepEqual(purged.map(({ leads }) => leads), [100, 100, 50]);
    deepEqual(await keysLeft(t), []);
  }, { env, wrapKv: beforeCommits(() => tick()) });
});

Deno.test("a purge reads ten leads at a time and removes them in one commit", async () => {
  const calls: string[] = [];
  await withApp(async (t) => {
    await putExpired(t, { leads: 30, message: LONG });
    await t.store.secret(); // its commit is not of interest
    calls.length = 0;
    await t.leads.runMaintenance();
    deepEqual(await keysLeft(t), []);
    const slice = ["list 10", "getMany 10", "commit"];
    deepEqual(calls, [...slice, ...slice, ...slice, "list 10"]);
  }, {
    env,
    wrapKv: (kv) =>
      kvWith(kv, {
        list: (selector, options) => {
          const isOfLeads = "prefix" in selector && selector.prefix.at(-1) === "lead";
          if (isOfLeads) calls.push(`list ${options?.limit}`);
          return kv.list(selector, options);
        },
        getMany: (many) => (calls.push(`getMany ${many.length}`), kv.getMany(many)),
        commit: (commit) => (calls.push("commit"), commit()),
      }),
  });
});

Deno.test("during a purge of 2,000 leads, due leads are delivered and new ones accepted", () =>
  withReceiver((receiver) =>
    withLeftBehind(20, {
      targets: receiver.url,
      test: ({ dead, options }) =>
        withApp(async (t) => {
          await putExpired(dead, { leads: 2_000, message: LONG });
          t.clock.advance(60_000);
          let isPurging = true;
          const maintenance = t.leads.runMaintenance().then(() => isPurging = false);
          await receiver.arrived(20);
          ok(isPurging, "due leads do not wait for the purge");
          let longest = 0;
          let accepted = 0;
          for (; isPurging; accepted++) {
            const began = performance.now();
            const address = `2001:db8:${accepted.toString(16)}::1`;
            deepEqual(await statusesOf([t.postLead(leadOf(1_000 + accepted), address)]), [200]);
            longest = Math.max(longest, performance.now() - began);
          }
          await maintenance;
          ok(accepted > 5, `${accepted} leads during the purge`);
          ok(longest < 500, `a lead waited ${longest.toFixed(0)} ms`);
          equal(await countKeys(dead, "lead"), 20 + accepted);
        }, { ...options, env: { ...options.env, ...env } }),
    })
  ));

Deno.test("a lead that changes during its purge is purged, like the others", async () => {
  let interfere: (() => Promise<unknown>) | undefined;
  await withApp(async (t) => {
    const ids = await putExpired(t, { leads: 10 });
    interfere = async () => {
      interfere = undefined;
      const { key, value } = await t.kv.get<object>(keys.lead(ids[4]!));
      await t.kv.set(key, { ...value, confirmed: true });
    };
    await t.leads.runMaintenance();
    equal(interfere, undefined);
    deepEqual(await keysLeft(t), []);
  }, { env, wrapKv: beforeCommits(() => interfere?.()) });
});

Deno.test("leads with more jobs than fit into one commit are purged with all of them", () =>
  withApp(async (t) => {
    const delivery = { state: "waiting" as const, due: t.clock.now(), tries: [] };
    const names = Array.from({ length: 120 }, (_, n) => `target-${n}`.padEnd(300, "x"));
    const deliveries = Object.fromEntries(names.map((name) => [name, delivery]));
    await putExpired(t, { leads: 12, deliveries });
    equal(await countKeys(t, "due"), 12 * 120);
    await t.leads.runMaintenance();
    deepEqual(await keysLeft(t), []);
  }, { env }));
