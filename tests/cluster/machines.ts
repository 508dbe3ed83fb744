/**
 * @module Several services on one denokv share limits, duplicates and deliveries; a killed one loses no lead.
 * Run by `deno task test:cluster`.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { LEASE_MS } from "../../leads/outbox.ts";
import { type Machine, type Machines, short, withMachines } from "../support/machines.ts";
import { pause } from "../support/until.ts";

/** A new machine finds the leases of others, which then have to expire. */
const TAKE_OVER_MS = LEASE_MS + 30_000;

async function startThree(
  { start, denokv }: Machines,
  env: Record<string, string> = {},
): Promise<[Machine, Machine, Machine]> {
  const all = { KV_PATH: denokv.url, ...env };
  return await Promise.all([start(all), start(all), start(all)]);
}

Deno.test("three machines together admit exactly the limit of one client, and store a lead sent to all once", () =>
  withMachines(async (machines) => {
    const { ledger, denokv, start, settle, store, receiver } = machines;
    const env = { LEAD_RATE_LIMIT: "20/10m" };
    const three = await startThree(machines, env);
    const client = "203.0.113.1";
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => ledger.post(three[n % 3]!, { client })),
    );
    deepEqual(ledger.tally, { 200: 20, 429: 80 });

    const fourth = await start({ KV_PATH: denokv.url, ...env });
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

Deno.test("a machine killed while leads arrive loses none that was answered 200", async () => {
  const LEADS = 100;
  const acknowledged = new Set<number>();
  let killed = false;
  await withMachines(async (machines) => {
    const { ledger, receiver, start, denokv, settle } = machines;
    const three = await startThree(machines);
    const afterMs = 100 + Math.random() * 900;
    async function keepPosting(n: number): Promise<void> {
      for (let sent = n; !killed || ledger.answers.length < LEADS; sent++) {
        const { status } = await ledger.post(three[sent % 3]!);
        if (status === 0) await pause(20);
      }
    }
    async function kill(): Promise<void> {
      await pause(afterMs);
      await three[0].end("SIGKILL");
      killed = true;
    }
    const senders = 12;
    await Promise.all([...Array.from({ length: senders }, (_, n) => keepPosting(n)), kill()]);

    const { 200: accepted = 0, 0: unanswered = 0, ...others } = ledger.tally;
    deepEqual(others, {}, `killed after ${afterMs} ms`);
    ok(accepted > LEADS / 2 && unanswered > 0, `${accepted} accepted, ${unanswered} unanswered`);
    await start({ KV_PATH: denokv.url });
    await settle({ ms: TAKE_OVER_MS, acknowledged: (n) => acknowledged.has(n), repeats: true });
    // Repeated are only deliveries that the killed machine could not record.
    const ids = [...acknowledged].map((n) => receiver.received[n]!.headers["webhook-id"]);
    const repeated = ids.length - new Set(ids).size;
    ok(repeated <= senders, `${repeated} repeated deliveries`);
  }, (n) => {
    // Leaves half of the leads undelivered.
    if (!killed && n % 2 === 0) return new Response(null, { status: 503 });
    acknowledged.add(n);
    return new Response(null, { status: 204 });
  });
});

Deno.test("during a KV outage a client's limit is kept in memory and still applies afterwards", () =>
  withMachines(async ({ proxy, start, ledger, settle }) => {
    const machine = await start({ LEAD_RATE_LIMIT: "3/10m" });
    const client = "203.0.113.1";
    equal(short(await ledger.post(machine, { client })), "200 true");
    proxy.refuse();
    const answers: string[] = [];
    for (let n = 0; n < 4; n++) answers.push(short(await ledger.post(machine, { client })));
    deepEqual(answers, ["200 true", "200 true", "429", "429"]);
    equal(short(await ledger.post(machine, { client: "203.0.113.2" })), "200 true");
    proxy.accept();
    // Leads delivered during the outage and stored late are delivered again, under the same id.
    await start();
    await settle({ repeats: true });
    equal(short(await ledger.post(machine, { client })), "429");
  }));
