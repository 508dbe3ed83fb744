/** @module A crash at every call of intake and drain: answered leads are stored once and delivered. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { webhookIdOf } from "../../leads/delivery/webhook_id.ts";
import type { KvAccess } from "../../leads/kv/guard.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { kvWith } from "../support/kv_with.ts";
import { leadOf } from "../support/sent_leads.ts";
import { ONE, type Run, runTo, type Scenario, type Stage } from "./fault_world.ts";

/** Every scenario has more points than the one bound and fewer than the other. */
const FEWEST_POINTS = 8;
const MOST_POINTS = 400;

/** The number of the shared commit, after those of the secret and of two leads. */
const SHARED = 4;

const SCENARIOS: readonly Scenario[] = [
  {
    name: "a lead with two targets, one of which fails once",
    targets: ["one.example", "two.example"],
    status: ({ n, host }) => n === 0 && host === "two.example" ? 503 : 204,
    answers: [[200]],
    async play({ send, alarm }) {
      await send();
      await alarm();
    },
  },
  {
    name: "a lead, and duplicates during and after the first attempt",
    answers: [[200, 200, 200]],
    async play({ recorder, send, hold }) {
      const { arrived, release } = hold();
      const first = send();
      await arrived();
      const copy = send(0, "192.0.2.9");
      await recorder.quiet();
      release();
      await Promise.all([first, copy]);
      await send(0, "192.0.2.10");
    },
  },
  {
    name: "a lead that is sent again after a dead letter",
    diesFirst: true,
    status: ({ n }) => n === 0 ? 410 : 204,
    answers: [[200, 200]],
    async play({ send }) {
      await send();
      await send(0, "192.0.2.9");
    },
  },
  {
    name: "a lead whose commit loses its answer",
    answers: [[200]],
    wrapKv: (kv) => failingCommit(kv, { nth: 2, happens: true }),
    play: ({ send }) => send(),
  },
  { name: "leads that share a commit", answers: Array(5).fill([200]), together: 3, play: sendFive },
  {
    name: "leads whose shared commit fails, while the target fails",
    status: ({ alive }) => alive ? 503 : 204,
    answers: [[200], [200], [502], [502], [502]],
    wrapKv: (kv) => failingCommit(kv, { nth: SHARED, happens: false }),
    play: sendFive,
  },
  {
    name: "leads that share a commit with a duplicate, and so are committed alone",
    answers: [[200, 200], [200], [200], [200], [200]],
    together: 1,
    async play({ send }) {
      await send(0);
      await Promise.all([send(1), send(2), send(3), send(0, "192.0.2.9"), send(4)]);
    },
  },
];

async function sendFive({ send }: Stage): Promise<void> {
  await Promise.all([0, 1, 2, 3, 4].map((n) => send(n)));
}

function failingCommit(kv: KvAccess, { nth, happens }: { nth: number; happens: boolean }) {
  let commits = 0;
  return kvWith(kv, {
    async commit(commit) {
      const fails = ++commits === nth;
      const result = !fails || happens ? await commit() : undefined;
      if (fails || result === undefined) throw new Error("The connection was lost");
      return result;
    },
  });
}

for (const scenario of SCENARIOS) {
  Deno.test(`a crash at any point: ${scenario.name}`, async () => {
    const undisturbed = await runTo(Infinity, scenario);
    deepEqual(undisturbed.answers, scenario.answers);
    if (scenario.together !== undefined) equal(undisturbed.together, scenario.together);
    judge(undisturbed, { mostDeliveries: 1 });

    let points = 0;
    for (; points < MOST_POINTS; points++) {
      const run = await runTo(points, scenario);
      if (2 * run.recorder.calls.length <= points) break;
      // Twice only after a crash between the target's response and its record.
      judge(run, { mostDeliveries: 2 });
    }
    ok(points >= FEWEST_POINTS && points < MOST_POINTS, `${points} points`);
    // Outcomes that come while a commit is in flight share the next one.
    const calls = undisturbed.recorder.calls.length;
    ok(Math.abs(points - 2 * calls) <= 4, `${points} points, ${calls} calls`);
  });
}

function judge(run: Run, { mostDeliveries }: { readonly mostDeliveries: number }): void {
  const where = run.recorder.place;
  deepEqual(run.inconsistencies, [], where);
  for (const [n, answers] of run.answers.entries()) {
    const lead = `lead ${n}, ${where}`;
    const { company } = leadOf(n);
    const ofLead = (records: readonly LeadRecord[]) =>
      records.filter((record) => record.lead.company === company);
    const stored = ofLead(run.stored);
    const all = run.visits.filter((visit) => visit.company === company);
    const visits = all.filter(({ phase }) => phase !== "sent again");
    if (answers.includes(200)) equal(stored.length, 1, `stored once: ${lead}`);
    else ok(stored.length <= 1, `stored at most once: ${lead}`);
    equal(ofLead(run.storedAfterResending).length, 1, `sent again and stored once: ${lead}`);
    ok(new Set(all.map(({ webhookId }) => webhookId)).size <= 1, `one id at the targets: ${lead}`);

    const [record] = stored;
    if (record === undefined) {
      // An unstored lead is not delivered after its 502 or the crash.
      const later = visits.filter(({ phase }) => phase === "after it");
      deepEqual(later, [], `unstored, but delivered later: ${lead}`);
      const mayVisit = run.scenario.answers[n]!.includes(502);
      if (!mayVisit) deepEqual(visits, [], `delivered, but not stored: ${lead}`);
      continue;
    }
    const states = Object.values(record.deliveries).map(({ state }) => state);
    if (run.scenario.diesFirst && answers.length < 2 && states.includes("dead")) continue;
    for (const state of states) equal(state, "delivered", lead);
    for (const host of run.scenario.targets ?? [ONE]) {
      const taken = visits.filter((visit) => visit.host === host && visit.status === 204);
      const ids = new Set(taken.map(({ webhookId }) => webhookId));
      deepEqual(ids, new Set([webhookIdOf(record)]), lead);
      ok(taken.length <= mostDeliveries, `${taken.length} deliveries: ${lead}`);
    }
  }
}
