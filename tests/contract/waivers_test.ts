/** @module Findings by root cause, and waivers as a ratchet both ways. */

import assert from "node:assert/strict";
import { type Finding, grouped } from "../../contract/finding.ts";
import { applyWaivers, readWaivers, type Waiver } from "../../contract/waivers.ts";

function finding(where: string, message = "405 lacks the header allow"): Finding {
  return { check: "response_headers", tier: "http", where, message };
}

const WAIVER: Waiver = {
  check: "response_headers",
  where: "PUT /a",
  message: "405 lacks",
  reason: "The proxy in front takes the header away.",
  owner: "routes/http",
};

Deno.test("one cause in many places is one group, which names the first and counts the rest", () => {
  const groups = grouped(["a", "b", "a", "c", "d", "e"].map((where) => finding(where)));
  assert.equal(groups.length, 1);
  assert.equal(groups[0]!.where, "a, b, c and 2 more");
  assert.equal(groups[0]!.findings.length, 6);
});

Deno.test("another message is another cause", () => {
  assert.equal(grouped([finding("a"), finding("a", "other")]).length, 2);
});

Deno.test("a waiver covers its place and message alone; what it does not name stays open", () => {
  const findings = [finding("PUT /a"), finding("PUT /b"), finding("PUT /a", "status 500")];
  const { open, waived, stale } = applyWaivers(findings, { waivers: [WAIVER], tiers: ["http"] });
  assert.deepEqual(open.map(({ where, message }) => [where, message]), [
    ["PUT /b", "405 lacks the header allow"],
    ["PUT /a", "status 500"],
  ]);
  assert.deepEqual(waived.map(({ where, reason }) => [where, reason]), [
    ["PUT /a", WAIVER.reason],
  ]);
  assert.deepEqual(stale, []);
});

Deno.test("a waiver that waives nothing any more is stale, unless its tier did not run", () => {
  const ran = { waivers: [WAIVER], tiers: ["http"] };
  assert.deepEqual(applyWaivers([], ran).stale, [WAIVER]);
  const other = { ...WAIVER, tier: "raw" };
  assert.deepEqual(applyWaivers([], { waivers: [other], tiers: ["http"] }).stale, []);
  assert.deepEqual(applyWaivers([], { waivers: [other], tiers: ["raw"] }).stale, [other]);
});

Deno.test("the committed list can be read, and an entry without a reason cannot", async () => {
  const text = await Deno.readTextFile(new URL("../../contract/waivers.yaml", import.meta.url));
  assert.ok(Array.isArray(readWaivers(text)));
  assert.deepEqual(readWaivers(""), []);
  assert.throws(
    () => readWaivers("- {check: a, where: b, message: c, owner: d, reason: later}"),
    /Cannot use waivers\.yaml:\n {2}waivers\.yaml:1: reason: /,
  );
});
