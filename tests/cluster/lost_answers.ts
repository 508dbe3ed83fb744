/**
 * @module Commits that may or may not have landed: a single failure is nobody's business, and what
 * has landed without an answer is found.
 *
 * Run by `deno task test:cluster`; the name ends without `_test` because `deno task test` must not
 * need denokv.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { recordsIn, said, settle, withPair } from "../support/settle.ts";

for (const fault of ["cut", "unavailable", "lose", "deny"] as const) {
  Deno.test(`a commit that fails once (${fault}) is no reason to tell anybody anything`, () =>
    withPair(async ({ machines, proxy, targeted, plain, ledger }) => {
      for (const machine of [plain, targeted]) {
        proxy.fail(fault, { calls: ["commit"], times: 1 });
        equal(said(await ledger.post(machine)), `200 ${machine.targeted}`);
      }
      await settle(ledger, { machines });
      equal(await recordsIn(machines), 4);
    }));
}

for (const fault of ["lose", "deny"] as const) {
  Deno.test(`a commit that lands without an answer (${fault}) is found by reading it back`, () =>
    withPair(async ({ machines, proxy, targeted, plain, ledger }) => {
      proxy.fail(fault, { calls: ["commit"] });
      const both = [targeted, plain];
      const answers = await Promise.all([...both, ...both, ...both].map((to) => ledger.post(to)));
      deepEqual(answers.map(({ status }) => status), Array(6).fill(200));
      equal(await recordsIn(machines), 8);
      proxy.heal();
      await settle(ledger, { machines });
      equal(await recordsIn(machines), 8);
    }));
}

Deno.test("a lead answered 502, sent again to another machine and answered 200, is one lead", () =>
  withPair(async ({ machines, proxy, plain, ledger }) => {
    const other = await machines.start({ KV_PATH: machines.denokv.url, LEAD_TARGETS: "" });
    const company = "Sent twice";
    proxy.fail("deny", { calls: ["commit", "read"] });
    equal(said(await ledger.post(plain, { company })), "502");
    // Its commit has landed all the same, and this machine sees it: for it the lead is a copy.
    equal(said(await ledger.post(other, { company })), "200 false");
    proxy.heal();
    await settle(ledger, { machines });
  }));
