/** @module The queue between instances: leases, bounds, leads that no target gets or that cannot be used. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { createTargets } from "../../leads/delivery/targets.ts";
import { keys } from "../../leads/kv/keys.ts";
import { LEASE_MS } from "../../leads/leases.ts";
import { Outbox } from "../../leads/outbox.ts";
import { type LeadStore, UnusableLead } from "../../leads/ports.ts";
import { countingKv, kvWith } from "../support/kv_with.ts";
import {
  addressOf,
  countKeys,
  crowd,
  deliveryOf,
  expireLeases,
  idsAt,
  leadOf,
  leaveBehind,
  noted,
  post,
  statusesOf,
  theLead,
} from "../support/sent_leads.ts";
import { putLead } from "../support/delivering.ts";
import { withRawReceiver } from "../support/raw_receiver.ts";
import { startHoldingReceiver, startReceiver } from "../support/receiver.ts";
import { startApp, type TestApp } from "../support/test_app.ts";
import { until } from "../support/until.ts";

const MINUTE = 60_000;

Deno.test("while 64 inline attempts are in flight, further leads go to the queue", async () => {
  await using receiver = startHoldingReceiver();
  await using t = await startApp({ env: { LEAD_TARGETS: receiver.url } });
  const hanging = crowd(t, 64);
  await receiver.arrived(64);
  for (const n of [64, 65]) equal(await post(t, leadOf(n), addressOf(n)), "200 false");
  equal(receiver.received.length, 64);
  receiver.release();
  t.clock.advance(0);
  await Promise.all(hanging);
  await receiver.arrived(66);
  await until("all delivered", async () => await countKeys(t, "due") === 0);
  equal(new Set(idsAt(receiver)).size, 66);
});

Deno.test("after a crash, two instances deliver each lead once, when its lease has expired", async () => {
  await using receiver = startReceiver();
  await using dead = await leaveBehind(30, receiver.url);
  await using one = await startApp(dead.options);
  await using two = await startApp(dead.options);
  await one.leads.outbox.drain();
  equal(receiver.received.length, 0, "leased");
  await expireLeases(one);
  await expireLeases(two);
  await Promise.all([one.leads.outbox.drain(), two.leads.outbox.drain()]);
  deepEqual([receiver.received.length, new Set(idsAt(receiver)).size], [30, 30]);
  await noted(dead, 1);
  equal((await deliveryOf(dead)).state, "delivered");
});

Deno.test("a lead whose commit took most of its lease is left to the queue and attempted once", async () => {
  await using receiver = startReceiver();
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let commits = 0;
  const commitLate = async (commit: Deno.AtomicOperation["commit"]) => {
    if (++commits === 2) { // the first one is the store's secret
      begun.resolve();
      await gate.promise;
    }
    return await commit();
  };
  await using t = await startApp({
    env: { LEAD_TARGETS: receiver.url },
    wrapKv: (kv) => kvWith(kv, { commit: commitLate }),
  });
  const answer = post(t);
  await begun.promise;
  t.clock.advance(9_000);
  gate.resolve();
  equal(await answer, "200 false");
  equal(receiver.received.length, 0);
  t.clock.advance(LEASE_MS - 9_000);
  await noted(t, 1);
  equal(receiver.received.length, 1);
});

Deno.test("a target gets at most eight leads at once; while it hangs, the maintenance ends each minute and purges expired leads", async () => {
  await using receiver = startHoldingReceiver();
  await using dead = await leaveBehind(20, receiver.url);
  await using t = await startApp(dead.options);
  const day = 86_400_000;
  const now = t.clock.now();
  const { id } = await putLead(dead, { receivedAt: now - 100 * day, expiresAt: now + day });
  await expireLeases(t);
  const maintenance = t.leads.runMaintenance();
  await receiver.arrived(8);
  await until("purged", async () => (await dead.kv.get(keys.lead(id))).value === null);
  t.clock.advance(50_000);
  await maintenance;
  equal(receiver.received.length, 8);
  receiver.release();
});

Deno.test("a hanging target does not delay leads to another, nor a stop", async () => {
  await using good = startReceiver();
  await withRawReceiver(async (hanging) => {
    await using dead = await leaveBehind(50, `http://127.0.0.1:${hanging.port}/ ${good.url}`);
    await using t = await startApp(dead.options);
    await expireLeases(t);
    const drained = t.leads.outbox.drain();
    await good.arrived(50);
    await until("the hanging target is called", () => hanging.opened > 0);
    equal(new Set(idsAt(good)).size, 50);
    equal(hanging.closed, 0);

    const stopped = t.leads.outbox.stop(60_000);
    t.clock.advance(15_000);
    equal(await stopped, true);
    await drained;
    ok(hanging.opened <= 8, `${hanging.opened} calls`);
    await until("the calls are closed", () => hanging.closed === hanging.opened);
  });
});

Deno.test("leads that no target gets are counted once, with the command that sends them", async () => {
  await using receiver = startReceiver();
  await using dead = await leaveBehind(3, receiver.url);
  const calls: string[] = [];
  const wrapKv = () => countingKv(dead.kv, calls);
  const fixes = ({ lines }: TestApp) =>
    lines.flatMap(({ event, level, leads, fix }) =>
      event === "leads.stranded" ? [`${level}: ${leads}, ${fix}`] : []
    );
  const [target] = Object.keys((await theLead(dead)).deliveries);
  const stored = "error: 2, deno task leads send --stored";
  const gone = `error: 3, deno task leads send --from ${target}`;

  {
    await using t = await startApp({ wrapKv });
    await statusesOf([91, 92].map((n) => t.postLead(leadOf(n))));
    await t.leads.runMaintenance();
    deepEqual(fixes(t), [gone], "without targets leads are meant to be stored only");
  }
  {
    await using t = await startApp({ env: { LEAD_TARGETS: `moved=${receiver.url}` }, wrapKv });
    await t.leads.runMaintenance();
    calls.length = 0;
    t.clock.advance(LEASE_MS);
    await t.leads.runMaintenance();
    deepEqual(calls.sort(), ["get", "list", "list"], "two of the drain, one of the purge");
    deepEqual(fixes(t), [stored, gone]);
    deepEqual([receiver.received.length, await countKeys(dead, "due")], [0, 3]);
  }
  let isBroken = true;
  const list: Deno.Kv["list"] = (...args) => {
    if (isBroken) throw new Error("KV is out of order");
    return dead.kv.list(...args);
  };
  await using t = await startApp({ ...dead.options, wrapKv: () => kvWith(dead.kv, { list }) });
  await t.leads.runMaintenance();
  isBroken = false;
  await t.leads.runMaintenance();
  deepEqual(fixes(t), [stored], "after KV has failed, the next run counts");
});

const [KEY_1, KEY_2] = [1, 2].map((n) => `${n}:${new Uint8Array(32).fill(n).toBase64()}`);

function putOffLines({ lines }: TestApp) {
  return lines.filter(({ event }) => event === "delivery.put_off");
}

Deno.test("leads whose key is missing wait for an hour, in one line, and delay no others", async () => {
  await using receiver = startReceiver();
  const LEAD_TARGETS = receiver.url;
  await using sealed = await startApp({ env: { LEAD_TARGETS, LEAD_ENCRYPTION_KEYS: KEY_1! } });
  await sealed.leads.outbox.stop(0);
  await statusesOf(crowd(sealed, 100));
  await sealed.kv.delete(keys.secret());
  const wrapKv = () => sealed.kv;
  const env = { LEAD_TARGETS, LEAD_ENCRYPTION_KEYS: KEY_2! };
  {
    await using dead = await startApp({ env, wrapKv });
    await dead.leads.outbox.stop(0);
    await statusesOf([1, 2, 3].map((n) => dead.postLead(leadOf(900 + n))));
  }
  {
    await using t = await startApp({ env, wrapKv });
    await expireLeases(t);
    await t.leads.outbox.drain();
    equal(receiver.received.length, 3);
    const [line, ...more] = putOffLines(t);
    const { level, leads, target, reason, ids } = line!;
    deepEqual([level, leads, more], ["error", 100, []]);
    equal(target, new URL(LEAD_TARGETS).host);
    equal(reason, "Cannot open what is sealed: LEAD_ENCRYPTION_KEYS has no 1");
    equal(new Set(String(ids).split(" ")).size, 10);

    for (const ms of [60 * MINUTE - 1, 1]) {
      t.clock.advance(ms);
      equal(putOffLines(t).length, 1);
      await t.leads.outbox.drain();
    }
    deepEqual(putOffLines(t).map((each) => each["leads"]), [100, 100]);
  }
  await using t = await startApp({
    env: { ...env, LEAD_ENCRYPTION_KEYS: `${KEY_2} ${KEY_1}` },
    wrapKv,
  });
  await expireLeases(t);
  t.clock.advance(120 * MINUTE);
  await t.leads.outbox.drain();
  deepEqual([receiver.received.length, new Set(idsAt(receiver)).size], [103, 103]);
  equal(await countKeys(sealed, "due"), 0);
});

Deno.test("a lead whose outcome cannot be recorded is put off for an hour, then sent again", async () => {
  await using receiver = startReceiver();
  await using dead = await leaveBehind(2, receiver.url);
  const { kv, clock, config, leads: { log } } = dead;
  const queue = () => Array.fromAsync(kv.list({ prefix: keys.queues() }), ({ key }) => key);
  const { id } = await theLead(dead);
  let changes = 0;
  const store: LeadStore = {
    ...dead.store,
    change(lead, change) {
      const fails = typeof lead !== "string" && lead.id === id && ++changes === 1;
      if (!fails) return dead.store.change(lead, change);
      return Promise.reject(new UnusableLead(id, "it is damaged"));
    },
  };
  const targets = await createTargets(config.leadTargets, { secrets: [], now: clock.now });
  const outbox = new Outbox({ store, targets, concurrency: 64, clock, random: () => 0.5, log });
  await outbox.drain();
  clock.advance(LEASE_MS);
  await outbox.drain();
  deepEqual([receiver.received.length, putOffLines(dead).length], [2, 1]);
  deepEqual(await queue(), [keys.due(targets[0]!.id, clock.now() + 60 * MINUTE, id)]);

  clock.advance(60 * MINUTE);
  await until("an empty queue", async () => {
    clock.advance(1_000);
    await outbox.drain();
    return (await queue()).length === 0;
  });
  deepEqual([receiver.received.length, new Set(idsAt(receiver)).size], [3, 2]);
});
