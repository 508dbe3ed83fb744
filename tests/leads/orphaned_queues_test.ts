/** @module What the pipeline says of leads that wait for a target which is no longer configured. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS } from "../../leads/outbox.ts";
import { countingKv } from "../support/counting_kv.ts";
import { crowd, withLeftBehind } from "../support/crowd.ts";
import { countKeys } from "../support/deliveries.ts";
import { withReceiver } from "../support/receiver.ts";
import { type TestApp, withApp } from "../support/test_app.ts";

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
