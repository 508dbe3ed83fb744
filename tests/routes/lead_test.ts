/**
 * @module POST /api/lead as its callers see it (specification §4 createLead, §5). Its errors are in
 * `documented_answers_test.ts`, what a LeadRequest is in `tests/schemas/lead_test.ts`.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { LeadResponse } from "../../schemas/lead.ts";
import { mustBe } from "../support/must_be.ts";
import { withReceiver } from "../support/receiver.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";

const JSON_HEADERS = { "content-type": "application/json" };
const KIB_64 = 64 * 1024;

/** The body of a 200; fails on any other answer. */
async function accepted(response: Response): Promise<LeadResponse> {
  equal(response.status, 200);
  equal(response.headers.get("content-type"), "application/json");
  equal(response.headers.get("cache-control"), "no-store");
  equal(response.headers.get("retry-after"), null);
  return mustBe(LeadResponse, await response.json());
}

/** The code of an error with that status. */
async function refused(response: Response, status: number): Promise<string> {
  equal(response.status, status);
  return (await response.json()).error.code;
}

function brokenOff(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
}

/** All leads that are held. */
async function held({ store }: TestApp) {
  return (await Array.fromAsync(store.all())).map(({ lead }) => lead);
}

Deno.test("a 200 means that the lead is held, with all that was sent but the honeypot", () =>
  withApp(async (app) => {
    const lead = { ...LEAD, message: "Zwei\nZeilen: „Grüße“ 🌍", plan: "hosted" };
    const response = await app.postLead({ ...lead, website: "" });
    deepEqual(await accepted(response), { ok: true, delivered: false });
    deepEqual(await held(app), [lead]);
  }));

for (const [status, delivered] of [[200, true], [503, false]] as const) {
  Deno.test(`delivered is ${delivered} where the target answers ${status}; the lead is taken`, () =>
    withReceiver(({ url, received }) =>
      withApp(async (app) => {
        deepEqual(await accepted(await app.postLead(LEAD)), { ok: true, delivered });
        equal(received.length, 1);
        equal((await held(app)).length, 1);
      }, { env: { LEAD_TARGETS: url } }), () => new Response(null, { status })));
}

Deno.test("the same lead again is the same lead, another of the same address is not", () =>
  withApp(async (app) => {
    const first = await accepted(await app.postLead(LEAD));
    deepEqual(await accepted(await app.postLead({ ...LEAD, website: "" })), first);
    equal((await held(app)).length, 1);
    await accepted(await app.postLead({ ...LEAD, message: "One thing more" }));
    equal((await held(app)).length, 2);
  }));

Deno.test("a test lead is taken, but neither held nor delivered", () =>
  withReceiver(({ url, received }) =>
    withApp(async (app) => {
      for (const email of ["test@example.invalid", "test@EXAMPLE.Invalid", "test@invalid"]) {
        const response = await app.postLead({ ...LEAD, email });
        deepEqual(await accepted(response), { ok: true, delivered: false });
      }
      deepEqual([await held(app), received], [[], []]);
      await accepted(await app.postLead({ ...LEAD, email: "test@notinvalid" }));
      equal((await held(app)).length, 1);
    }, { env: { LEAD_TARGETS: url } })
  ));

Deno.test("a body of exactly 64 KiB is read, however it is sent and its type written", () =>
  withApp(async ({ request }) => {
    const body = JSON.stringify(LEAD).padEnd(KIB_64, " ");
    for (
      const init of [
        { headers: { ...JSON_HEADERS, "content-length": `${KIB_64}` }, body },
        { headers: { "content-type": 'APPLICATION/json ; charset="UTF-8"' }, body },
        { headers: JSON_HEADERS, body: new Blob([body]).stream() },
      ]
    ) await accepted(await request("/api/lead", { method: "POST", ...init }));
  }));

Deno.test("a byte order mark, bytes that are not UTF-8, and a body that breaks off are not JSON", () =>
  withApp(async ({ request }) => {
    const marked = `\u{FEFF}${JSON.stringify(LEAD)}`;
    for (const body of [marked, Uint8Array.from([0x22, 0xff, 0x22]), brokenOff()]) {
      const init = { method: "POST", headers: JSON_HEADERS, body };
      equal(await refused(await request("/api/lead", init), 400), "invalid_json");
    }
  }));

Deno.test("a filled honeypot is refused and not held", () =>
  withApp(async (app) => {
    const response = await app.postLead({ ...LEAD, website: "https://spam.example" });
    equal(await refused(response, 400), "invalid_lead");
    deepEqual(await held(app), []);
  }));

Deno.test("a client over the lead limit learns what is wrong with a body; others are admitted", () =>
  withApp(async ({ postLead }) => {
    const other = { ...LEAD, company: "Other" };
    await accepted(await postLead(LEAD));
    equal(await refused(await postLead(other), 429), "rate_limited");
    equal(await refused(await postLead({}), 400), "invalid_lead");
    await accepted(await postLead(other, "192.0.2.2"));
  }, { env: { LEAD_RATE_LIMIT: "1/1m" } }));

Deno.test("clients over the attempt limit get 429 before the body is read", () =>
  withApp(async ({ postLead, request }) => {
    // A method that is refused is no attempt.
    equal(await refused(await request("/api/lead", { method: "PUT" }), 405), "method_not_allowed");
    equal(await refused(await postLead({}), 400), "invalid_lead");
    let pulled = 0;
    const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
    const response = await request("/api/lead", { method: "POST", headers: JSON_HEADERS, body });
    equal(await refused(response, 429), "rate_limited");
    equal(pulled, 0);
  }, { env: { LEAD_ATTEMPT_LIMIT: "1/1m" } }));

Deno.test("a client is admitted after Retry-After seconds, and not a second earlier", () =>
  withApp(async ({ postLead, clock }) => {
    let company = 0;
    const send = () => postLead({ ...LEAD, company: `Company ${company++}` });
    for (let n = 0; n < 2; n++) await accepted(await send());
    const response = await send();
    equal(await refused(response, 429), "rate_limited");
    clock.advance((Number(response.headers.get("retry-after")) - 1) * 1_000);
    equal(await refused(await send(), 429), "rate_limited");
    clock.advance(1_000);
    await accepted(await send());
  }, { env: { LEAD_RATE_LIMIT: "2/1m" } }));

Deno.test("no log line holds an address or what was written", () =>
  withApp(async ({ postLead, lines }) => {
    const secret = "zzWrittenzz";
    await accepted(
      await postLead({ ...LEAD, email: `${secret}@example.com`, company: secret, message: secret }),
    );
    ok(lines.length > 0);
    const logged = JSON.stringify(lines);
    for (const word of [secret, "192.0.2.1", "example.com"]) ok(!logged.includes(word), word);
  }));
