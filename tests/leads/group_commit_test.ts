/** @module Group commit: which leads share a commit, and the outcome of each. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { systemClock } from "../../lib/clock.ts";
import {
  type CommitPart,
  createGroupCommit,
  type GroupCommit,
  type Grouping,
  groupingAt,
} from "../../leads/kv/group_commit.ts";
import { KvFailure } from "../../leads/kv/error_reasons.ts";
import { KvGuard, NO_ANSWER } from "../../leads/kv/guard.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { NEW_CLIENT } from "../../leads/rate_limit.ts";
import { Sealer } from "../../leads/sealing.ts";
import { AmbiguousCommit, KV_DEADLINE_MS } from "../../leads/ports.ts";
import { recordOf } from "../support/delivering.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { test } from "../support/store_world.ts";
import { pause } from "../support/until.ts";

const FILE = groupingAt("/data/leads.sqlite");
const NETWORK = groupingAt("https://kv.example.com");

/** A database whose commits wait until the gate is opened, and how many parts each of them has. */
function createGate(kv: Deno.Kv) {
  const commits: number[] = [];
  const opened = Promise.withResolvers<void>();
  const gated = kvWith(kv, { commit: (commit) => opened.promise.then(commit) });
  const access = { ...gated, atomic: () => (commits.push(0), gated.atomic()) };
  function group({ grouping = FILE, clock = systemClock } = {}): GroupCommit {
    const guard = new KvGuard(() => Promise.resolve(access), clock);
    return createGroupCommit(guard, { grouping, clock });
  }
  function part(name: string): CommitPart {
    return {
      claims: [name],
      addTo(commit) {
        commits.push(commits.pop()! + 1);
        commit.check({ key: ["part", name], versionstamp: null }).set(["part", name], 1);
      },
    };
  }
  const parts = (count: number) => Array.from({ length: count }, (_, n) => part(String(n)));
  return { kv, commits, group, part, parts, open: opened.resolve };
}

async function withGate(test: (gate: ReturnType<typeof createGate>) => Promise<void>) {
  using kv = await Deno.openKv(":memory:");
  await test(createGate(kv));
}

/** Lets everything happen that does not wait for the gate. */
async function turn(): Promise<void> {
  for (let n = 0; n < 3; n++) await pause(0);
}

const GROUPS: readonly [title: string, Grouping, leads: number, commits: number[]][] = [
  ["a file's commit has at most 40 leads", FILE, 90, [1, 1, 40, 40, 8]],
  ["a network commit at most five", NETWORK, 70, [...Array(64).fill(1), 5, 1]],
];

for (const [title, grouping, leads, commits] of GROUPS) {
  Deno.test(`GroupCommit: ${title}`, () =>
    withGate(async (gate) => {
      const group = gate.group({ grouping });
      const results = gate.parts(leads).map((part) => group(part));
      await turn();
      equal(gate.commits.length, grouping.flights); // no lead waits for others
      gate.open();
      equal((await Promise.all(results)).includes(null), false);
      deepEqual(gate.commits, commits);
    }));
}

Deno.test("parts with the same claim never share a commit: the second is refused", () =>
  withGate(async (gate) => {
    const group = gate.group();
    const results = ["x", "y", "a", "b", "a", "c"].map((name) => group(gate.part(name)));
    gate.open();
    const admitted = (await Promise.all(results)).map((versionstamp) => versionstamp !== null);
    deepEqual(admitted, [true, true, true, true, false, true]);
    deepEqual(gate.commits, [1, 1, 3, 1]);
  }));

const ODD: readonly [title: string, value: string, outcome: string | null][] = [
  ["whose check fails", "", null],
  ["that is too large", "x".repeat(70_000), "TooLarge"],
];

for (const [title, value, outcome] of ODD) {
  Deno.test(`a part ${title} is refused alone; the others of its group are stored`, () =>
    withGate(async ({ kv, group: createGroup, part, parts, open }) => {
      await kv.set(["there"], 1);
      const odd: CommitPart = {
        ...part("odd"),
        addTo: (commit) => commit.check({ key: ["there"], versionstamp: null }).set(["x"], value),
      };
      const group = createGroup();
      const results = [...parts(7), odd, part("8")].map((one) => group(one));
      open();
      const outcomes = await Promise.all(results.map((one) => one.catch(({ name }) => name)));
      equal(outcomes[7], outcome);
      equal((await Array.fromAsync(kv.list({ prefix: ["part"] }))).length, 8);
    }));
}

Deno.test("while KV does not answer, sent parts are ambiguous and the others time out", () =>
  withGate(async (gate) => {
    const clock = new FakeClock();
    const group = gate.group({ clock });
    const results = Promise.allSettled(gate.parts(200).map((one) => group(one)));
    await turn();
    clock.advance(KV_DEADLINE_MS); // the first commits time out, and the next ones are sent
    await turn();
    equal(gate.commits.length, 2 * FILE.flights);
    clock.advance(clock.nextIn!);
    const reasons = (await results).map((result) => result.status === "rejected" && result.reason);
    const ambiguous = FILE.flights + FILE.flights * FILE.most;
    ok(reasons.slice(0, ambiguous).every((reason) => reason instanceof AmbiguousCommit));
    const unsent = reasons.slice(ambiguous);
    ok(unsent.every((reason) => reason instanceof KvFailure && reason.message === NO_ANSWER));
    equal(gate.commits.length, 2 * FILE.flights);
  }));

/** The largest lead that the schema and the length of a target's address allow. */
function largest(n: number, targets: number): LeadRecord {
  const now = Date.now();
  const deliveries = Array.from({ length: targets }, (_, nth) => [
    `${nth}.`.padEnd(253, "x"),
    { state: "waiting", due: now, attempts: [] },
  ]);
  const message = "\u{1}".repeat(2000); // six bytes each in JSON, which is what is sealed
  return {
    ...recordOf({ email: "x".repeat(254), company: "\u{1F600}".repeat(120), message }),
    id: `${n}`.padStart(36, "0"),
    deliveries: Object.fromEntries(deliveries),
    index: { same: `${n}`.padEnd(43, "s"), email: `${n}`.padEnd(43, "e") },
  };
}

for (const targets of [0, 10, 30, 120]) {
  test(`the largest leads with ${targets} targets are within KV's limits of a commit`, async ({ calls, storeWith }) => {
    const sealer = new Sealer([{ id: "key", key: crypto.getRandomValues(new Uint8Array(32)) }]);
    const { accept } = storeWith({ now: Date.now, grouping: FILE, sealer });
    const results = Array.from({ length: 60 }, (_, n) => {
      const limit = { client: `${n}`.padEnd(43, "c"), state: NEW_CLIENT, seen: null };
      return accept(limit, largest(n, targets));
    });
    ok((await Promise.all(results)).every((result) => typeof result === "string"));
    equal(calls.every((call) => call === "commit"), true, "a lead takes one round trip");
    if (targets <= 10) ok(calls.length < 60, `${calls.length} commits`);
  });
}
