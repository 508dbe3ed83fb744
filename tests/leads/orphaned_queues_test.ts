/** @module Leads that wait for a target which is no longer configured are logged, and stay. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS } from "../../leads/outbox.ts";
import { countingKv } from "../support/counting_kv.ts";
import { withLeftBehind } from "../support/crowd.ts";
import { countKeys, theLead } from "../support/deliveries.ts";
import { withReceiver } from "../support/receiver.ts";
import { type TestApp, withApp } from "../support/test_app.ts";

/** Runs the maintenance and returns the warnings. */
async function warningsOf({ leads, lines }: TestApp) {
  await leads.runMaintenance();
  return lines.filter(({ event }) => event === "delivery.no_such_target");
}

Deno.test("orphaned queues are reported once, with the number of leads", () =>
  withReceiver((receiver) =>
    withLeftBehind(3, {
      targets: receiver.url,
      test: async ({ dead, options }) => {
        const [target] = Object.keys((await theLead(dead)).deliveries);
        const calls: string[] = [];
        await withApp(async (t) => {
          t.clock.advance(LEASE_MS);
          const event = "delivery.no_such_target";
          const warnings = [{ level: "error", event, target, waiting: 3 }];
          deepEqual(await warningsOf(t), warnings);
          calls.length = 0;
          deepEqual(await warningsOf(t), warnings);
          deepEqual(calls.sort(), ["list", "list", "list"], "two of the drain, one of the purge");
          equal(receiver.received.length, 0);
          equal(await countKeys(dead, "due"), 3);
        }, {
          env: { LEAD_TARGETS: `${receiver.url}/moved` },
          wrapKv: () => countingKv(dead.kv, calls),
        });
        await withApp(async (t) => deepEqual(await warningsOf(t), []), options);
      },
    })
  ));
