/** @module What the panel of the docs would send makes no lead that anyone gets. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { reachesNoOne } from "../../static/assets/try.js";
import { stored } from "../support/sent_leads.ts";
import { LEAD, startApp } from "../support/test_app.ts";

const REAL = JSON.stringify(LEAD);
const TEST = JSON.stringify({ ...LEAD, email: "ada@example.invalid" });

/** Bodies that the panel sends: to test addresses, or refused by the service. */
const SENT = [
  ...[TEST, TEST.replace(".invalid", ".INVALID"), REAL.replace(".com", ".com\\u0000.invalid")],
  ...[REAL.replace("}", ",}"), `\uFEFF${REAL}`, `\uD800${REAL}`, `${REAL}\0`, ""],
];
const NOT_SENT = [
  ...[REAL, TEST.replace("}", ',"email":"eve@example.com"}'), REAL.replace("@", "\\u0040")],
  ...[REAL.replace(".com", ".invalid."), ` \n${REAL}\t`, `[${TEST}]`, "null"],
];

Deno.test("the panel sends test addresses, and what the service cannot read; no lead is stored", async () => {
  await using app = await startApp();
  for (const body of NOT_SENT) equal(reachesNoOne(body), false, body);
  for (const body of SENT) {
    equal(reachesNoOne(body), true, body);
    const headers = { "content-type": "application/json" };
    await (await app.request("/api/lead", { method: "POST", headers, body })).body?.cancel();
    deepEqual(await stored(app), [], body);
  }
  await (await app.postLead(LEAD)).body?.cancel();
  equal((await stored(app)).length, 1, "a real address would be");
});
