/** @module Leads with ambiguous, late or failed commits: stored and delivered under one id. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { webhookIdOf } from "../../leads/delivery/webhook_id.ts";
import { LONGEST_ANSWER_MS, STORING_MS } from "../../leads/intake.ts";
import { brokenKv, kvWith } from "../support/kv_with.ts";
import { expireLeases, idsAt, leadOf, post, statusesOf, stored } from "../support/sent_leads.ts";
import { startReceiver } from "../support/receiver.ts";
import { LEAD, startApp, type TestApp } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";
import { inconsistencies } from "./consistency.ts";

const gone = () => Promise.reject(new Error("Gone"));

async function drainAll(t: TestApp): Promise<void> {
  await expireLeases(t);
  await t.leads.runMaintenance();
}

Deno.test("a lead that is stored despite its 502 and sent again is delivered under one id", async () => {
  let commits = 0;
  let isOver = false;
  const isOut = () => commits >= 2 && !isOver; // the first commit is the store's secret
  const wrapKv = (kv: Deno.Kv) =>
    kvWith(kv, {
      get: (...args) => isOut() ? gone() : kv.get(...args),
      getMany: (...args) => isOut() ? gone() : kv.getMany(...args),
      commit: async (commit) => {
        const result = await commit();
        if (++commits === 2) throw new Error("Gone");
        return result;
      },
    });
  await using receiver = startReceiver((n) => new Response(null, { status: n === 0 ? 500 : 204 }));
  await using t = await startApp({ env: { LEAD_TARGETS: receiver.url }, wrapKv });
  equal(await post(t), "502");
  isOver = true;
  equal(await post(t), "200 false");
  await drainAll(t);
  equal(await post(t), "200 true");
  const [record, ...others] = await stored(t);
  equal(others.length, 0);
  equal(Object.values(record!.deliveries)[0]!.state, "delivered");
  equal(receiver.received.length, 2, "the attempt before the response, and the queue's");
  deepEqual(new Set(idsAt(receiver)), new Set([webhookIdOf(record!)]));
  deepEqual(await inconsistencies(t.kv), []);
});

Deno.test("a commit that conflicts with its own repetition is stored, even if the conflict cannot be read", async () => {
  for (const canBeRead of [true, false]) {
    let commits = 0;
    const wrapKv = (kv: Deno.Kv) =>
      kvWith(kv, {
        getMany: (...args) => canBeRead ? kv.getMany(...args) : gone(),
        // As the KV Connect client does when an answer is lost.
        commit: async (commit) => (await commit(), ++commits === 2 ? await commit() : commit()),
      });
    await using t = await startApp({ wrapKv });
    commits = 1;
    equal(await post(t), "200 false");
    equal((await stored(t)).length, 1);
  }
});

Deno.test("a lead that KV does not hold has one id at every instance, and is stored under it", async () => {
  let isBroken = true;
  let status = 500;
  const broken = brokenKv();
  const wrapKv = (kv: Deno.Kv) =>
    kvWith(kv, {
      get: (...args) => isBroken ? broken.get(...args) : kv.get(...args),
      atomic: () => isBroken ? broken.atomic() : kv.atomic(),
    });
  await using good = startReceiver();
  await using bad = startReceiver(() => new Response(null, { status }));
  const env = { LEAD_TARGETS: `${good.url} ${bad.url}` };
  await using t = await startApp({ env, wrapKv });
  const again = { ...LEAD, email: "ADA@example.com" };
  for (const body of [LEAD, again]) equal(await post(t, body), "502");
  {
    await using other = await startApp({ env, wrapKv: () => wrapKv(t.kv) });
    equal(await post(other), "502");
  }
  equal(good.received.length, 3);
  deepEqual(idsAt(bad), idsAt(good));
  status = 204;
  equal(await post(t), "200 true");
  isBroken = false;
  equal(await post(t), "200 true");
  deepEqual(new Set(idsAt(good)), new Set([webhookIdOf((await stored(t))[0]!)]));
});

Deno.test("a commit that happens after the deadline stays and is delivered under the same id", async () => {
  const silence = Promise.withResolvers<void>();
  let commits = 0;
  const wrapKv = (kv: Deno.Kv) =>
    kvWith(kv, {
      commit: async (commit) => {
        if (++commits === 2) await silence.promise;
        return await commit();
      },
    });
  await using receiver = startReceiver();
  await using t = await startApp({ env: { LEAD_TARGETS: receiver.url }, wrapKv });
  const began = t.clock.now();
  const first = post(t);
  await until("the commit hangs", () => commits === 2);
  const second = post(t, leadOf(1)); // of the same client, behind the first
  await pause(0);
  t.clock.advance(STORING_MS);
  deepEqual(await Promise.all([first, second]), ["200 true", "200 true"]);
  ok(t.clock.now() - began <= LONGEST_ANSWER_MS);
  deepEqual(await stored(t), []);
  silence.resolve();
  await until("it is stored", async () => (await stored(t)).length === 1);
  await drainAll(t);
  equal(receiver.received.length, 3);
  equal(new Set(idsAt(receiver)).size, 2);
  deepEqual(await inconsistencies(t.kv), []);
});

Deno.test("a lead that is stored after its answer, once the store's secret is known, has its indexes", async () => {
  const silence = Promise.withResolvers<void>();
  const wrapKv = (kv: Deno.Kv) =>
    kvWith(kv, { get: (...args) => silence.promise.then(() => kv.get(...args)) });
  await using t = await startApp({ wrapKv });
  const answer = post(t);
  await pause(0);
  t.clock.advance(STORING_MS);
  equal(await answer, "502");
  silence.resolve();
  await until("it is stored", async () => (await stored(t)).length === 1);
  equal(await post(t), "200 false");
  equal((await stored(t)).length, 1, "it is recognised");
  deepEqual(await inconsistencies(t.kv), []);
});

Deno.test("without KV the lead limit is counted in memory", async () => {
  const silence = Promise.withResolvers<never>();
  await using t = await startApp({
    env: { LEAD_RATE_LIMIT: "2/10m" },
    wrapKv: (kv) => kvWith(kv, { get: () => silence.promise }),
  });
  const answers = [1, 2, 3].map((n) => t.postLead(leadOf(n)));
  await pause(0);
  t.clock.advance(STORING_MS);
  deepEqual(await statusesOf(answers), [502, 502, 429]);
  silence.reject(new Error("Gone"));
});
