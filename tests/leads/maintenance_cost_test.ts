/** @module How often maintenance calls KV while nothing is due: the README's prices on Deno Deploy rest on it. */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { countingKv } from "../support/kv_with.ts";
import { startApp } from "../support/test_app.ts";

Deno.test("maintenance with nothing due makes 4 KV reads, 3 more for each further target, and no write", async () => {
  using kv = await Deno.openKv(":memory:");
  for (
    const [LEAD_TARGETS, reads] of [["https://a.invalid", 4], [
      "a=https://a b=https://b",
      7,
    ]] as const
  ) {
    const calls: string[] = [];
    await using t = await startApp({ env: { LEAD_TARGETS }, wrapKv: () => countingKv(kv, calls) });
    await t.leads.runMaintenance(); // the start's: it reads the sealing secret too
    ok(calls.length <= reads + 2, `${calls}`);
    calls.length = 0;
    await t.leads.runMaintenance();
    ok(!calls.includes("commit"));
    deepEqual(calls.length, reads);
  }
});
