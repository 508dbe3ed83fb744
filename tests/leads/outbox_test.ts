/** @module From the store to the target: inline, again later, or as a dead letter. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { brokenKv } from "../support/broken_kv.ts";
import { alarmIn, countKeys, deliveryOf, nextTry, noted, theLead } from "../support/deliveries.ts";
import { withHoldingReceiver, withReceiver } from "../support/receiver.ts";
import { LEAD, withApp } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";

const MINUTE = 60_000;

function fails(times: number, status = 503) {
  return (n: number) => new Response(null, { status: n < times ? status : 204 });
}

Deno.test("a lead reaches its target before the answer, and the answer says so", () =>
  withReceiver((receiver) =>
    withApp(async (t) => {
      deepEqual(await (await t.postLead(LEAD)).json(), { ok: true, delivered: true });
      const { id } = await theLead(t);
      deepEqual(receiver.received.map(({ headers }) => headers["webhook-id"]), [id]);
      await noted(t, 1);
      equal((await deliveryOf(t)).state, "delivered");
      equal(await countKeys(t, "due"), 0);
    }, { env: { LEAD_TARGETS: receiver.url } })
  ));

Deno.test("a receiver that fails twice has the lead at the third try, under the same webhook-id", () =>
  withReceiver((receiver) =>
    withApp(async (t) => {
      const response = await t.postLead(LEAD);
      deepEqual(await response.json(), { ok: true, delivered: false });
      await noted(t, 1);
      const first = await nextTry(t);
      ok(first >= 4_000 && first <= 6_000, `first pause ${first} ms`);
      await receiver.arrived(2);
      await noted(t, 2);
      const { due } = await deliveryOf(t);
      const second = due - t.clock.now();
      ok(second >= 4 * MINUTE && second <= 6 * MINUTE, `second pause ${second} ms`);
      while (receiver.received.length < 3) {
        await nextTry(t);
        await until(
          "a drain",
          () => alarmIn(t) !== undefined || receiver.received.length === 3,
        );
      }
      await noted(t, 3);
      const { state, tries } = await deliveryOf(t);
      equal(state, "delivered");
      deepEqual(tries.map(({ result }) => result), ["http_503", "http_503", "ok"]);
      equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 1);
      equal(await countKeys(t, "due"), 0);
    }, { env: { LEAD_TARGETS: receiver.url } }), fails(2)));

Deno.test("a receiver that refuses for good gets no second try: a dead letter, logged as an error", () =>
  withReceiver((receiver) =>
    withApp(async (t) => {
      deepEqual(await (await t.postLead(LEAD)).json(), { ok: true, delivered: false });
      await noted(t, 1);
      equal((await deliveryOf(t)).state, "dead");
      equal(await countKeys(t, "due"), 0);
      equal(await countKeys(t, "dead"), 1);
      const line = t.lines.find(({ event }) => event === "delivery.dead_letter");
      equal(line?.level, "error");
      equal(line?.["result"], "http_410");
    }, { env: { LEAD_TARGETS: receiver.url } }), fails(9, 410)));

Deno.test("a receiver that is slow does not hold the answer up longer than the inline time-out", () =>
  withHoldingReceiver((receiver) =>
    withApp(async (t) => {
      const answer = t.postLead(LEAD);
      await receiver.arrived(1);
      t.clock.advance(2_000);
      deepEqual(await (await answer).json(), { ok: true, delivered: false });
      receiver.release();
      await noted(t, 1);
      equal((await deliveryOf(t)).state, "delivered", "the try went on behind the answer");
    }, { env: { LEAD_TARGETS: receiver.url } })
  ));

Deno.test("a receiver that never answers is given up after 15 seconds", () =>
  withHoldingReceiver((receiver) =>
    withApp(async (t) => {
      const answer = t.postLead(LEAD);
      await receiver.arrived(1);
      t.clock.advance(15_000);
      await answer;
      await noted(t, 1);
      equal((await deliveryOf(t)).tries[0]!.result, "timeout");
      equal((await deliveryOf(t)).state, "waiting");
      receiver.release();
    }, { env: { LEAD_TARGETS: receiver.url } })
  ));

Deno.test("with several targets a lead is delivered when all of them have it, each on its own", () =>
  withReceiver((good) =>
    withReceiver((bad) =>
      withApp(async (t) => {
        deepEqual(await (await t.postLead(LEAD)).json(), { ok: true, delivered: false });
        await until("both noted", async () => {
          const deliveries = Object.values((await theLead(t)).deliveries);
          return deliveries.every(({ tries }) => tries.length === 1);
        });
        const states = Object.values((await theLead(t)).deliveries).map(({ state }) => state);
        deepEqual(states.sort(), ["delivered", "waiting"]);
        await nextTry(t);
        await bad.arrived(2);
        await until("all delivered", async () => await countKeys(t, "due") === 0);
        equal(good.received.length, 1);
      }, { env: { LEAD_TARGETS: `${good.url} ${bad.url}` } }), fails(1))
  ));

Deno.test("a copy sent during the inline try waits for the same answer and is not delivered twice", () =>
  withHoldingReceiver((receiver) =>
    withApp(async (t) => {
      const first = t.postLead(LEAD);
      await receiver.arrived(1);
      const copy = t.postLead(LEAD, "192.0.2.9");
      await pause(50);
      receiver.release();
      for (const answer of [first, copy]) {
        deepEqual(await (await answer).json(), { ok: true, delivered: true });
      }
      equal(receiver.received.length, 1);
    }, { env: { LEAD_TARGETS: receiver.url } })
  ));

Deno.test("with KV out of order a lead goes straight to the target", () =>
  withReceiver((receiver) =>
    withApp(async (t) => {
      const response = await t.postLead(LEAD);
      deepEqual(await response.json(), { ok: true, delivered: true });
      equal(receiver.received.length, 1);
    }, {
      env: { LEAD_TARGETS: receiver.url },
      wrapKv: brokenKv,
    })
  ));
