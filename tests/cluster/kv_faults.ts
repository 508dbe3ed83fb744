/**
 * @module KV over the network that is not there, slow or stuck: what senders are told stays true. The
 * real service, a real denokv, and a proxy between them that fails on command.
 *
 * Run by `deno task test:cluster`; the name ends without `_test` because `deno task test` must not
 * need denokv.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { Ledger } from "../support/ledger.ts";
import { withMachines } from "../support/machines.ts";
import {
  inTime,
  LANDING_MS,
  recordsIn,
  said,
  settle,
  startPair,
  stores,
  withPair,
} from "../support/settle.ts";
import { pause } from "../support/until.ts";

/** Each full minute the services look for work, which costs calls. */
async function clearOfTheMinute(ms: number): Promise<void> {
  const left = 60_000 - Date.now() % 60_000;
  if (left < ms) await pause(left + 2_000);
}

Deno.test("KV that is unreachable at the start is used once it is there, without a restart", () =>
  withMachines(async (machines) => {
    const { proxy } = machines;
    proxy.refuse();
    const pair = await startPair(machines);
    for (const { url } of [pair.targeted, pair.plain]) {
      for (const path of ["/api/health", "/", "/docs.md", "/llms.txt", "/openapi.json"]) {
        const response = await fetch(`${url}${path}`);
        await response.body?.cancel();
        equal(response.status, 200, path);
      }
    }
    const ledger = new Ledger();
    const answers = await Promise.all([ledger.post(pair.targeted), ledger.post(pair.plain)]);
    deepEqual(answers.map(said), ["200 true", "502"]);
    inTime(...answers);
    equal(await recordsIn(machines), 0);

    proxy.accept();
    await stores(ledger, pair.plain);
    await stores(ledger, pair.targeted);
    await settle(ledger, { machines });
    ok(await recordsIn(machines) >= 2);
  }));

Deno.test("KV that does not answer the first question is used once it answers", () =>
  withMachines(async (machines) => {
    machines.proxy.fail("hang");
    const pair = await startPair(machines);
    const ledger = new Ledger();
    const first = await Promise.all([ledger.post(pair.targeted), ledger.post(pair.plain)]);
    deepEqual(first.map(said), ["200 true", "502"]);
    inTime(...first);
    machines.proxy.heal();
    await stores(ledger, pair.plain);
    await stores(ledger, pair.targeted);
    await settle(ledger, { machines });
  }));

Deno.test("a connection that has gone dead is given up for a new one, without a restart", () =>
  withPair(async ({ machines, proxy, targeted, plain, ledger }) => {
    proxy.strand();
    const answers = await Promise.all([ledger.post(targeted), ledger.post(plain)]);
    inTime(...answers);
    await stores(ledger, plain);
    await settle(ledger, { machines });
  }));

Deno.test("while KV refuses commits and answers reads, a lead is with its target or answered 502", () =>
  withPair(async ({ machines, proxy, targeted, plain, ledger }) => {
    proxy.fail("unavailable", { calls: ["commit"] });
    for (let n = 0; n < 2; n++) {
      const answers = await Promise.all([ledger.post(targeted), ledger.post(plain)]);
      deepEqual(answers.map(said), ["200 true", "502"]);
      inTime(...answers);
    }
    equal(await recordsIn(machines), 2);
    proxy.heal();
    await pause(LANDING_MS);
    await settle(ledger, { machines, repeats: true });
  }));

Deno.test("where a slow KV takes 300 ms a call, leads are accepted at one commit each", () =>
  withPair(async ({ machines, proxy, targeted, plain, ledger }) => {
    await clearOfTheMinute(15_000);
    proxy.delay(300);
    const before = { ...proxy.seen };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ledger.post(plain)));
    deepEqual(new Set(answers.map(said)), new Set(["200 false"]));
    equal(proxy.seen.commit - before.commit, 10);
    equal(proxy.seen.read - before.read, 0);

    const client = "203.0.113.1";
    const ofOne = Array.from({ length: 5 }, () => ledger.post(plain, { client }));
    deepEqual(new Set((await Promise.all(ofOne)).map(said)), new Set(["200 false"]));
    equal(proxy.seen.commit - before.commit, 15);
    equal(proxy.seen.read - before.read, 0);

    // The outcome of a delivery is noted by a read and a commit more.
    equal(said(await ledger.post(targeted)), "200 true");
    equal(proxy.seen.commit - before.commit, 17);
    equal(proxy.seen.read - before.read, 1);
    await settle(ledger, { machines });
  }));

Deno.test("without KV a client's limit is kept in memory, and afterwards it still holds", () =>
  withMachines(async (machines) => {
    const { proxy, start } = machines;
    const machine = await start({ LEAD_RATE_LIMIT: "4/10m" });
    const ledger = new Ledger();
    const client = "203.0.113.1";
    equal(said(await ledger.post(machine, { client })), "200 true");
    proxy.refuse();
    const answers: string[] = [];
    for (let n = 0; n < 5; n++) answers.push(said(await ledger.post(machine, { client })));
    deepEqual(answers, ["200 true", "200 true", "200 true", "429", "429"]);
    equal(said(await ledger.post(machine, { client: "203.0.113.2" })), "200 true");
    proxy.accept();
    await pause(LANDING_MS);
    await settle(ledger, { machines, repeats: true });
    equal(said(await ledger.post(machine, { client })), "429");
  }));
