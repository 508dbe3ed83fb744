/** @module Findings grouped by root cause, open, waived and stale. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { type Finding, groupFindings } from "../../contract/finding.ts";
import { applyWaivers, type Waiver } from "../../contract/waivers.ts";

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
  // What is to be mended first comes first; what did not come again comes last, with its severity.
  const checks = ["completeness", "allow_on_405", "body_schema", "no_server_error", "error_code"];
  const all = checks.map((check) => ({ ...finding("a"), check, once: check === "body_schema" }));
  deepEqual(
    groupFindings(all).map(({ check }) => check),
    ["no_server_error", "allow_on_405", "error_code", "body_schema", "completeness"],
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
