/** @module The queue between instances: leases, bounds, and leads that hold up nothing but themselves. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS } from "../../leads/outbox.ts";
import { countKeys, deliveryOf, noted } from "../support/deliveries.ts";
import { withReceiver } from "../support/receiver.ts";
import { LEAD, withApp } from "../support/test_app.ts";
import { until } from "../support/until.ts";

Deno.test("beyond 64 tries at once leads wait in the queue, are answered at once, and arrive later", async () => {
  const gate = Promise.withResolvers<void>();
  await withReceiver((receiver) =>
    withApp(async (t) => {
      const post = (n: number) => t.postLead({ ...LEAD, company: `Company ${n}` }, `192.0.2.${n}`);
      const hanging = Array.from({ length: 64 }, (_, n) => post(n));
      await receiver.arrived(64);
      for (const n of [64, 65]) {
        deepEqual(await (await post(n)).json(), { ok: true, delivered: false });
      }
      equal(receiver.received.length, 64);
      gate.resolve();
      t.clock.advance(0);
      await Promise.all(hanging);
      await receiver.arrived(66);
      await until("all delivered", async () => await countKeys(t, "due") === 0);
      equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 66);
    }, { env: { LEAD_TARGETS: receiver.url } }), async () => {
    await gate.promise;
    return new Response();
  });
});

Deno.test("what a process left behind is delivered by another, when its lease has run out", () =>
  withReceiver((receiver) =>
    withApp(async (dead) => {
      // Stored but never tried: as if the process had died right after the commit.
      await dead.leads.outbox.stop(0);
      await dead.postLead(LEAD);
      await withApp(async (alive) => {
        await alive.leads.outbox.drain();
        equal(receiver.received.length, 0, "the lease still holds");
        alive.clock.advance(LEASE_MS);
        await receiver.arrived(1);
        await noted(dead, 1);
        equal((await deliveryOf(dead)).state, "delivered");
      }, { env: { LEAD_TARGETS: receiver.url }, wrapKv: () => dead.kv });
    }, { env: { LEAD_TARGETS: receiver.url } })
  ));

Deno.test("two instances that drain at once deliver each lead once", () =>
  withReceiver((receiver) =>
    withApp(async (one) => {
      await one.leads.outbox.stop(0);
      await Promise.all(Array.from({ length: 30 }, (_, n) =>
        one.postLead({ ...LEAD, company: `Company ${n}` }, `192.0.2.${n}`)));
      const options = {
        env: { LEAD_TARGETS: receiver.url },
        wrapKv: () =>
          one.kv,
      };
      await withApp((two) =>
        withApp(async (three) => {
          two.clock.advance(LEASE_MS);
          three.clock.advance(LEASE_MS);
          await Promise.all([two.leads.outbox.drain(), three.leads.outbox.drain()]);
          const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
          equal(ids.length, 30);
          equal(new Set(ids).size, 30);
        }, options), options);
    }, { env: { LEAD_TARGETS: receiver.url } })
  ));

Deno.test("a lead that hangs holds its own place only: the others of the target's queue go past it", async () => {
  const gate = Promise.withResolvers<void>();
  await withReceiver((receiver) =>
    withApp(async (one) => {
      await one.leads.outbox.stop(0);
      await Promise.all(Array.from({ length: 30 }, (_, n) =>
        one.postLead({ ...LEAD, company: `Company ${n}` }, `192.0.2.${n}`)));
      await withApp(async (two) => {
        two.clock.advance(LEASE_MS);
        const drained = two.leads.outbox.drain();
        await receiver.arrived(30);
        gate.resolve();
        await drained;
      }, {
        env: { LEAD_TARGETS: receiver.url },
        wrapKv: () =>
          one.kv,
      });
    }, { env: { LEAD_TARGETS: receiver.url } }), async (n) => {
    if (n === 0) await gate.promise;
    return new Response();
  });
});
