/** @module Findings grouped by root cause, open, waived and stale. */

import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { type Finding, groupFindings } from "../../contract/oracle/finding.ts";
import { run } from "../../contract/run/run.ts";
import { applyWaivers, readWaivers, type Waiver } from "../../contract/run/waivers.ts";
import { planOf, respond, sendAlive, setUp, test } from "./small_service.ts";

const finding = (where: string, message = "405 lacks the header allow"): Finding => (
  { check: "response_headers", tier: "http", where, message }
);

const WAIVER: Waiver = {
  check: "response_headers",
  where: "PUT /a",
  message: "405 lacks",
  reason: "The proxy in front removes the header.",
  owner: "routes/http",
};

Deno.test("groupFindings() groups by rule and message", () => {
  const groups = groupFindings(["a", "b", "a", "c", "d", "e"].map((where) => finding(where)));
  deepEqual(groups.map(({ where }) => where), ["a, b, c and 2 more"]);
  equal(groups[0]!.findings.length, 6);
  equal(groupFindings([finding("a"), finding("a", "other")]).length, 2);
  // What is to be fixed first comes first; what did not come again comes last, with its severity;
  // what is a breach is no advice too.
  const checks = ["completeness", "allow_on_405", "body_schema", "no_server_error", "error_code"];
  const all = [...checks, "harness_error", "status_common"]
    .map((check) => ({ ...finding("a"), check, once: check === "body_schema" }));
  deepEqual(
    groupFindings(all).map(({ check }) => check),
    [
      ...["no_server_error", "allow_on_405", "error_code", "harness_error", "body_schema"],
      "completeness",
    ],
  );
});

Deno.test("applyWaivers() waives only the place and message of a waiver", () => {
  const findings = [finding("PUT /a"), finding("PUT /b"), finding("PUT /a", "status 500")];
  const { open, waived, stale } = applyWaivers(findings, { waivers: [WAIVER], tiers: ["http"] });
  deepEqual(open.map(({ where, message }) => [where, message]), [
    ["PUT /b", "405 lacks the header allow"],
    ["PUT /a", "status 500"],
  ]);
  deepEqual(waived.map(({ where, reason }) => [where, reason]), [["PUT /a", WAIVER.reason]]);
  deepEqual(stale, []);
  const wide = { ...WAIVER, where: "PUT /*", message: "* lacks" };
  const { waived: both } = applyWaivers(findings, { waivers: [wide], tiers: ["http"] });
  deepEqual(both.map(({ where, findings }) => [where, findings.length]), [["PUT /a, PUT /b", 2]]);
});

Deno.test("applyWaivers() reports stale waivers, unless their tier did not run", () => {
  const staleOf = (waiver: Waiver, tier: string) =>
    applyWaivers([], { waivers: [waiver], tiers: [tier] }).stale.length;
  equal(staleOf(WAIVER, "http"), 1);
  equal(staleOf({ ...WAIVER, tier: "raw" }, "http"), 0);
  equal(staleOf({ ...WAIVER, tier: "raw" }, "raw"), 1);
});

test("a waiver in a file waives a finding and needs a reason", async (folder) => {
  await using setting = setUp({
    override: ({ path }) =>
      path === "/api/alive" ? respond(200, {}, { "content-type": "text/json" }) : undefined,
  });
  const file = new URL("waivers.yaml", folder);
  async function isHeld(reason: string): Promise<boolean> {
    const row = `check: media_type, where: alive, message: 200 has, owner: x, reason: ${reason}`;
    await Deno.writeTextFile(file, `[{${row}}]\n`);
    const waivers = await readWaivers(file);
    return (await run({ ...planOf(setting.url, sendAlive), waivers })).passed;
  }
  equal((await run(planOf(setting.url, sendAlive))).passed, false);
  equal(await isHeld("This service is broken on purpose."), true);
  await rejects(isHeld("later"), /Cannot use waivers\.yaml:\n {2}waivers\.yaml:1: reason/);
});
