/**
 * @module Several services on one denokv share limits, duplicates and deliveries; a killed one loses no lead.
 * Run by `deno task test:cluster`.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS } from "../../leads/outbox.ts";
import { short, withMachines } from "../support/machines.ts";

/** A new machine finds the leases of others, which then have to expire. */
const TAKE_OVER_MS = LEASE_MS + 30_000;

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

Deno.test("the leads of a killed machine are delivered once by others when its leases expire", async () => {
  const left = 30;
  const killed = Promise.withResolvers<void>();
  await withMachines(async ({ receiver, start, denokv, ledger, settle }) => {
    const all = { KV_PATH: denokv.url };
    const first = await start({ ...all, LEAD_INLINE_TIMEOUT: "100ms" });
    const began = Date.now();
    await Promise.all(Array.from({ length: left }, () => ledger.post(first)));
    deepEqual(ledger.answers.map(short), Array(left).fill("200 false"));
    equal(receiver.received.length, left);
    await first.end("SIGKILL");
    killed.resolve();

    // Both wait for the same leases.
    await Promise.all([start(all), start(all)]);
    await settle({ ms: TAKE_OVER_MS, acknowledged: (n) => n >= left });
    ok(Date.now() - began >= LEASE_MS, "before the leases expired");
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    deepEqual(ids.slice(left).toSorted(), ids.slice(0, left).toSorted());
  }, async (n) => {
    if (n >= left) return new Response(null, { status: 204 });
    await killed.promise;
    return new Response(null, { status: 500 });
  });
});
