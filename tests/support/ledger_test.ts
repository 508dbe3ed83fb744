/** @module Ledger.problems() reports every kind of contradiction, and nothing else. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { webhookIdOf } from "../../leads/delivery/webhook_id.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { recordOf } from "./delivering.ts";
import { Ledger } from "./ledger.ts";
import { LEAD } from "./test_app.ts";

function record(id: string, state: "delivered" | "waiting" = "delivered"): LeadRecord {
  return { ...recordOf(), id, deliveries: { target: { state, due: 0, attempts: [] } } };
}

/** The id of every record here at the receiver. */
const ID = webhookIdOf(record("1"));

/** A lead's statuses, records, ids at the receiver, expected problems, and how long the answers took. */
const CASES: readonly (readonly [
  statuses: readonly number[],
  stored: readonly LeadRecord[],
  delivered: readonly string[],
  problems: readonly string[],
  ms?: number,
])[] = [
  [[200], [record("1")], [ID], []],
  [[200], [], ["2"], []],
  [[0, 200], [record("1")], [ID], []],
  [[502], [record("1")], [ID], []],
  [[502], [], [], []],
  [[0], [], [], []],
  [[200], [], [], ["stored nowhere", "not delivered"]],
  [[200], [record("1")], [], ["not delivered"]],
  [[502], [record("1", "waiting")], [], ["not delivered", "not marked as delivered"]],
  [[0], [record("1"), record("2")], [ID], ["stored 2 times"]],
  [[200], [record("1")], [ID, ID], ["delivered 2 times"]],
  [[200], [record("1")], ["2"], ["2 ids at the receiver"]],
  [[200], [], ["1", "2"], ["delivered 2 times", "2 ids at the receiver"]],
  [[], [record("1")], [], ["never sent"]],
  [[502], [], [], [], 34_000],
  [[502], [], [], ["answered too late"], 34_001],
];

Deno.test("Ledger.problems() compares answers with stored and delivered leads", async () => {
  const { company } = LEAD;
  for (const [statuses, stored, delivered, expected, ms = 0] of CASES) {
    const ledger = new Ledger();
    for (const status of statuses) {
      ledger.answers.push({ company, status, delivered: undefined, ms, targeted: true });
    }
    const problems = await ledger.problems({
      store: { all: () => ReadableStream.from(stored)[Symbol.asyncIterator]() },
      received: delivered.map((id) => ({
        method: "POST",
        path: "/",
        headers: { "webhook-id": id },
        body: JSON.stringify({ data: { company } }),
      })),
    });
    deepEqual(problems.map((problem) => problem.split(": ")[1]), expected, `answered ${statuses}`);
  }
});
