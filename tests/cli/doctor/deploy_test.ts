/** @module The doctor where Deno Deploy is to run the service and no database is assigned. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { doctor, findingsIn } from "../../support/patient.ts";

Deno.test("a database that is not assigned is a failure, and the rest is examined", async () => {
  const report = await doctor(["--json"], {
    DENO_DEPLOY: "true",
    SITE_URL: "https://www.example.invalid",
  });
  equal(report.code, 1);
  const findings = findingsIn(report);
  const failed = findings.filter(({ state }) => state === "fail");
  deepEqual(failed.map(({ check }) => check), ["configuration"]);
  match(failed[0]!.message, /no KV database is assigned/);
  ok(!findings.some(({ check }) => check === "kv"), "what has been said is not said again");
  ok(findings.some(({ check, state }) => check === "site_url" && state === "ok"));
});
