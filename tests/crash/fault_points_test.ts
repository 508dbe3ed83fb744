/**
 * @module A death at every call that intake and drain make, before and after its effect: what was
 * answered 200 is stored once and delivered, and what was not is wholly there or not at all.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { KvAccess } from "../../leads/kv/guard.ts";
import { type Run, runTo, type Scenario } from "./fault_world.ts";

/** A scenario with fewer points does not do what it is meant to. */
const FEWEST_POINTS = 8;

/** More than any scenario has: a run that never ends is an error of the test. */
const MOST_POINTS = 400;

const ONE = ["one.example"];

const SCENARIOS: readonly Scenario[] = [
  {
    name: "a lead that is delivered at once",
    targets: ONE,
    status: () => 204,
    end: "delivered",
    answers: [200],
    play: ({ send }) => send(),
  },
  {
    name: "a lead whose first try fails and whose second the drain makes",
    targets: ONE,
    status: (n) => n === 0 ? 503 : 204,
    end: "delivered",
    answers: [200],
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
    answers: [200],
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
    status: (n, host) => n === 0 && host === "two.example" ? 503 : 204,
    end: "delivered",
    answers: [200],
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
    answers: [200],
    play: ({ send }) => send(),
  },
  {
    name: "a lead, a copy of it during the first try and another one afterwards",
    targets: ONE,
    status: () => 204,
    end: "delivered",
    answers: [200, 200, 200],
    async play({ recorder, send, hold }) {
      const { arrived, release } = hold();
      const first = send();
      await arrived();
      const copy = send("192.0.2.9");
      await recorder.quiet();
      release();
      await Promise.all([first, copy]);
      await send("192.0.2.10");
    },
  },
  {
    name: "a lead whose commit happens unseen, because its answer gets lost",
    targets: ONE,
    status: () => 204,
    end: "delivered",
    answers: [200],
    wrapKv: (kv) => failingCommits(kv, { happen: true }),
    play: ({ send }) => send(),
  },
  {
    name: "a lead whose commit happens unseen and whose first try fails",
    targets: ONE,
    status: (n) => n === 0 ? 503 : 204,
    end: "delivered",
    answers: [200],
    wrapKv: (kv) => failingCommits(kv, { happen: true }),
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
    answers: [502],
    wrapKv: (kv) => failingCommits(kv, { happen: false }),
    play: ({ send }) => send(),
  },
];

/** A database whose commits fail once it has its secret, whether or not they happen. */
function failingCommits(kv: KvAccess, { happen }: { readonly happen: boolean }): KvAccess {
  let commits = 0;
  return {
    get: kv.get.bind(kv),
    getMany: kv.getMany.bind(kv),
    list: kv.list.bind(kv),
    atomic: () => {
      const operation = kv.atomic();
      const commit = operation.commit.bind(operation);
      operation.commit = async () => {
        const fails = ++commits === 2;
        const result = !fails || happen ? await commit() : undefined;
        if (fails || result === undefined) throw new Error("The connection was lost");
        return result;
      };
      return operation;
    },
  };
}

for (const scenario of SCENARIOS) {
  Deno.test(`${scenario.name}: the promise holds wherever the process dies`, async () => {
    const undisturbed = await runTo(Infinity, scenario);
    deepEqual([...undisturbed.answers], scenario.answers);
    judge(undisturbed, { mostDeliveries: 1 });

    let points = 0;
    let afterAnswer = 0;
    for (; points < MOST_POINTS; points++) {
      const run = await runTo(points, scenario);
      if (2 * run.recorder.calls.length <= points) break;
      // Twice only where the process died between the target's answer and the note of it.
      judge(run, { mostDeliveries: 2 });
      if (run.answers.length > 0) afterAnswer++;
    }
    // deno-lint-ignore no-console -- numbers that somebody wants to see
    console.log(`${points} points, ${afterAnswer} of them after an answer`);
    ok(points >= FEWEST_POINTS && points < MOST_POINTS, `${points} points`);
    equal(points, 2 * undisturbed.recorder.calls.length, "every run takes the same course");
  });
}

function judge(run: Run, { mostDeliveries }: { readonly mostDeliveries: number }): void {
  const { scenario, recorder, answers, visits, held } = run;
  const where = recorder.place;
  deepEqual(run.inconsistentAtDeath, [], where);
  deepEqual(run.inconsistentInTheEnd, [], where);

  const accepted = answers.includes(200);
  if (accepted) equal(held.length, 1, `stored once: ${where}`);
  else ok(held.length <= 1, `never stored twice: ${where}`);
  equal(run.heldAfterResending, 1, `sent again and still held once: ${where}`);

  const [lead] = held;
  if (lead === undefined) {
    // What is held nowhere is not delivered once its sender has been told so, or the process died.
    deepEqual(visits.slice(run.visitsAtDeath), [], `held nowhere, delivered later: ${where}`);
    if (!scenario.answers.includes(502)) deepEqual(visits, [], `delivered, not held: ${where}`);
    return;
  }
  ok(!answers.includes(502), `held in spite of a 502: ${where}`);
  for (const state of lead.states) equal(state, scenario.end, where);
  for (const host of scenario.targets) {
    const taken = visits.filter((visit) => visit.host === host && visit.status === 204);
    const ids = [...new Set(taken.map(({ id }) => id))];
    deepEqual(ids, scenario.end === "delivered" ? [lead.id] : [], where);
    ok(taken.length <= mostDeliveries, `${taken.length} deliveries: ${where}`);
  }
}
