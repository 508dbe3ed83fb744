/** @module The way in: what is stored, what is refused, and what it costs. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { LONGEST_ANSWER_MS } from "../../leads/intake.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { LEAD_BODY } from "../../routes/http/bounded_body.ts";
import { countingKv } from "../support/counting_kv.ts";
import { leadOf, statusesOf } from "../support/crowd.ts";
import { kvWith } from "../support/kv_with.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";

/** All leads in a test's KV. */
function stored({ store }: Pick<TestApp, "store">): Promise<LeadRecord[]> {
  return Array.fromAsync(store.all());
}

/** How many there are of each. */
function countBy(statuses: number[]): Record<number, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(statuses, String)).map(([key, all]) => [key, all!.length]),
  );
}

const ROOMY = { LEAD_ATTEMPT_LIMIT: "10000/1m" };

Deno.test("a lead without targets is stored and logged, and the answer says that it is not delivered", () =>
  withApp(async (t) => {
    const response = await t.postLead({ ...LEAD, message: "Hello", plan: "pro", website: "" });
    equal(response.status, 200);
    deepEqual(await response.json(), { ok: true, delivered: false });
    const [record, ...others] = await stored(t);
    equal(others.length, 0);
    deepEqual(record!.lead, { ...LEAD, message: "Hello", plan: "pro" });
    equal(record!.receivedAt, t.clock.now());
    match(record!.id, /^[\da-f]{8}-[\da-f]{4}-7/);
    const requestId = response.headers.get("x-request-id")!;
    deepEqual(t.lines, [
      { level: "info", event: "lead.stored", lead: record!.id, requestId, delivered: false },
    ]);
  }));

Deno.test("an accepted lead costs one KV round trip, the store's secret aside", async () => {
  const calls: string[] = [];
  await withApp(async (t) => {
    await statusesOf([t.postLead(leadOf(0))]);
    calls.length = 0;
    deepEqual(await statusesOf([t.postLead(leadOf(1))]), [200]);
    deepEqual(calls, ["commit"]);
  }, { wrapKv: (kv) => countingKv(kv, calls) });
});

Deno.test("refused leads cost no KV call, whatever they are refused for", async () => {
  const calls: string[] = [];
  await withApp(async (t) => {
    await statusesOf([t.postLead(leadOf(0))]);
    calls.length = 0;
    const answers = Array.from({ length: 500 }, (_, n) => t.postLead(leadOf(n + 1)));
    deepEqual(countBy(await statusesOf([...answers, t.postLead({})])), { 400: 1, 429: 500 });
    deepEqual(calls, []);
  }, {
    env: { LEAD_RATE_LIMIT: "1/1d", LEAD_ATTEMPT_LIMIT: "20000/1m" },
    wrapKv: (kv) => countingKv(kv, calls),
  });
});

Deno.test("500 concurrent leads of one client admit exactly the limit", () =>
  withApp(async (t) => {
    const answers = Array.from({ length: 500 }, (_, n) => t.postLead(leadOf(n)));
    deepEqual(countBy(await statusesOf(answers)), { 200: 20, 429: 480 });
    equal((await stored(t)).length, 20);
  }, { env: ROOMY }));

Deno.test("the limit recovers one lead at a time", () =>
  withApp(async (t) => {
    const answers = [1, 2, 3].map((n) => t.postLead(leadOf(n)));
    deepEqual(await statusesOf(answers), [200, 200, 429]);
    t.clock.advance(30_000);
    deepEqual(await statusesOf([t.postLead(leadOf(4)), t.postLead(leadOf(5))]), [200, 429]);
  }, { env: { LEAD_RATE_LIMIT: "2/1m" } }));

Deno.test("two instances on one KV share the limit to the unit", () =>
  withApp((one) =>
    withApp(async (two) => {
      const answers = Array.from(
        { length: 100 },
        (_, n) => (n % 2 === 0 ? one : two).postLead(leadOf(n)),
      );
      deepEqual(countBy(await statusesOf(answers)), { 200: 20, 429: 80 });
      equal((await stored(one)).length, 20);
    }, { env: ROOMY, wrapKv: () => one.kv }), { env: ROOMY }));

Deno.test("the same lead again is the same lead: one record, the same answer", () =>
  withApp(async (t) => {
    const answers = [LEAD, { ...LEAD, email: "ADA@example.com" }, { ...LEAD, website: "" }];
    for (const body of answers) {
      deepEqual(await (await t.postLead(body)).json(), { ok: true, delivered: false });
    }
    equal((await stored(t)).length, 1);
  }));

Deno.test("copies sent at once, by one client and by many, are one lead", () =>
  withApp(async (t) => {
    const answers = Array.from({ length: 40 }, (_, n) => t.postLead(LEAD, `192.0.2.${n % 8}`));
    deepEqual(countBy(await statusesOf(answers)), { 200: 40 });
    equal((await stored(t)).length, 1);
  }, { env: ROOMY }));

Deno.test("the same lead a day later is a new one", () =>
  withApp(async (t) => {
    await statusesOf([t.postLead(LEAD)]);
    t.clock.advance(24 * 3_600_000 + 1);
    deepEqual(await statusesOf([t.postLead(LEAD)]), [200]);
    equal((await stored(t)).length, 2);
  }));

Deno.test("copies count against the limit", () =>
  withApp(async (t) => {
    deepEqual(await statusesOf([1, 2, 3].map(() => t.postLead(LEAD))), [200, 200, 429]);
  }, { env: { LEAD_RATE_LIMIT: "2/10m" } }));

Deno.test("addresses under .invalid count against the limit and are not stored", () =>
  withApp(async (t) => {
    const test = { ...LEAD, email: "fuzz@example.INVALID" };
    const responses = [await t.postLead(test), await t.postLead(test)];
    deepEqual(await responses[0]!.json(), { ok: true, delivered: false });
    equal(responses[1]!.status, 429);
    deepEqual(await stored(t), []);
  }, { env: { LEAD_RATE_LIMIT: "1/10m" } }));

Deno.test("what no target should meet is made harmless before it is stored", () =>
  withApp(async (t) => {
    const response = await t.postLead({
      ...LEAD,
      company: "One\r\nTwo\u0000",
      message: "a\ud800b\u0000\r\nc",
    });
    equal(response.status, 200);
    const [record] = await stored(t);
    equal(record!.lead.company, "One Two\u{FFFD}");
    equal(record!.lead.message, "a\u{FFFD}b\u{FFFD}\r\nc");
  }));

Deno.test("a duplicate is answered like its original, also while the disk is full", () => {
  let isFull = false;
  let wasRefused = false;
  return withApp(async (t) => {
    equal((await t.postLead(LEAD)).status, 200);
    isFull = true;
    deepEqual(await (await t.postLead(LEAD)).json(), { ok: true, delivered: false });
    equal((await t.postLead(leadOf(1), "192.0.2.2")).status, 502);
    equal((await stored(t)).length, 1);
    const failed = t.lines.filter(({ event }) => event === "kv.failed");
    deepEqual(failed.map(({ reason }) => reason), ["the disk is full", "the disk is full"]);
  }, {
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
});

/** Where it is written how long a lead's answer is waited for. */
const WAITING = [
  ["static/assets/contact.js", /const PATIENCE_MS = ([\d_]+);/],
  ["contract/client.ts", /const PATIENCE_MS = ([\d_]+);/],
] as const;

Deno.test("form and harness wait longer than a body and the answer to it may take", async () => {
  for (const [file, pattern] of WAITING) {
    const text = await Deno.readTextFile(new URL(`../../${file}`, import.meta.url));
    const waited = Number(pattern.exec(text)?.[1]?.replaceAll("_", ""));
    ok(waited > LEAD_BODY.deadlineMs + LONGEST_ANSWER_MS, `${file} waits ${waited} ms`);
  }
});
