/** @module The outbox: delivered inline, retried, or a dead letter. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { webhookIdOf } from "../../leads/delivery/webhook_id.ts";
import { DELIVERY_TIMEOUT_MS } from "../../leads/delivery_worker.ts";
import type { Delivery } from "../../leads/lead.ts";
import { inconsistencies } from "../crash/consistency.ts";
import {
  countKeys,
  deliveryOf,
  expireLeases,
  idsAt,
  leaveBehind,
  noted,
  post,
  theLead,
} from "../support/sent_leads.ts";
import { startHoldingReceiver, startReceiver } from "../support/receiver.ts";
import { LEAD, startApp, type TestApp } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";

const MINUTE = 60_000;

function fails(times: number, status = 503) {
  return (n: number) => new Response(null, { status: n < times ? status : 204 });
}

Deno.test("each target is retried separately, under the same webhook-id", async () => {
  await using bad = startReceiver(fails(2));
  await using good = startReceiver();
  await using t = await startApp({ env: { LEAD_TARGETS: `${bad.url} ${good.url}` } });
  equal(await post(t), "200 false");
  await noted(t, 1);
  await until("three attempts", () => {
    // Advancing the clock during a delivery would time it out.
    if (t.clock.nextIn !== DELIVERY_TIMEOUT_MS) t.clock.advance(t.clock.nextIn ?? 0);
    return bad.received.length === 3;
  });
  await noted(t, 3);
  const record = await theLead(t);
  const id = webhookIdOf(record);
  const [retried, other] = Object.values(record.deliveries);
  deepEqual([retried!.state, other!.state], ["delivered", "delivered"]);
  deepEqual(retried!.attempts.map(({ result }) => result), ["http_503", "http_503", "ok"]);
  const [first, second, third] = retried!.attempts.map(({ at }) => at / MINUTE);
  ok(second! - first! < 1 && third! - second! >= 4, "the pauses of retry_test.ts");
  deepEqual([idsAt(bad), idsAt(good)], [[id, id, id], [id]]);
  equal(await countKeys(t, "due"), 0);
});

Deno.test("a permanent failure is a dead letter, and says nothing about the target", async () => {
  await using receiver = startReceiver(fails(9, 410));
  await using dead = await leaveBehind(1, receiver.url);
  await using t = await startApp(dead.options);
  const failed = { at: t.clock.now() - 3 * 60 * MINUTE, durationMs: 9, result: "http_503" };
  const history = { attempts: Array(40).fill(failed), omitted: 7 };
  const { id } = await theLead(dead);
  await dead.store.change(id, (deliveries) => {
    const [[target, delivery]] = Object.entries(deliveries) as [[string, Delivery]];
    return { [target]: { ...delivery, ...history } };
  });
  await expireLeases(t);
  await t.leads.outbox.drain();
  equal((await deliveryOf(dead)).state, "dead");
  deepEqual(await inconsistencies(dead.kv), []);
  deepEqual(alarms(t), []);
  const letter = t.lines.find(({ event }) => event === "delivery.dead_letter")!;
  const { level, result, attempts, reason } = letter;
  deepEqual([level, result, attempts], ["error", "http_410", 48]);
  equal(reason, "the target has gone for good (410)");
});

Deno.test("a slow receiver delays the response until the inline timeout", async () => {
  await using receiver = startHoldingReceiver();
  await using t = await startApp({ env: { LEAD_TARGETS: receiver.url } });
  const answer = post(t);
  await receiver.arrived(1);
  t.clock.advance(2_000);
  equal(await answer, "200 false");
  receiver.release();
  await noted(t, 1);
  const { state, attempts } = await deliveryOf(t);
  deepEqual([state, attempts[0]!.result], ["delivered", "ok"]);
});

Deno.test("a lead is delivered before the response; a duplicate waits and is not delivered again", async () => {
  await using receiver = startHoldingReceiver();
  await using t = await startApp({ env: { LEAD_TARGETS: receiver.url } });
  const first = post(t);
  await receiver.arrived(1);
  const duplicate = post(t, LEAD, "192.0.2.9");
  await pause(50);
  receiver.release();
  deepEqual(await Promise.all([first, duplicate]), ["200 true", "200 true"]);
  deepEqual(idsAt(receiver), [webhookIdOf(await theLead(t))]);
  await noted(t, 1);
  equal((await deliveryOf(t)).state, "delivered");
  equal(await countKeys(t, "due"), 0);
});

/** Advances the clock to the next attempt at the first lead and makes it, maybe in another process. */
async function attemptNext(t: TestApp, { clock, leads: { outbox } } = t): Promise<void> {
  const { due, attempts } = await deliveryOf(t);
  clock.advance(due - clock.now());
  // A drain that an alarm began on the way found nothing due.
  while ((await deliveryOf(t)).attempts.length === attempts.length) await outbox.drain();
}

function alarms({ lines }: TestApp): unknown[] {
  return lines.filter(({ event }) => /^delivery\.target_(?:failing|recovered)$/.test(event))
    .map(({ level, event, since, result }) => [level, event, since, result]);
}

const RECOVERED = ["info", "delivery.target_recovered", undefined, undefined];

Deno.test("a target that has failed for an hour is reported once a process, and its recovery", async () => {
  await using receiver = startReceiver(fails(8));
  await using t = await startApp({ env: { LEAD_TARGETS: receiver.url } });
  const since = new Date(t.clock.now()).toISOString();
  const failing = ["error", "delivery.target_failing", since, "http_503"];
  await post(t);
  for (let n = 1; n < 4; n++) await attemptNext(t);
  deepEqual(alarms(t), [], "35 minutes");
  for (let n = 4; n < 6; n++) await attemptNext(t);
  deepEqual(alarms(t), [failing]);
  await t.leads.outbox.stop(0);
  await using fresh = await startApp({ env: { LEAD_TARGETS: receiver.url }, wrapKv: () => t.kv });
  for (let n = 6; n < 8; n++) await attemptNext(t, fresh);
  deepEqual(alarms(fresh), [failing]);
  await attemptNext(t, fresh);
  equal((await fresh.postLead({ ...LEAD, message: "Hi" })).status, 200);
  deepEqual(alarms(fresh), [failing, RECOVERED]);
});
