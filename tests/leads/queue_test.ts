/** @module The queue between instances: leases, bounds, and leads that hold up nothing but themselves. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { LEASE_MS } from "../../leads/outbox.ts";
import { addressOf, crowd, leadOf, withLeftBehind } from "../support/crowd.ts";
import { countKeys, deliveryOf, noted } from "../support/deliveries.ts";
import { recordOf } from "../support/delivering.ts";
import { kvWith } from "../support/kv_with.ts";
import { withHoldingReceiver, withReceiver } from "../support/receiver.ts";
import { withApp } from "../support/test_app.ts";
import { until } from "../support/until.ts";

Deno.test("beyond 64 tries at once leads wait in the queue, are answered at once, and arrive later", () =>
  withHoldingReceiver((receiver) =>
    withApp(async (t) => {
      const hanging = crowd(t, 64);
      await receiver.arrived(64);
      for (const n of [64, 65]) {
        const answer = await t.postLead(leadOf(n), addressOf(n));
        deepEqual(await answer.json(), { ok: true, delivered: false });
      }
      equal(receiver.received.length, 64);
      receiver.release();
      t.clock.advance(0);
      await Promise.all(hanging);
      await receiver.arrived(66);
      await until("all delivered", async () => await countKeys(t, "due") === 0);
      equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 66);
    }, { env: { LEAD_TARGETS: receiver.url } })
  ));

Deno.test("what a process left behind is delivered by another, when its lease has run out", () =>
  withReceiver((receiver) =>
    withLeftBehind(1, {
      targets: receiver.url,
      test: ({ dead, options }) =>
        withApp(async (alive) => {
          await alive.leads.outbox.drain();
          equal(receiver.received.length, 0, "the lease still holds");
          alive.clock.advance(LEASE_MS);
          await receiver.arrived(1);
          await noted(dead, 1);
          equal((await deliveryOf(dead)).state, "delivered");
        }, options),
    })
  ));

Deno.test("two instances that drain at once deliver each lead once", () =>
  withReceiver((receiver) =>
    withLeftBehind(30, {
      targets: receiver.url,
      test: ({ options }) =>
        withApp((one) =>
          withApp(async (two) => {
            one.clock.advance(LEASE_MS);
            two.clock.advance(LEASE_MS);
            await Promise.all([one.leads.outbox.drain(), two.leads.outbox.drain()]);
            const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
            equal(ids.length, 30);
            equal(new Set(ids).size, 30);
          }, options), options),
    })
  ));

Deno.test("a lead whose commit took most of its lease is left to the queue, and tried once", () =>
  withReceiver((receiver) => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let commits = 0;
    const commitLate = async (commit: Deno.AtomicOperation["commit"]) => {
      if (++commits === 2) { // the first one is the store's secret
        begun.resolve();
        await gate.promise;
      }
      return await commit();
    };
    return withApp(async (t) => {
      const answer = t.postLead(leadOf(0));
      await begun.promise;
      t.clock.advance(9_000);
      gate.resolve();
      deepEqual(await (await answer).json(), { ok: true, delivered: false });
      equal(receiver.received.length, 0);
      t.clock.advance(LEASE_MS - 9_000);
      await noted(t, 1);
      equal(receiver.received.length, 1);
    }, {
      env: { LEAD_TARGETS: receiver.url },
      wrapKv: (kv) => kvWith(kv, { commit: commitLate }),
    });
  }));

Deno.test("while a target hangs, each minute's maintenance ends, and expired leads are purged", () =>
  withHoldingReceiver((receiver) =>
    withLeftBehind(20, {
      targets: receiver.url,
      test: ({ dead, options }) =>
        withApp(async (t) => {
          const day = 86_400_000;
          const record = {
            ...recordOf(),
            receivedAt: t.clock.now() - 100 * day,
            expiresAt: t.clock.now() + day,
          };
          await dead.store.accept({ client: "c", arrival: t.clock.now(), seen: null }, record);
          t.clock.advance(LEASE_MS);
          const maintenance = t.leads.runMaintenance();
          await receiver.arrived(8);
          const { lead } = keys;
          await until("purged", async () => (await dead.kv.get(lead(record.id))).value === null);
          t.clock.advance(50_000);
          await maintenance;
          equal(receiver.received.length, 8);
          receiver.release();
        }, options),
    })
  ));
