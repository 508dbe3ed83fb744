/** @module The outbox: delivered inline, retried, or a dead letter. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { webhookIdOf } from "../../leads/delivery/webhook_id.ts";
import { inconsistencies } from "../crash/consistency.ts";
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

Deno.test("each target is retried separately, under the same webhook-id", () =>
  withReceiver((bad) =>
    withReceiver((good) =>
      withApp(async (t) => {
        equal(await post(t), false);
        await noted(t, 1);
        const first = await nextTry(t);
        ok(first >= 4_000 && first <= 6_000, `first pause ${first} ms`);
        await bad.arrived(2);
        await noted(t, 2);
        const second = (await deliveryOf(t)).due - t.clock.now();
        ok(second >= 4 * MINUTE && second <= 6 * MINUTE, `second pause ${second} ms`);
        while (bad.received.length < 3) {
          await nextTry(t);
          await until("a drain", () => alarmIn(t) !== undefined || bad.received.length === 3);
        }
        await noted(t, 3);
        const record = await theLead(t);
        const id = webhookIdOf(record);
        const [retried, other] = Object.values(record.deliveries);
        deepEqual([retried!.state, other!.state], ["delivered", "delivered"]);
        deepEqual(retried!.tries.map(({ result }) => result), ["http_503", "http_503", "ok"]);
        deepEqual([idsAt(bad), idsAt(good)], [[id, id, id], [id]]);
        equal(await countKeys(t, "due"), 0);
      }, { env: { LEAD_TARGETS: `${bad.url} ${good.url}` } })
    ), fails(2)));

Deno.test("a permanent failure is a dead letter, logged as an error", () =>
  withReceiver((receiver) =>
    withApp(async (t) => {
      equal(await post(t), false);
      await noted(t, 1);
      equal((await deliveryOf(t)).state, "dead");
      deepEqual(await inconsistencies(t.kv), []);
      const line = t.lines.find(({ event }) => event === "delivery.dead_letter");
      deepEqual([line?.level, line?.["result"]], ["error", "http_410"]);
    }, { env: { LEAD_TARGETS: receiver.url } }), fails(9, 410)));

Deno.test("a slow receiver delays the response until the inline timeout", () =>
  withHoldingReceiver((receiver) =>
    withApp(async (t) => {
      const answer = post(t);
      await receiver.arrived(1);
      t.clock.advance(2_000);
      equal(await answer, false);
      receiver.release();
      await noted(t, 1);
      const { state, tries } = await deliveryOf(t);
      deepEqual([state, tries[0]!.result], ["delivered", "ok"]);
    }, { env: { LEAD_TARGETS: receiver.url } })
  ));

Deno.test("a lead is delivered before the response; a duplicate waits and is not delivered again", () =>
  withHoldingReceiver((receiver) =>
    withApp(async (t) => {
      const first = post(t);
      await receiver.arrived(1);
      const duplicate = post(t, "192.0.2.9");
      await pause(50);
      receiver.release();
      deepEqual(await Promise.all([first, duplicate]), [true, true]);
      deepEqual(idsAt(receiver), [webhookIdOf(await theLead(t))]);
      await noted(t, 1);
      equal((await deliveryOf(t)).state, "delivered");
      equal(await countKeys(t, "due"), 0);
    }, { env: { LEAD_TARGETS: receiver.url } })
  ));
