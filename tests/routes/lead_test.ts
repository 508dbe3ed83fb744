/**
 * @module POST /api/lead (specification §4 createLead). Its errors are in `documented_answers_test.ts`, its
 * limits and deliveries in the contract's tiers `limits` and `faults`.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { LeadResponse } from "../../schemas/lead.ts";
import { mustBe } from "../support/must_be.ts";
import { startReceiver } from "../support/receiver.ts";
import { LEAD, startApp, type TestApp } from "../support/test_app.ts";

/** The body of a 200; fails on any other status. */
async function accepted(response: Response): Promise<LeadResponse> {
  equal(response.status, 200);
  equal(response.headers.get("content-type"), "application/json");
  equal(response.headers.get("cache-control"), "no-store");
  equal(response.headers.get("retry-after"), null);
  return mustBe(LeadResponse, await response.json());
}

async function storedLeads({ store }: TestApp) {
  return (await Array.fromAsync(store.all())).map(({ lead }) => lead);
}

Deno.test("an accepted lead is stored with all its fields but the honeypot", async () => {
  await using app = await startApp();
  const lead = { ...LEAD, message: "Zwei\nZeilen: „Grüße“ 🌍", plan: "hosted" };
  const response = await app.postLead({ ...lead, website: "" });
  deepEqual(await accepted(response), { ok: true, delivered: false });
  deepEqual(await storedLeads(app), [lead]);
});

Deno.test("a test lead is accepted, but neither stored nor delivered", async () => {
  await using receiver = startReceiver();
  const { url, received } = receiver;
  await using app = await startApp({ env: { LEAD_TARGETS: url } });
  for (const email of ["test@example.invalid", "test@EXAMPLE.Invalid", "test@invalid"]) {
    const response = await app.postLead({ ...LEAD, email });
    deepEqual(await accepted(response), { ok: true, delivered: false });
  }
  deepEqual([await storedLeads(app), received], [[], []]);
  await accepted(await app.postLead({ ...LEAD, email: "test@notinvalid" }));
  equal((await storedLeads(app)).length, 1);
});
