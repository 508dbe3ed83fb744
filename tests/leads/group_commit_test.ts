/** @module Leads that go together in one commit, and what each of them hears of it. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { type Clock, systemClock } from "../../leads/clock.ts";
import { GroupCommit, type Grouping, groupingAt, type Part } from "../../leads/kv/group_commit.ts";
import { type KvAccess, KvGuard, KvTimeout } from "../../leads/kv/guard.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { Sealer } from "../../leads/sealing.ts";
import { AmbiguousCommit, KV_DEADLINE_MS } from "../../leads/store.ts";
import { recordOf } from "../support/delivering.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { pause } from "../support/until.ts";

const FILE = groupingAt("/data/leads.sqlite");
const NETWORK = groupingAt("https://kv.example.com");

/** A database whose commits wait for a gate. */
interface Gate {
  readonly kv: Deno.Kv;
  readonly access: KvAccess;
  /** How much each commit checks and writes. */
  readonly commits: { checks: number; writes: number }[];
  /** Lets commits through; with `lose` their answers get lost. */
  open(options?: { readonly lose: boolean }): void;
}

async function withGate(test: (gate: Gate) => Promise<void>): Promise<void> {
  using kv = await Deno.openKv(":memory:");
  const commits: Gate["commits"] = [];
  const opened = Promise.withResolvers<void>();
  let isLost = false;
  const held = kvWith(kv, {
    async commit(commit) {
      await opened.promise;
      const result = await commit();
      if (isLost) throw new Error("The connection broke off");
      return result;
    },
  });
  function atomic(): Deno.AtomicOperation {
    const operation = held.atomic();
    const seen = { checks: 0, writes: 0 };
    commits.push(seen);
    const { check, set } = operation;
    operation.check = (...checks) => {
      seen.checks += checks.length;
      return check.apply(operation, checks);
    };
    operation.set = (...args) => {
      seen.writes++;
      return set.apply(operation, args);
    };
    return operation;
  }
  function open({ lose } = { lose: false }): void {
    isLost = lose;
    opened.resolve();
  }
  await test({ kv, access: { ...held, atomic }, commits, open });
}

function groupOn(
  { access }: Gate,
  { grouping = FILE, clock = systemClock }: { grouping?: Grouping; clock?: Clock } = {},
): GroupCommit {
  return new GroupCommit(new KvGuard(() => Promise.resolve(access), clock), { grouping, clock });
}

/** Writes its name, which must not be there yet, and so many entries in all. */
function part(name: string, writes = 1): Part {
  return {
    claims: [name],
    writes,
    addTo(commit) {
      commit.check({ key: ["part", name], versionstamp: null });
      for (let n = 0; n < writes; n++) commit.set(n === 0 ? ["part", name] : ["part", name, n], n);
    },
  };
}

function parts(count: number): Part[] {
  return Array.from({ length: count }, (_, n) => part(String(n)));
}

/** Lets all that does not wait for the gate happen. */
async function turn(): Promise<void> {
  for (let n = 0; n < 3; n++) await pause(0);
}

/** What comes in at once, what is admitted, and the checks of the commits that are made of it. */
const GROUPS: readonly (readonly [
  what: string,
  grouping: Grouping,
  parts: readonly Part[],
  checks: readonly number[],
])[] = [
  ["leads share the next commit", FILE, parts(30), [1, 1, 28]],
  ["no commit of a file has more than 40 leads", FILE, parts(90), [1, 1, 40, 40, 8]],
  [
    "no commit over the network has more than five",
    NETWORK,
    parts(70),
    [...Array(64).fill(1), 5, 1],
  ],
  [
    "what writes much goes with few, and what writes more than that goes alone",
    FILE,
    [1, 1, 50, 50, 50, 50, 900, 1].map((writes, n) => part(String(n), writes)),
    [1, 1, 4, 1, 1],
  ],
];

for (const [what, grouping, together, checks] of GROUPS) {
  Deno.test(what, () =>
    withGate(async (gate) => {
      const group = groupOn(gate, { grouping });
      const results = together.map((one) => group.commit(one));
      await turn();
      equal(gate.commits.length, grouping.flights); // no lead waits for company
      gate.open();
      equal((await Promise.all(results)).includes(null), false);
      deepEqual(gate.commits.map((commit) => commit.checks), checks);
    }));
}

Deno.test("two that check the same never go together: one of them is refused", () =>
  withGate(async (gate) => {
    const group = groupOn(gate);
    const results = ["x", "y", "a", "b", "a", "c"].map((name) => group.commit(part(name)));
    gate.open();
    const admitted = (await Promise.all(results)).map((versionstamp) => versionstamp !== null);
    deepEqual(admitted, [true, true, true, true, false, true]);
    deepEqual(gate.commits.map(({ checks }) => checks), [1, 1, 3, 1]);
  }));

Deno.test("a part whose check fails is refused alone; its neighbours are held", () =>
  withGate(async (gate) => {
    await gate.kv.set(["part", "7"], "was there before");
    const group = groupOn(gate);
    const results = parts(12).map((one) => group.commit(one));
    gate.open();
    const versionstamps = await Promise.all(results);
    deepEqual(versionstamps.flatMap((one, n) => one === null ? [n] : []), [7]);
    equal((await gate.kv.get(["part", "7"])).value, "was there before");
    equal((await Array.fromAsync(gate.kv.list({ prefix: ["part"] }))).length, 12);
  }));

Deno.test("when the commit of a group is ambiguous, each of its leads is told so", () =>
  withGate(async (gate) => {
    const group = groupOn(gate);
    const results = Promise.allSettled(parts(12).map((one) => group.commit(one)));
    gate.open({ lose: true });
    for (const result of await results) {
      ok(result.status === "rejected" && result.reason instanceof AmbiguousCommit);
    }
  }));

Deno.test("while KV does not answer, no lead waits for its turn longer than for an answer", () =>
  withGate(async (gate) => {
    const clock = new FakeClock();
    const group = groupOn(gate, { clock });
    const results = Promise.allSettled(parts(200).map((one) => group.commit(one)));
    await turn();
    clock.advance(KV_DEADLINE_MS); // what is under way is given up, and the next ones have their turn
    await turn();
    equal(gate.commits.length, 2 * FILE.flights);
    clock.advance(clock.nextIn!);
    const reasons = (await results).map((result) => result.status === "rejected" && result.reason);
    const ambiguous = FILE.flights + FILE.flights * FILE.most;
    ok(reasons.slice(0, ambiguous).every((reason) => reason instanceof AmbiguousCommit));
    ok(reasons.slice(ambiguous).every((reason) => reason instanceof KvTimeout), "surely not held");
    equal(gate.commits.length, 2 * FILE.flights);
  }));

/** As large as the schema and the address of a target admit, and different from each other. */
function largest(n: number, targets: number): LeadRecord {
  const now = Date.now();
  const deliveries = Array.from({ length: targets }, (_, nth) => [
    `${nth}.`.padEnd(253, "x"),
    { state: "waiting", due: now, tries: [] },
  ]);
  const message = "\u{1}".repeat(2000); // six bytes each in JSON, which is what is sealed
  return {
    ...recordOf({ email: "x".repeat(254), company: "\u{1F600}".repeat(120), message }),
    id: `${n}`.padStart(36, "0"),
    deliveries: Object.fromEntries(deliveries),
    index: { same: `${n}`.padEnd(43, "s"), email: `${n}`.padEnd(43, "e") },
  };
}

for (const targets of [0, 1, 10, 30, 120]) {
  Deno.test(`the largest leads with ${targets} targets are within what KV takes at once`, () =>
    withGate(async ({ access, commits, open }) => {
      open();
      const store = createKvStore({
        open: () => Promise.resolve(access),
        now: Date.now,
        sealer: new Sealer([{ id: "key", key: crypto.getRandomValues(new Uint8Array(32)) }]),
        retentionMs: 90 * 86_400_000,
        grouping: FILE,
      });
      const results = Array.from({ length: 60 }, (_, n) =>
        store.accept(
          { client: `${n}`.padEnd(43, "c"), arrival: Date.now() + 1_000, seen: null },
          largest(n, targets),
        ));
      equal((await Promise.all(results)).includes(null), false);
      if (targets < 100) ok(commits.length < 60, `${commits.length} commits`);
    }));
}
