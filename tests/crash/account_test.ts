/** @module The accounting finds every kind of broken promise, and nothing in what is kept. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { LeadRecord } from "../../leads/lead.ts";
import { account } from "./account.ts";
import type { Answer, Sent } from "./senders.ts";

const LEAD = { email: "ada@example.com", company: "Example GmbH", message: "Hello" };

function record(id: string, lead: Partial<typeof LEAD> = {}): LeadRecord {
  return {
    id,
    receivedAt: 0,
    expiresAt: 1,
    lead: { ...LEAD, ...lead, locale: "en" },
    deliveries: {},
    index: { same: "", email: "" },
  };
}

function taken(id: string, lead: Partial<typeof LEAD> = {}) {
  return { id, data: { id, ...LEAD, ...lead } };
}

/** Answers, what is stored, what was delivered, and what is wrong with it. */
const CASES: readonly (readonly [
  answers: Answer[],
  stored: LeadRecord[],
  delivered: ReturnType<typeof taken>[],
  wrong: string[],
])[] = [
  [[200], [record("1")], [taken("1")], []],
  [[200], [record("1")], [taken("1"), taken("1")], []],
  [["lost", 200], [record("1")], [taken("1")], []],
  [[502, 200], [record("1")], [taken("1")], []],
  [["lost"], [record("1")], [taken("1")], []],
  [["lost"], [], [], []],
  [[502, "lost"], [record("1")], [taken("1")], []],
  [[502], [], [], []],
  [[200], [], [], ["answered 200, not stored", "answered 200, not delivered"]],
  [[200], [record("1")], [], ["answered 200, not delivered", "stored, not delivered"]],
  [[200], [], [taken("1")], ["answered 200, not stored", "delivered, not stored"]],
  [["lost"], [record("1")], [], ["stored, not delivered"]],
  [["lost"], [record("1"), record("2")], [taken("1")], ["stored 2 times"]],
  [[502], [record("1")], [taken("1")], [
    "answered 502, yet stored",
    "answered 502, yet delivered",
  ]],
  [[429], [], [], ["answered 429"]],
  [[200], [record("1")], [taken("2")], ["delivered under the id 2"]],
  [[200], [record("1")], [taken("1", { message: "Bye" })], ["delivered with other content"]],
  [[200], [record("1", { company: "X" })], [taken("1")], ["stored with other content"]],
];

for (const [answers, stored, delivered, wrong] of CASES) {
  const name = `${answers.join(" then ")}, ${stored.length} stored, ${delivered.length} delivered`;
  Deno.test(`${name}: ${wrong.join("; ") || "kept"}`, () => {
    const sent: Sent[] = [{ lead: LEAD, answers }];
    const { violations } = account(sent, { stored, taken: delivered });
    deepEqual(violations.map(({ what }) => what), wrong);
  });
}

Deno.test("a lead that was never sent is a violation", () => {
  const { violations } = account([], { stored: [record("1")], taken: [] });
  deepEqual(violations, [{ lead: LEAD.email, ids: [], what: "nobody sent it" }]);
});
