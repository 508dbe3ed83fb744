/** @module What the panel of the docs would send makes no lead that anyone gets. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { reachesNoOne } from "../../static/assets/try.js";
import { stored } from "../support/sent_leads.ts";
import { LEAD, startApp } from "../support/test_app.ts";

const REAL = JSON.stringify(LEAD);
const TEST = JSON.stringify({ ...LEAD, email: "ada@example.invalid" });

const BODIES: readonly (readonly [body: string, isSent: boolean])[] = [
  [TEST, true],
  [TEST.replace(".invalid", ".INVALID"), true],
  [TEST.replace("}", ',"email":"eve@example.com"}'), false],
  [REAL, false],
  [REAL.replace("@", "\\u0040"), false],
  [REAL.replace(".com", ".com\\u0000.invalid"), true], // refused by the service
  [REAL.replace(".com", ".invalid."), false],
  [REAL.replace("}", ",}"), true],
  [`\uFEFF${REAL}`, true],
  [`\uD800${REAL}`, true],
  [`${REAL}\0`, true],
  [` \n${REAL}\t`, false],
  [`[${TEST}]`, false],
  ["null", false],
  ["", true],
];

Deno.test("the panel sends test addresses, and what the service cannot read; no lead is stored", async () => {
  await using app = await startApp();
  for (const [body, isSent] of BODIES) {
    equal(reachesNoOne(body), isSent, body);
    if (!isSent) continue;
    const headers = { "content-type": "application/json" };
    await (await app.request("/api/lead", { method: "POST", headers, body })).body?.cancel();
    deepEqual(await stored(app), [], body);
  }
  await (await app.postLead(LEAD)).body?.cancel();
  equal((await stored(app)).length, 1, "a real address would be");
});
