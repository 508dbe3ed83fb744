/** @module Retention takes no lead that waits for a target; a lead sent again after a dead letter. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { startReceiver } from "../support/receiver.ts";
import {
  countKeys,
  deliveryOf,
  idsAt,
  noted,
  post,
  stored,
  theLead,
} from "../support/sent_leads.ts";
import { test } from "../support/store_world.ts";
import { startApp, type TestApp } from "../support/test_app.ts";
import { until } from "../support/until.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const env = (targets: string) => ({ LEAD_RETENTION: "1h", LEAD_TARGETS: targets });

/** Lets time pass with the maintenance of each quarter of an hour. */
async function wait({ clock, leads }: TestApp, hours: number): Promise<void> {
  for (let quarter = 0; quarter < 4 * hours; quarter++) {
    clock.advance(HOUR / 4);
    await leads.runMaintenance();
  }
}

const eventsOf = ({ lines }: TestApp, name: string) => lines.filter(({ event }) => event === name);

Deno.test("a lead past its retention is attempted until it is delivered, and then purged", async () => {
  let status = 503;
  await using receiver = startReceiver(() => new Response(null, { status }));
  await using t = await startApp({ env: env(receiver.url) });
  equal(await post(t), "200 false");
  await wait(t, 3);
  equal((await stored(t)).length, 1, "after three hours");
  status = 204;
  await wait(t, 24);
  equal(receiver.acknowledged.length, 1);
  await wait(t, 24); // the purge looks at old leads once a day
  deepEqual([await countKeys(t, "lead"), await countKeys(t, "by_email")], [0, 0]);
});

Deno.test("a lead that is never delivered ends as a dead letter, and its retention counts from then", async () => {
  await using receiver = startReceiver(() => new Response(null, { status: 503 }));
  await using t = await startApp({ env: env(receiver.url) });
  await post(t);
  for (let hour = 0; hour < 100 && (await deliveryOf(t)).state === "waiting"; hour++) {
    await wait(t, 1);
  }
  equal(eventsOf(t, "delivery.dead_letter").length, 1);
  equal(receiver.received.length, 10, "the whole schedule");
  t.clock.advance((await deliveryOf(t)).due + HOUR - 1 - t.clock.now());
  equal((await stored(t)).length, 1);
  t.clock.advance(1);
  equal((await stored(t)).length, 0);
});

Deno.test("past the retention, what no target gets ends as a dead letter that is logged", async () => {
  await using receiver = startReceiver(() => new Response(null, { status: 503 }));
  await using gone = await startApp({ env: env(`crm=${receiver.url}`) });
  await post(gone);
  await noted(gone, 1);
  const wrapKv = () => gone.kv;
  await using renamed = await startApp({ env: env(`sales=${receiver.url}`), wrapKv });
  await wait(renamed, 1);
  const { lead, ...line } = eventsOf(renamed, "delivery.dead_letter")[0]!;
  deepEqual(line, {
    level: "error",
    event: "delivery.dead_letter",
    target: "crm",
    attempts: 2,
    result: "no_target",
    reason: "LEAD_TARGETS has no such target",
  });
  equal(lead, (await theLead(gone)).id);
  equal(await countKeys(gone, "due"), 0);
  await wait(renamed, 25);
  equal(await countKeys(gone, "lead"), 0);
});

Deno.test("a preview on the same database ends no delivery of production", async () => {
  await using receiver = startReceiver(() => new Response(null, { status: 503 }));
  await using production = await startApp({ env: env(receiver.url) });
  await post(production);
  await noted(production, 1);
  const preview = { ...env(receiver.url), DENO_TIMELINE: "preview/x" };
  await using t = await startApp({ env: preview, wrapKv: () => production.kv });
  await wait(t, 24);
  equal((await deliveryOf(production)).state, "waiting");
});

const KEYS = `2026:${btoa("k".repeat(32))}`;

Deno.test("past the retention, a waiting lead whose key is missing ends as a dead letter", async () => {
  await using receiver = startReceiver(() => new Response(null, { status: 503 }));
  const given = { ...env(receiver.url), LEAD_ENCRYPTION_KEYS: KEYS };
  await using sealed = await startApp({ env: given });
  await post(sealed);
  await noted(sealed, 1);
  const other = KEYS.replace("2026", "2027");
  await using t = await startApp({
    env: { ...given, LEAD_ENCRYPTION_KEYS: `${other} ${KEYS}` },
    wrapKv: () => sealed.kv,
  });
  await wait(t, 2);
  equal(eventsOf(t, "delivery.dead_letter").length, 0, "it can be opened");
  const { id } = await theLead(sealed);
  const entry = await sealed.kv.get<Record<string, Record<string, unknown>>>(keys.lead(id));
  const content = { ...entry.value!["content"], key: "2025" };
  await sealed.kv.set(keys.lead(id), { ...entry.value, content });
  await wait(t, 24);
  const { result, reason } = eventsOf(t, "delivery.dead_letter")[0]!;
  deepEqual([result, reason], ["unusable", "the lead cannot be opened"]);
});

test("KV itself deletes nothing of a lead that waits, and all of it a year after its retention", async (world) => {
  const { clock, store, expiryOf } = world;
  const now = clock.now();
  const id = await world.put({ crm: now });
  const entries = [keys.lead(id), keys.byEmail(id, id), keys.due("crm", now, id)];
  deepEqual(entries.map(expiryOf), [-1, -1, -1]);
  const dead = { state: "dead", due: now + DAY, attempts: [] } as const;
  await store.change(id, () => ({ crm: dead }));
  const kept = [keys.lead(id), keys.byEmail(id, id), keys.dead("crm", id)];
  const days = kept.map((key) => Math.round((expiryOf(key) - Date.now()) / DAY));
  const year = 365 + 91;
  deepEqual(days, [year, year, year], "90 days from the dead letter");
});

Deno.test("after a dead letter the same lead is sent again, with the same id and a new schedule", async () => {
  let status = 410;
  await using receiver = startReceiver(() => new Response(null, { status }));
  await using t = await startApp({ env: { LEAD_TARGETS: receiver.url } });
  equal(await post(t), "200 false");
  await until("dead", async () => (await deliveryOf(t)).state === "dead");
  status = 503;
  equal(await post(t), "200 false");
  await noted(t, 2);
  const { state, due, earlier } = await deliveryOf(t);
  deepEqual([state, earlier, due - t.clock.now() < 7_000], ["waiting", 1, true]);
  equal(await post(t), "200 false", "a duplicate of what waits");
  status = 204;
  t.clock.advance(7_000);
  await until("delivered", async () => (await deliveryOf(t)).state === "delivered");
  equal(await post(t), "200 true", "a duplicate of what is delivered");
  equal(receiver.received.length, 3);
  equal(new Set(idsAt(receiver)).size, 1);
  equal((await stored(t)).length, 1);
  deepEqual(eventsOf(t, "lead.sent_again").map(({ delivered }) => delivered), [false]);
});

Deno.test("the same lead posted ten times at once after a dead letter is one attempt, at that target", async () => {
  await using good = startReceiver();
  let status = 410;
  await using bad = startReceiver(() => new Response(null, { status }));
  await using t = await startApp({ env: { LEAD_TARGETS: `good=${good.url} bad=${bad.url}` } });
  await post(t);
  await until("both are recorded", async () => {
    const { good, bad } = (await theLead(t)).deliveries;
    return good?.state === "delivered" && bad?.state === "dead";
  });
  status = 204;
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(t)));
  deepEqual(new Set(answers), new Set(["200 true"]));
  deepEqual([good.received.length, bad.received.length], [1, 2]);
});
