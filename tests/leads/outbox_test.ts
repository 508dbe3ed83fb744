/** @module The outbox: delivered inline, retried, or a dead letter. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { alarmIn, countKeys, deliveryOf, nextTry, noted, theLead } from "../support/deliveries.ts";
import { type Receiver, withHoldingReceiver, withReceiver } from "../support/receiver.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";
import { pause, until } from "../support/until.ts";

const MINUTE = 60_000;

function fails(times: number, status = 503) {
  return (n: number) => new Response(null, { status: n < times ? status : 204 });
}

/** Posts a lead, by default {@link LEAD}, and returns `delivered` of the response. */
async function post({ postLead }: TestApp, address?: string): Promise<boolean> {
  return (await (await postLead(LEAD, address)).json()).delivered;
}

function idsAt({ received }: Receiver): (string | undefined)[] {
  return received.map(({ headers }) => headers["webhook-id"]);
}

Deno.test("a lead is delivered before the response", () =>
  withReceiver((receiver) =>
    withApp(async (t) => {
      equal(await post(t), true);
      const { id } = await theLead(t);
      deepEqual(idsAt(receiver), [id]);
      await noted(t, 1);
      equal((await deliveryOf(t)).state, "delivered");
      equal(await countKeys(t, "due"), 0);
    }, { env: { LEAD_TARGETS: receiver.url } })
  ));

Deno.test("a receiver that fails twice gets the lead a third time, under the same webhook-id", () =>
  withReceiver((receiver) =>
    withApp(async (t) => {
      equal(await post(t), false);
      await noted(t, 1);
      const first = await nextTry(t);
      ok(first >= 4_000 && first <= 6_000, `first pause ${first} ms`);
      await receiver.arrived(2);
      await noted(t, 2);
      const second = (await deliveryOf(t)).due - t.clock.now();
      ok(second >= 4 * MINUTE && second <= 6 * MINUTE, `second pause ${second} ms`);
      while (receiver.received.length < 3) {
        await nextTry(t);
        await until("a drain", () => alarmIn(t) !== undefined || receiver.received.length === 3);
      }
      await noted(t, 3);
      const { state, tries } = await deliveryOf(t);
      equal(state, "delivered");
      deepEqual(tries.map(({ result }) => result), ["http_503", "http_503", "ok"]);
      equal(new Set(idsAt(receiver)).size, 1);
      equal(await countKeys(t, "due"), 0);
    }, { env: { LEAD_TARGETS: receiver.url } }), fails(2)));

Deno.test("a permanent failure is a dead letter, logged as an error", () =>
  withReceiver((receiver) =>
    withApp(async (t) => {
      equal(await post(t), false);
      await noted(t, 1);
      equal((await deliveryOf(t)).state, "dead");
      deepEqual([await countKeys(t, "due"), await countKeys(t, "dead")], [0, 1]);
      const line = t.lines.find(({ event }) => event === "delivery.dead_letter");
      deepEqual([line?.level, line?.["result"]], ["error", "http_410"]);
    }, { env: { LEAD_TARGETS: receiver.url } }), fails(9, 410)));

for (
  const [title, waitMs, state, result] of [
    ["a slow receiver delays the response until the inline timeout", 2_000, "delivered", "ok"],
    ["an attempt at a silent receiver ends after 15 s", 15_000, "waiting", "timeout"],
  ] as const
) {
  Deno.test(title, () =>
    withHoldingReceiver((receiver) =>
      withApp(async (t) => {
        const answer = post(t);
        await receiver.arrived(1);
        t.clock.advance(waitMs);
        equal(await answer, false);
        if (state === "delivered") receiver.release();
        await noted(t, 1);
        const delivery = await deliveryOf(t);
        deepEqual([delivery.state, delivery.tries[0]!.result], [state, result]);
        receiver.release();
      }, { env: { LEAD_TARGETS: receiver.url } })
    ));
}

Deno.test("with several targets, delivered means all of them; each is retried separately", () =>
  withReceiver((good) =>
    withReceiver((bad) =>
      withApp(async (t) => {
        equal(await post(t), false);
        const deliveries = async () => Object.values((await theLead(t)).deliveries);
        await until(
          "both recorded",
          async () => (await deliveries()).every(({ tries }) => tries.length === 1),
        );
        const states = (await deliveries()).map(({ state }) => state);
        deepEqual(states.sort(), ["delivered", "waiting"]);
        await nextTry(t);
        await bad.arrived(2);
        await until("all delivered", async () => await countKeys(t, "due") === 0);
        equal(good.received.length, 1);
      }, { env: { LEAD_TARGETS: `${good.url} ${bad.url}` } }), fails(1))
  ));

Deno.test("a duplicate sent during the inline attempt waits for it and is not delivered again", () =>
  withHoldingReceiver((receiver) =>
    withApp(async (t) => {
      const first = post(t);
      await receiver.arrived(1);
      const duplicate = post(t, "192.0.2.9");
      await pause(50);
      receiver.release();
      deepEqual(await Promise.all([first, duplicate]), [true, true]);
      equal(receiver.received.length, 1);
    }, { env: { LEAD_TARGETS: receiver.url } })
  ));
