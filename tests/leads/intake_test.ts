/** @module The intake: what is stored, what is refused, and what it costs. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { LONGEST_ANSWER_MS } from "../../leads/intake.ts";
import { UNSTORED_WAIT_MS } from "../../leads/outbox.ts";
import { keys } from "../../leads/kv/keys.ts";
import { LEAD_BODY } from "../../routes/http/bounded_body.ts";
import { brokenKv, countingKv, kvWith } from "../support/kv_with.ts";
import { crowd, leadOf, post, statusesOf, stored } from "../support/sent_leads.ts";
import { startHoldingReceiver, startReceiver } from "../support/receiver.ts";
import { LEAD, startApp, type TestApp } from "../support/test_app.ts";
import { pause } from "../support/until.ts";

async function countByStatus(answers: Promise<Response>[]): Promise<Record<string, number>> {
  const groups = Object.entries(Object.groupBy(await statusesOf(answers), String));
  return Object.fromEntries(groups.map(([status, all]) => [status, all!.length]));
}

function many({ postLead }: TestApp, count: number): Promise<Response>[] {
  return Array.from({ length: count }, (_, n) => postLead(leadOf(n)));
}

const DAY = 86_400_000;
/** Between two leads of a client, by default. */
const INTERVAL_MS = 30_000;
const ROOMY = { LEAD_ATTEMPT_LIMIT: "10000/1m" };

Deno.test("a lead without targets is stored, well-formed, and answered delivered: false", async () => {
  await using t = await startApp();
  const response = await t.postLead({ ...LEAD, company: "One\r\nTwo", message: "Hi", website: "" });
  equal(response.status, 200);
  deepEqual(await response.json(), { ok: true, delivered: false });
  const [record, ...others] = await stored(t);
  equal(others.length, 0);
  deepEqual(record!.lead, { ...LEAD, company: "One Two", message: "Hi" });
  equal(record!.receivedAt, t.clock.now());
  match(record!.id, /^[\da-f]{8}-[\da-f]{4}-7/);
  const requestId = response.headers.get("x-request-id")!;
  const logged = { level: "info", event: "lead.stored", lead: record!.id, requestId };
  deepEqual(t.lines, [{ ...logged, delivered: false }]);
});

Deno.test("an accepted lead costs one commit, and refused leads no KV call", async () => {
  const calls: string[] = [];
  await using t = await startApp({
    env: { LEAD_RATE_LIMIT: "2/1d", LEAD_ATTEMPT_LIMIT: "20000/1m" },
    wrapKv: (kv) => countingKv(kv, calls),
  });
  await t.store.secret();
  await statusesOf([t.postLead(leadOf(0))]);
  calls.length = 0;
  deepEqual(await statusesOf([t.postLead(leadOf(1))]), [200]);
  deepEqual(calls, ["commit"]);
  deepEqual(await countByStatus([...many(t, 500), t.postLead({})]), { 400: 1, 429: 500 });
  deepEqual(calls, ["commit"]);
});

Deno.test("while KV fails and a target hangs, 256 leads wait for it, others for a turn, and get 502 after some seconds", async () => {
  await using receiver = startHoldingReceiver();
  await using t = await startApp({ env: { LEAD_TARGETS: receiver.url }, wrapKv: brokenKv });
  const waiting = crowd(t, 256);
  await receiver.arrived(256, 20_000);
  const late = t.postLead(leadOf(256));
  await pause(20);
  t.clock.advance(UNSTORED_WAIT_MS);
  equal((await late).status, 502);
  const next = t.postLead(leadOf(257));
  receiver.release();
  deepEqual(await countByStatus([...waiting, next]), { 200: 257 });
});

Deno.test("concurrent leads of one client at two instances admit exactly the limit", async () => {
  await using one = await startApp({ env: ROOMY });
  await using two = await startApp({ env: ROOMY, wrapKv: () => one.kv });
  const at = (n: number) => n % 2 === 0 ? one : two;
  const answers = Array.from({ length: 500 }, (_, n) => at(n).postLead(leadOf(n)));
  deepEqual(await countByStatus(answers), { 200: 20, 429: 480 });
  equal((await stored(one)).length, 20);
});

Deno.test("the lead limit recovers one lead at a time; duplicates and test leads count", async () => {
  await using t = await startApp({ env: { LEAD_RATE_LIMIT: "3/1m" } });
  const test = { ...LEAD, email: "fuzz@example.INVALID" };
  equal(await post(t, test), "200 false");
  deepEqual(await stored(t), []);
  deepEqual(await statusesOf([1, 2, 3].map(() => t.postLead(LEAD))), [200, 200, 429]);
  deepEqual(await statusesOf([t.postLead(test)]), [429]);
  t.clock.advance(20_000);
  deepEqual(await statusesOf(many(t, 2)), [200, 429]);
});

Deno.test("a test lead is neither stored nor delivered", async () => {
  await using receiver = startReceiver();
  await using t = await startApp({ env: { LEAD_TARGETS: receiver.url } });
  for (const email of ["test@example.invalid", "test@EXAMPLE.Invalid", "test@invalid"]) {
    equal(await post(t, { ...LEAD, email }), "200 false");
  }
  deepEqual([await stored(t), receiver.received], [[], []]);
  equal(await post(t, { ...LEAD, email: "test@notinvalid" }), "200 true");
});

Deno.test("a client that sent a lead while the clock was a day ahead waits for one interval", async () => {
  await using t = await startApp();
  t.clock.advance(DAY);
  await post(t);
  t.clock.advance(-DAY);
  const refused = await t.postLead(leadOf(1));
  equal(Number(refused.headers.get("retry-after")), INTERVAL_MS / 1_000);
  t.clock.advance(INTERVAL_MS);
  deepEqual([await post(t, leadOf(2)), await post(t, leadOf(3))], ["200 false", "429"]);
});

Deno.test("a stored arrival time that is impossible delays a client by one interval at most", async () => {
  for (const [arrival, answer] of [["soon", "200 false"], [Date.UTC(3000), "429"]] as const) {
    await using t = await startApp();
    await post(t);
    const [limit] = await Array.fromAsync(t.kv.list({ prefix: keys.limit("").slice(0, -1) }));
    await t.kv.set(limit!.key, { arrival });
    await using another = await startApp({ wrapKv: () => t.kv });
    equal(await post(another, leadOf(1)), answer);
    const { value } = await t.kv.get<{ arrival: number }>(limit!.key);
    ok(value!.arrival <= another.clock.now() + 600_000);
    another.clock.advance(INTERVAL_MS);
    equal(await post(another, leadOf(2)), "200 false");
  }
});

Deno.test("duplicates are one lead for a day, by one client and by many", async () => {
  await using t = await startApp({ env: ROOMY });
  for (const body of [LEAD, { ...LEAD, email: "ADA@example.com" }, { ...LEAD, website: "" }]) {
    equal(await post(t, body), "200 false");
  }
  const answers = Array.from({ length: 40 }, (_, n) => t.postLead(LEAD, `192.0.2.${n % 8}`));
  deepEqual(await countByStatus(answers), { 200: 40 });
  equal((await stored(t)).length, 1);
  t.clock.advance(DAY + 1);
  deepEqual(await statusesOf([t.postLead(LEAD)]), [200]);
  equal((await stored(t)).length, 2);
});

Deno.test("a duplicate is answered like its original, even while the disk is full", async () => {
  let isFull = false;
  let wasRefused = false;
  await using t = await startApp({
    wrapKv: (kv) =>
      kvWith(kv, {
        commit: async (commit) => {
          // SQLite refuses a check without writing.
          const result = isFull && wasRefused ? undefined : await commit();
          wasRefused = isFull;
          if (result === undefined) throw new Error("database or disk is full");
          return result;
        },
      }),
  });
  equal((await t.postLead(LEAD)).status, 200);
  isFull = true;
  equal(await post(t), "200 false");
  equal((await t.postLead(leadOf(1), "192.0.2.2")).status, 502);
  equal((await stored(t)).length, 1);
  const failed = t.lines.filter(({ event }) => event === "kv.failed");
  deepEqual(failed.map(({ reason }) => reason), ["the disk is full", "the disk is full"]);
});

Deno.test("form and harness wait longer than the longest answer", async () => {
  for (const file of ["static/assets/contact.js", "contract/run/client.ts"]) {
    const text = await Deno.readTextFile(new URL(`../../${file}`, import.meta.url));
    const [, patience = ""] = /const (?:PATIENCE|TIMEOUT)_MS = ([\d_]+);/.exec(text) ?? [];
    ok(Number(patience.replaceAll("_", "")) > LEAD_BODY.deadlineMs + LONGEST_ANSWER_MS, file);
  }
});
