/** @module A target is its name: a changed URL receives what waits. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS } from "../../leads/outbox.ts";
import { leaveBehind } from "../support/crowd.ts";
import { theLead } from "../support/deliveries.ts";
import { startReceiver } from "../support/receiver.ts";
import { startApp } from "../support/test_app.ts";

Deno.test("a target whose URL has changed under its name receives the leads that wait for it", async () => {
  await using before = startReceiver();
  await using after = startReceiver();
  await using dead = await leaveBehind(1, `crm=${before.url}`);
  await using t = await startApp({
    ...dead.options,
    env: { LEAD_TARGETS: `crm=${after.url}/moved` },
  });
  t.clock.advance(LEASE_MS);
  await t.leads.runMaintenance();
  deepEqual([before.received.length, after.received.length], [0, 1]);
  const { deliveries } = await theLead(dead);
  equal(deliveries["crm"]?.state, "delivered");
  deepEqual(t.lines.filter(({ level }) => level === "error"), []);
});
