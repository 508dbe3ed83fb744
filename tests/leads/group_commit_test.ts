/** @module Group commit: which leads share a commit, and the outcome of each. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { systemClock } from "../../leads/clock.ts";
import { GroupCommit, type Grouping, groupingAt, type Part } from "../../leads/kv/group_commit.ts";
import { KvGuard, KvTimeout } from "../../leads/kv/guard.ts";
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

/** A database whose commits wait until the gate is opened, and the number of checks of each. */
function createGate(kv: Deno.Kv) {
  const checks: number[] = [];
  const opened = Promise.withResolvers<void>();
  const gated = kvWith(kv, {
    async commit(commit) {
      await opened.promise;
      return await commit();
    },
  });
  function atomic(): Deno.AtomicOperation {
    const operation = gated.atomic();
    const nth = checks.push(0) - 1;
    const { check } = operation;
    operation.check = (...all) => {
      checks[nth]! += all.length;
      return check.apply(operation, all);
    };
    return operation;
  }
  const open = () => Promise.resolve({ ...gated, atomic });
  function group({ grouping = FILE, clock = systemClock } = {}): GroupCommit {
    return new GroupCommit(new KvGuard(open, clock), { grouping, clock });
  }
  return { kv, openKv: open, checks, group, open: opened.resolve };
}

async function withGate(test: (gate: ReturnType<typeof createGate>) => Promise<void>) {
  using kv = await Deno.openKv(":memory:");
  await test(createGate(kv));
}

/** Writes its name, which must be absent, and `writes` entries in all. */
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

/** Lets everything happen that does not wait for the gate. */
async function turn(): Promise<void> {
  for (let n = 0; n < 3; n++) await pause(0);
}

/** Leads that arrive together, and the checks of the resulting commits. */
const GROUPS: readonly (readonly [
  title: string,
  grouping: Grouping,
  parts: readonly Part[],
  checks: readonly number[],
])[] = [
  ["a file's commit has at most 40 leads", FILE, parts(90), [1, 1, 40, 40, 8]],
  ["a network commit has at most five", NETWORK, parts(70), [...Array(64).fill(1), 5, 1]],
  [
    "large parts are committed with few others or alone",
    FILE,
    [1, 1, 50, 50, 50, 50, 900, 1].map((writes, n) => part(String(n), writes)),
    [1, 1, 4, 1, 1],
  ],
];

for (const [title, grouping, together, checks] of GROUPS) {
  Deno.test(`GroupCommit: ${title}`, () =>
    withGate(async (gate) => {
      const group = gate.group({ grouping });
      const results = together.map((one) => group.commit(one));
      await turn();
      equal(gate.checks.length, grouping.flights); // no lead waits for others
      gate.open();
      equal((await Promise.all(results)).includes(null), false);
      deepEqual(gate.checks, checks);
    }));
}

Deno.test("parts with the same claim never share a commit: the second is refused", () =>
  withGate(async (gate) => {
    const group = gate.group();
    const results = ["x", "y", "a", "b", "a", "c"].map((name) => group.commit(part(name)));
    gate.open();
    const admitted = (await Promise.all(results)).map((versionstamp) => versionstamp !== null);
    deepEqual(admitted, [true, true, true, true, false, true]);
    deepEqual(gate.checks, [1, 1, 3, 1]);
  }));

/** What makes the commit of a group fail, and the outcome of that part alone. */
const ODD: readonly (readonly [title: string, odd: Partial<Part>, outcome: string | null])[] = [
  ["whose check fails", part("there"), null],
  ["that is too large", { addTo: (commit) => commit.set(["x"], "x".repeat(70_000)) }, "TooLarge"],
];

for (const [title, odd, outcome] of ODD) {
  Deno.test(`a part ${title} is refused alone; the others of its group are stored`, () =>
    withGate(async (gate) => {
      await gate.kv.set(["part", "there"], 1);
      const group = gate.group();
      const results = parts(12).map((one, n) => group.commit(n === 7 ? { ...one, ...odd } : one));
      gate.open();
      const outcomes = await Promise.all(results.map((one) => one.catch(({ name }) => name)));
      equal(outcomes[7], outcome);
      equal((await Array.fromAsync(gate.kv.list({ prefix: ["part"] }))).length, 1 + 11);
    }));
}

Deno.test("while KV does not answer, sent parts are ambiguous and the others time out", () =>
  withGate(async (gate) => {
    const clock = new FakeClock();
    const group = gate.group({ clock });
    const results = Promise.allSettled(parts(200).map((one) => group.commit(one)));
    await turn();
    clock.advance(KV_DEADLINE_MS); // the first commits time out, and the next ones are sent
    await turn();
    equal(gate.checks.length, 2 * FILE.flights);
    clock.advance(clock.nextIn!);
    const reasons = (await results).map((result) => result.status === "rejected" && result.reason);
    const ambiguous = FILE.flights + FILE.flights * FILE.most;
    ok(reasons.slice(0, ambiguous).every((reason) => reason instanceof AmbiguousCommit));
    ok(reasons.slice(ambiguous).every((reason) => reason instanceof KvTimeout), "never sent");
    equal(gate.checks.length, 2 * FILE.flights);
  }));

/** The largest lead that the schema and the length of a target's address allow. */
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

for (const targets of [0, 10, 30, 120]) {
  Deno.test(`the largest leads with ${targets} targets are within KV's limits of a commit`, () =>
    withGate(async ({ openKv, checks, open }) => {
      open();
      const store = createKvStore({
        open: openKv,
        now: Date.now,
        sealer: new Sealer([{ id: "key", key: crypto.getRandomValues(new Uint8Array(32)) }]),
        retentionMs: 90 * 86_400_000,
        grouping: FILE,
      });
      const results = Array.from({ length: 60 }, (_, n) => {
        const limit = { client: `${n}`.padEnd(43, "c"), arrival: Date.now() + 1_000, seen: null };
        return store.accept(limit, largest(n, targets));
      });
      equal((await Promise.all(results)).includes(null), false);
      if (targets < 100) ok(checks.length < 60, `${checks.length} commits`);
    }));
}
