/** @module The queue between instances: leases, bounds, and leads that hold up nothing but themselves. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS } from "../../leads/outbox.ts";
import { addressOf, crowd, leadOf, withLeftBehind } from "../support/crowd.ts";
import { countKeys, deliveryOf, noted } from "../support/deliveries.ts";
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

Deno.test("a lead that hangs holds its own place only: the others of the target's queue go past it", () =>
  withHoldingReceiver((receiver) =>
    withLeftBehind(30, {
      targets: receiver.url,
      test: ({ options }) =>
        withApp(async (t) => {
          t.clock.advance(LEASE_MS);
          const drained = t.leads.outbox.drain();
          await receiver.arrived(30);
          receiver.release();
          await drained;
        }, options),
    }), { holds: (n) => n === 0 }));
