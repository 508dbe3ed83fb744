/**
 * @module Several services on one denokv share limits, duplicates and deliveries. That a killed one loses no
 * lead, `tests/soak/` proves, and that it is delivered once, `tests/leads/queue_test.ts`.
 * Run by `deno task test:cluster`.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { withMachines } from "../support/machines.ts";

Deno.test("three machines together admit exactly the limit of one client, and store a lead sent to all once", () =>
  withMachines(async ({ ledger, denokv, start, settle, store, receiver }) => {
    const env = { KV_PATH: denokv.url, LEAD_RATE_LIMIT: "20/10m" };
    const three = await Promise.all([start(env), start(env), start(env)]);
    const client = "203.0.113.1";
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => ledger.post(three[n % 3]!, { client })),
    );
    deepEqual(ledger.tally, { 200: 20, 429: 80 });

    const fourth = await start(env);
    for (const machine of [...three, fourth]) {
      equal((await ledger.post(machine, { client })).status, 429);
    }
    for (let round = 0; round < 10; round++) {
      const copies = [...three, ...three];
      await Promise.all(copies.map((to) => ledger.post(to, { company: `Round ${round}` })));
    }
    deepEqual(ledger.tally, { 200: 20 + 60, 429: 80 + 4 });
    await settle();
    equal(receiver.received.length, 30);
    equal((await Array.fromAsync(store.all())).length, 30);
  }));
