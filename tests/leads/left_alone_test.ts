/** @module What the pipeline says of leads that nobody tries, and of a database that it cannot open. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS } from "../../leads/outbox.ts";
import { countingKv } from "../support/counting_kv.ts";
import { crowd, withLeftBehind } from "../support/crowd.ts";
import { countKeys } from "../support/deliveries.ts";
import { withReceiver } from "../support/receiver.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";

/** The lines of an event, without their level and name. */
function linesOf({ lines }: TestApp, event: string) {
  return lines.filter((line) => line.event === event);
}

Deno.test("leads that wait for a target that is no longer set are told once, and stay", () =>
  withReceiver((receiver) =>
    withLeftBehind(3, {
      targets: receiver.url,
      test: async ({ dead, options }) => {
        const [lead] = await Array.fromAsync(dead.store.all());
        const [target] = Object.keys(lead!.deliveries);
        const LEAD_TARGETS = `${receiver.url}/moved`;
        await withApp(async (t) => {
          t.clock.advance(LEASE_MS);
          await t.leads.runMaintenance();
          await t.leads.runMaintenance();
          deepEqual(linesOf(t, "delivery.no_such_target"), [
            { level: "error", event: "delivery.no_such_target", target, waiting: 3 },
          ]);
          equal(receiver.received.length, 0);
          equal(await countKeys(dead, "due"), 3);
        }, { ...options, env: { ...options.env, LEAD_TARGETS } });
        await withApp(async (t) => {
          await t.leads.runMaintenance();
          deepEqual(linesOf(t, "delivery.no_such_target"), []);
        }, options);
      },
    })
  ));

Deno.test("looking for such leads costs later rounds nothing", async () => {
  const calls: string[] = [];
  await withApp(async (t) => {
    await Promise.all(crowd(t, 5));
    await t.leads.runMaintenance();
    calls.length = 0;
    await t.leads.runMaintenance();
    deepEqual(calls, ["list"], "the look for what has expired");
  }, { wrapKv: (kv) => countingKv(kv, calls) });
});

Deno.test("a sealed database without its key is told at every round, by the key's name", async () => {
  const key = `2026:${new Uint8Array(32).fill(7).toBase64()}`;
  await withApp(async (sealed) => {
    equal((await sealed.postLead(LEAD)).status, 200);
    await sealed.leads.runMaintenance();
    deepEqual(linesOf(sealed, "leads.cannot_open"), []);
    await withApp(async (t) => {
      for (let n = 0; n < 2; n++) await t.leads.runMaintenance();
      const line = {
        level: "error",
        event: "leads.cannot_open",
        reason: "Cannot open what is sealed: LEAD_ENCRYPTION_KEYS has no 2026",
      };
      deepEqual(linesOf(t, "leads.cannot_open"), [line, line]);
    }, { wrapKv: () => sealed.kv });
  }, { env: { LEAD_ENCRYPTION_KEYS: key } });
});
