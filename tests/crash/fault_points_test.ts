/**
 * @module A death at every call that intake and drain make, before and after its effect: what was
 * answered 200 is stored once and delivered, and what was not is wholly there or not at all.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { KvAccess } from "../../leads/kv/guard.ts";
import { kvWith } from "../support/kv_with.ts";
import { type Run, runTo, type Scenario, type Stage } from "./fault_world.ts";

/** A scenario with fewer points does not do what it is meant to. */
const FEWEST_POINTS = 8;

/** More than any scenario has: a run that never ends is an error of the test. */
const MOST_POINTS = 400;

const ONE = ["one.example"];

/** The commit that several leads share: before it come the store's secret and two leads. */
const SHARED = 4;

const SCENARIOS: readonly Scenario[] = [
  {
    name: "a lead that is delivered at once",
    targets: ONE,
    status: () => 204,
    end: "delivered",
    answers: [[200]],
    play: ({ send }) => send(),
  },
  {
    name: "a lead whose first try fails and whose second the drain makes",
    targets: ONE,
    status: ({ n }) => n === 0 ? 503 : 204,
    end: "delivered",
    answers: [[200]],
    async play({ send, alarm }) {
      await send();
      await alarm();
    },
  },
  {
    name: "a lead whose answer does not wait for a slow target",
    targets: ONE,
    status: () => 204,
    end: "delivered",
    answers: [[200]],
    async play({ app, send, hold }) {
      const { arrived, release } = hold();
      const answer = send();
      await arrived();
      app.clock.advance(app.config.leadInlineTimeoutMs);
      await answer;
      release();
    },
  },
  {
    name: "a lead with two targets, one of which fails at first",
    targets: ["one.example", "two.example"],
    status: ({ n, host }) => n === 0 && host === "two.example" ? 503 : 204,
    end: "delivered",
    answers: [[200]],
    async play({ send, alarm }) {
      await send();
      await alarm();
    },
  },
  {
    name: "a lead that its target refuses for good",
    targets: ONE,
    status: () => 410,
    end: "dead",
    answers: [[200]],
    play: ({ send }) => send(),
  },
  {
    name: "a lead, a copy of it during the first try and another one afterwards",
    targets: ONE,
    status: () => 204,
    end: "delivered",
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
    name: "a lead whose commit happens unseen, because its answer gets lost",
    targets: ONE,
    status: () => 204,
    end: "delivered",
    answers: [[200]],
    wrapKv: (kv) => failingCommit(kv, { nth: 2, happens: true }),
    play: ({ send }) => send(),
  },
  {
    name: "a lead whose commit happens unseen and whose first try fails",
    targets: ONE,
    status: ({ n }) => n === 0 ? 503 : 204,
    end: "delivered",
    answers: [[200]],
    wrapKv: (kv) => failingCommit(kv, { nth: 2, happens: true }),
    async play({ send, alarm }) {
      await send();
      await alarm();
    },
  },
  {
    name: "a lead that neither the database nor the target takes",
    targets: ONE,
    status: () => 503,
    end: "delivered",
    answers: [[502]],
    wrapKv: (kv) => failingCommit(kv, { nth: 2, happens: false }),
    play: ({ send }) => send(),
  },
  {
    name: "leads that share a commit",
    targets: ONE,
    status: () => 204,
    end: "delivered",
    answers: Array(5).fill([200]),
    together: 3,
    play: sendFive,
  },
  {
    name: "leads that share a commit which happens unseen",
    targets: ONE,
    status: () => 204,
    end: "delivered",
    answers: Array(5).fill([200]),
    together: 3,
    wrapKv: (kv) => failingCommit(kv, { nth: SHARED, happens: true }),
    play: sendFive,
  },
  {
    name: "leads that share a commit which fails, while no target takes any",
    targets: ONE,
    status: ({ alive }) => alive ? 503 : 204,
    end: "delivered",
    answers: [[200], [200], [502], [502], [502]],
    wrapKv: (kv) => failingCommit(kv, { nth: SHARED, happens: false }),
    play: sendFive,
  },
  {
    name: "leads that share a commit with a copy, and so are committed alone after all",
    targets: ONE,
    status: () => 204,
    end: "delivered",
    answers: [[200, 200], [200], [200], [200], [200]],
    together: 1,
    async play({ send }) {
      await send(0);
      await Promise.all([send(1), send(2), send(3), send(0, "192.0.2.9"), send(4)]);
    },
  },
];

/** The first two go alone, the others together. */
async function sendFive({ send }: Stage): Promise<void> {
  await Promise.all([0, 1, 2, 3, 4].map((n) => send(n)));
}

/** A database whose n-th commit fails, whether or not it happens. */
function failingCommit(
  kv: KvAccess,
  { nth, happens }: { readonly nth: number; readonly happens: boolean },
): KvAccess {
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

/** Deaths between the answers of leads that came together: how many a scenario has depends on timing. */
let betweenAnswers = 0;

for (const scenario of SCENARIOS) {
  Deno.test(`${scenario.name}: the promise holds wherever the process dies`, async () => {
    const undisturbed = await runTo(Infinity, scenario);
    deepEqual(undisturbed.fates.map(({ answers }) => answers), scenario.answers);
    if (scenario.together !== undefined) equal(undisturbed.together, scenario.together);
    judge(undisturbed, { mostDeliveries: 1 });

    let points = 0;
    let afterAnswer = 0;
    for (; points < MOST_POINTS; points++) {
      const run = await runTo(points, scenario);
      if (2 * run.recorder.calls.length <= points) break;
      // Twice only where the process died between the target's answer and the note of it.
      judge(run, { mostDeliveries: 2 });
      if (run.fates.some(({ answers }) => answers.length > 0)) afterAnswer++;
    }
    ok(points >= FEWEST_POINTS && points < MOST_POINTS, `${points} points`);
    if (scenario.answers.length > 1) betweenAnswers += afterAnswer;
    equal(points, 2 * undisturbed.recorder.calls.length, "every run takes the same course");
  });
}

Deno.test("some processes die between the answers of leads that came together", () => {
  ok(betweenAnswers > 0);
});

function judge(run: Run, { mostDeliveries }: { readonly mostDeliveries: number }): void {
  const where = run.recorder.place;
  deepEqual(run.inconsistentAtDeath, [], where);
  deepEqual(run.inconsistentInTheEnd, [], where);
  for (const [n, fate] of run.fates.entries()) {
    const { answers, held, visits } = fate;
    const lead = `lead ${n}, ${where}`;
    if (answers.includes(200)) equal(held.length, 1, `stored once: ${lead}`);
    else ok(held.length <= 1, `never stored twice: ${lead}`);
    equal(fate.heldAfterResending, 1, `sent again and still held once: ${lead}`);

    const [record] = held;
    if (record === undefined) {
      // What is held nowhere is not delivered once its sender has been told so, or the process died.
      deepEqual(fate.visitsAfterDeath, [], `held nowhere, delivered later: ${lead}`);
      const mayVisit = run.scenario.answers[n]!.includes(502);
      if (!mayVisit) deepEqual(visits, [], `delivered, not held: ${lead}`);
      continue;
    }
    for (const state of record.states) equal(state, run.scenario.end, lead);
    for (const host of run.scenario.targets) {
      const taken = visits.filter((visit) => visit.host === host && visit.status === 204);
      const ids = [...new Set(taken.map(({ id }) => id))];
      deepEqual(ids, run.scenario.end === "delivered" ? [record.id] : [], lead);
      ok(taken.length <= mostDeliveries, `${taken.length} deliveries: ${lead}`);
    }
  }
}
