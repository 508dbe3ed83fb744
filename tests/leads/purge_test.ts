/** @module The purge of many leads: in slices, for a bounded time a minute, and beside other work. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import type { Deliveries, LeadRecord } from "../../leads/lead.ts";
import { createLeadIds } from "../../leads/lead_id.ts";
import { leadOf, statusesOf, withLeftBehind } from "../support/crowd.ts";
import { countKeys } from "../support/deliveries.ts";
import { recordOf } from "../support/delivering.ts";
import { kvWith } from "../support/kv_with.ts";
import { withReceiver } from "../support/receiver.ts";
import { type TestApp, withApp } from "../support/test_app.ts";

const DAY = 86_400_000;
const env = { LEAD_RETENTION: "30d" };

/** Stores leads that came in 60 days ago and were to stay for 90: KV does not expire them by itself. */
async function putExpired(
  { store, clock }: Pick<TestApp, "store" | "clock">,
  { leads, message = "", deliveries = {} }: {
    readonly leads: number;
    readonly message?: string;
    readonly deliveries?: Deliveries;
  },
): Promise<LeadRecord[]> {
  const receivedAt = clock.now() - 60 * DAY;
  const newId = createLeadIds();
  const records = Array.from({ length: leads }, (_, n): LeadRecord => ({
    ...recordOf({ message }),
    id: newId(receivedAt),
    receivedAt,
    expiresAt: receivedAt + 90 * DAY,
    deliveries,
    index: { same: `content-${n}`, email: `person-${n}` },
  }));
  await Promise.all(
    records.map((record) =>
      store.accept({ client: record.id, arrival: clock.now(), seen: null }, record)
    ),
  );
  return records;
}

/** Keys in KV, those of the limits and of the secret aside. */
async function keysLeft({ kv }: Pick<TestApp, "kv">): Promise<Deno.KvKey[]> {
  const all = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key);
  return all.filter(([, kind]) => kind !== "limit" && kind !== "secret");
}

Deno.test("a backlog is purged in slices: five seconds of each minute, and the rest in the next ones", async () => {
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
    deepEqual(
      t.lines.filter(({ event }) => event === "leads.purged").map(({ leads }) => leads),
      [100, 100, 50],
    );
    deepEqual(await keysLeft(t), []);
  }, {
    env,
    wrapKv: (kv) =>
      kvWith(kv, {
        commit: (commit) => {
          tick();
          return commit();
        },
      }),
  });
});

Deno.test("a purge has the records of ten leads in memory, and removes them in one commit", async () => {
  const calls: string[] = [];
  await withApp(async (t) => {
    await putExpired(t, { leads: 30, message: "x".repeat(5_000) });
    await t.store.secret(); // made with the first call
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
          if ("prefix" in selector && selector.prefix.at(-1) === "lead") {
            calls.push(`list ${options?.limit}`);
          }
          return kv.list(selector, options);
        },
        getMany: (many) => {
          calls.push(`getMany ${many.length}`);
          return kv.getMany(many);
        },
        commit: (commit) => {
          calls.push("commit");
          return commit();
        },
      }),
  });
});

Deno.test("while 5,000 leads are purged, what is due is delivered and leads that come in are accepted", () =>
  withReceiver((receiver) =>
    withLeftBehind(20, {
      targets: receiver.url,
      test: ({ dead, options }) =>
        withApp(async (t) => {
          await putExpired(dead, { leads: 5_000, message: "x".repeat(5_000) });
          t.clock.advance(60_000);
          let isPurging = true;
          const maintenance = t.leads.runMaintenance().then(() => isPurging = false);
          await receiver.arrived(20);
          ok(isPurging, "what is due does not wait for the purge");
          let longest = 0;
          let accepted = 0;
          for (; isPurging; accepted++) {
            const began = performance.now();
            const address = `2001:db8:${accepted.toString(16)}::1`;
            deepEqual(await statusesOf([t.postLead(leadOf(1_000 + accepted), address)]), [200]);
            longest = Math.max(longest, performance.now() - began);
          }
          await maintenance;
          ok(accepted > 5, `${accepted} leads while it purged`);
          ok(longest < 500, `a lead waited ${longest.toFixed(0)} ms`);
          equal(await countKeys(dead, "lead"), 20 + accepted);
        }, { ...options, env: { ...options.env, ...env } }),
    })
  ));

Deno.test("a lead that changes while it is purged is purged all the same, and so are the others", async () => {
  let interfere: (() => Promise<unknown>) | undefined;
  await withApp(async (t) => {
    const records = await putExpired(t, { leads: 10 });
    interfere = async () => {
      const lead = keys.lead(records[4]!.id);
      const { value } = await t.kv.get<object>(lead);
      await t.kv.set(lead, { ...value, confirmed: true });
    };
    await t.leads.runMaintenance();
    equal(interfere, undefined);
    deepEqual(await keysLeft(t), []);
  }, {
    env,
    wrapKv: (kv) =>
      kvWith(kv, {
        commit: async (commit) => {
          const before = interfere;
          interfere = undefined;
          await before?.();
          return await commit();
        },
      }),
  });
});

Deno.test("leads that wait for more targets than fit into one commit are purged with all their jobs", () =>
  withApp(async (t) => {
    const due = t.clock.now();
    const names = Array.from({ length: 120 }, (_, n) => `target-${n}`.padEnd(300, "x"));
    await putExpired(t, {
      leads: 12,
      deliveries: Object.fromEntries(
        names.map((name) => [name, { state: "waiting" as const, due, tries: [] }]),
      ),
    });
    equal(await countKeys(t, "due"), 12 * 120);
    await t.leads.runMaintenance();
    deepEqual(await keysLeft(t), []);
  }, { env }));
