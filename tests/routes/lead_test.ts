/**
 * @module POST /api/lead (specification §4 createLead, §5). Its errors are in
 * `documented_answers_test.ts`, the fields of a LeadRequest in `tests/schemas/lead_test.ts`.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LeadResponse } from "../../schemas/lead.ts";
import { mustBe } from "../support/must_be.ts";
import { withReceiver } from "../support/receiver.ts";
import { LEAD, type TestApp, withApp } from "../support/test_app.ts";

const JSON_HEADERS = { "content-type": "application/json" };

/** The body of a 200; fails on any other status. */
async function accepted(response: Response): Promise<LeadResponse> {
  equal(response.status, 200);
  equal(response.headers.get("content-type"), "application/json");
  equal(response.headers.get("cache-control"), "no-store");
  equal(response.headers.get("retry-after"), null);
  return mustBe(LeadResponse, await response.json());
}

/** The error code of an answer with that status. */
async function refused(response: Response, status: number): Promise<string> {
  equal(response.status, status);
  return (await response.json()).error.code;
}

async function storedLeads({ store }: TestApp) {
  return (await Array.fromAsync(store.all())).map(({ lead }) => lead);
}

Deno.test("an accepted lead is stored with all its fields but the honeypot", () =>
  withApp(async (app) => {
    const lead = { ...LEAD, message: "Zwei\nZeilen: „Grüße“ 🌍", plan: "hosted" };
    const response = await app.postLead({ ...lead, website: "" });
    deepEqual(await accepted(response), { ok: true, delivered: false });
    deepEqual(await storedLeads(app), [lead]);
  }));

for (const [status, delivered] of [[200, true], [503, false]] as const) {
  Deno.test(`delivered is ${delivered} if the target answers ${status}; the lead is stored`, () =>
    withReceiver(({ url, received }) =>
      withApp(async (app) => {
        deepEqual(await accepted(await app.postLead(LEAD)), { ok: true, delivered });
        equal(received.length, 1);
        equal((await storedLeads(app)).length, 1);
      }, { env: { LEAD_TARGETS: url } }), () => new Response(null, { status })));
}

Deno.test("a test lead is accepted, but neither stored nor delivered", () =>
  withReceiver(({ url, received }) =>
    withApp(async (app) => {
      for (const email of ["test@example.invalid", "test@EXAMPLE.Invalid", "test@invalid"]) {
        const response = await app.postLead({ ...LEAD, email });
        deepEqual(await accepted(response), { ok: true, delivered: false });
      }
      deepEqual([await storedLeads(app), received], [[], []]);
      await accepted(await app.postLead({ ...LEAD, email: "test@notinvalid" }));
      equal((await storedLeads(app)).length, 1);
    }, { env: { LEAD_TARGETS: url } })
  ));

Deno.test("a byte order mark, bytes that are not UTF-8 and a truncated body are invalid_json", () =>
  withApp(async ({ request }) => {
    const marked = `\u{FEFF}${JSON.stringify(LEAD)}`;
    const truncated = new ReadableStream({ pull: (body) => body.error(new Error("reset")) });
    for (const body of [marked, Uint8Array.from([0x22, 0xff, 0x22]), truncated]) {
      const init = { method: "POST", headers: JSON_HEADERS, body };
      equal(await refused(await request("/api/lead", init), 400), "invalid_json");
    }
  }));

Deno.test("a client over the lead limit still gets 400 for an invalid body; others are admitted", () =>
  withApp(async ({ postLead }) => {
    const other = { ...LEAD, company: "Other" };
    await accepted(await postLead(LEAD));
    equal(await refused(await postLead(other), 429), "rate_limited");
    equal(await refused(await postLead({}), 400), "invalid_lead");
    await accepted(await postLead(other, "192.0.2.2"));
  }, { env: { LEAD_RATE_LIMIT: "1/1m" } }));

Deno.test("clients over the attempt limit get 429 before the body is read", () =>
  withApp(async ({ postLead, request }) => {
    // A 405 is no attempt.
    equal(await refused(await request("/api/lead", { method: "PUT" }), 405), "method_not_allowed");
    equal(await refused(await postLead({}), 400), "invalid_lead");
    let pulled = 0;
    const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
    const response = await request("/api/lead", { method: "POST", headers: JSON_HEADERS, body });
    equal(await refused(response, 429), "rate_limited");
    equal(pulled, 0);
  }, { env: { LEAD_ATTEMPT_LIMIT: "1/1m" } }));
