/** @module Leads that go together in one commit, and what each of them hears of it. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { type Clock, systemClock } from "../../leads/clock.ts";
import { GroupCommit, type Grouping, groupingAt, type Part } from "../../leads/kv/group_commit.ts";
import { type KvAccess, KvGuard, KvTimeout } from "../../leads/kv/guard.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { Sealer } from "../../leads/sealing.ts";
import { AmbiguousCommit, KV_DEADLINE_MS } from "../../leads/store.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { pause } from "../support/until.ts";

const FILE = groupingAt("/data/leads.sqlite");
const NETWORK = groupingAt("https://kv.example.com");

/** What a test sees and does between a store and its database. */
interface Gate {
  readonly access: KvAccess;
  /** How much each commit checks and writes. */
  readonly commits: { checks: number; writes: number }[];
  /** Lets commits through, which are held back until then. */
  open(): void;
  /** From now on the answer to a commit gets lost, before or after it has happened. */
  lose(how: "before" | "after"): void;
}

function gated(kv: Deno.Kv): Gate {
  const commits: { checks: number; writes: number }[] = [];
  const opened = Promise.withResolvers<void>();
  let lost: "before" | "after" | undefined;
  const held = kvWith(kv, {
    async commit(commit) {
      await opened.promise;
      if (lost === "before") throw new Error("The connection broke off");
      const result = await commit();
      if (lost === "after") throw new Error("The connection broke off");
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
  const access = { ...held, atomic };
  return { access, commits, open: () => opened.resolve(), lose: (how) => lost = how };
}

/** Runs a test with a database behind a gate. */
async function withGate(test: (gate: Gate & { readonly kv: Deno.Kv }) => Promise<void>) {
  const kv = await Deno.openKv(":memory:");
  try {
    await test({ kv, ...gated(kv) });
  } finally {
    kv.close();
  }
}

function groupOn(
  access: KvAccess,
  { grouping = FILE, clock = systemClock }: { grouping?: Grouping; clock?: Clock } = {},
): GroupCommit {
  const guard = new KvGuard(() => Promise.resolve(access), clock);
  return new GroupCommit(guard, { grouping, clock });
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

function parts(count: number, writes?: number): Part[] {
  return Array.from({ length: count }, (_, n) => part(String(n), writes));
}

/** Lets all that does not wait for the gate happen. */
async function turn(): Promise<void> {
  for (let n = 0; n < 3; n++) await pause(0);
}

Deno.test("what comes in while commits are under way goes together with the next one", () =>
  withGate(async ({ access, commits, open }) => {
    const group = groupOn(access);
    const results = parts(30).map((one) => group.commit(one));
    await turn();
    equal(commits.length, FILE.flights); // nobody has waited for company
    deepEqual(commits.map(({ checks }) => checks), [1, 1]);
    open();
    const versionstamps = await Promise.all(results);
    deepEqual(commits.map(({ checks }) => checks), [1, 1, 28]);
    equal(new Set(versionstamps).size, 3);
    equal(versionstamps.includes(null), false);
  }));

for (const [place, grouping] of Object.entries({ FILE, NETWORK })) {
  Deno.test(`${place}: no commit is larger than the database takes`, () =>
    withGate(async ({ access, commits, open }) => {
      const group = groupOn(access, { grouping });
      const results = parts(300).map((one) => group.commit(one));
      await turn();
      equal(commits.length, grouping.flights);
      open();
      equal((await Promise.all(results)).includes(null), false);
      equal(Math.max(...commits.map(({ checks }) => checks)), grouping.most);
      ok(2 * grouping.most <= (grouping === FILE ? 100 : 10)); // a lead has two checks
    }));
}

Deno.test("what writes much goes with few, and what writes more than that goes alone", () =>
  withGate(async ({ access, commits, open }) => {
    const group = groupOn(access);
    const sizes = [1, 1, 50, 50, 50, 50, 900, 1];
    const results = sizes.map((writes, n) => group.commit(part(String(n), writes)));
    open();
    equal((await Promise.all(results)).includes(null), false);
    deepEqual(commits.map(({ writes }) => writes), [1, 1, 151, 50, 900]);
  }));

Deno.test("two that check the same never go together: one of them is refused", () =>
  withGate(async ({ access, commits, open }) => {
    const group = groupOn(access);
    const names = ["x", "y", "a", "b", "a", "c"];
    const results = names.map((name) => group.commit(part(name)));
    open();
    const admitted = (await Promise.all(results)).map((versionstamp) => versionstamp !== null);
    deepEqual(admitted, [true, true, true, true, false, true]);
    deepEqual(commits.map(({ checks }) => checks), [1, 1, 3, 1]);
  }));

Deno.test("a part whose check fails is refused alone; its neighbours are held", () =>
  withGate(async ({ kv, access, open }) => {
    await kv.set(["part", "7"], "was there before");
    const group = groupOn(access);
    const results = parts(12).map((one) => group.commit(one));
    open();
    const versionstamps = await Promise.all(results);
    deepEqual(versionstamps.flatMap((one, n) => one === null ? [n] : []), [7]);
    equal((await kv.get(["part", "7"])).value, "was there before");
    equal((await Array.fromAsync(kv.list({ prefix: ["part"] }))).length, 12);
  }));

Deno.test("when the outcome of a group is unknown, each of its leads gets AmbiguousCommit", () =>
  withGate(async ({ access, open, lose }) => {
    const group = groupOn(access);
    const results = Promise.allSettled(parts(12).map((one) => group.commit(one)));
    lose("after");
    open();
    for (const result of await results) {
      equal(result.status, "rejected");
      ok(result.status === "rejected" && result.reason instanceof AmbiguousCommit);
    }
  }));

Deno.test("while KV does not answer, no lead waits for its turn longer than for an answer", () =>
  withGate(async ({ access, commits }) => {
    const clock = new FakeClock();
    const group = groupOn(access, { clock });
    const results = Promise.allSettled(parts(200).map((one) => group.commit(one)));
    await turn();
    equal(commits.length, FILE.flights);
    clock.advance(KV_DEADLINE_MS); // what is under way is given up, and the next ones have their turn
    await turn();
    equal(commits.length, 2 * FILE.flights);
    clock.advance(clock.nextIn!);
    const reasons = (await results).map((result) => result.status === "rejected" && result.reason);
    const unknown = FILE.flights + FILE.flights * FILE.most;
    ok(reasons.slice(0, unknown).every((reason) => reason instanceof AmbiguousCommit));
    ok(reasons.slice(unknown).every((reason) => reason instanceof KvTimeout), "surely not held");
    equal(commits.length, 2 * FILE.flights);
  }));

/** As large as the schema and the address of a target admit, and different from each other. */
function largest(n: number, targets: number): LeadRecord {
  const now = Date.now();
  const deliveries = Array.from({ length: targets }, (_, nth) => [
    `${nth}.`.padEnd(253, "x"),
    { state: "waiting", due: now, tries: [] },
  ]);
  return {
    id: `${n}`.padStart(36, "0"),
    receivedAt: now,
    expiresAt: now + 90 * 86_400_000,
    lead: {
      email: "x".repeat(254),
      company: "\u{1F600}".repeat(120),
      message: "\u{1}".repeat(2000), // six bytes each in JSON, which is what is sealed
      plan: "enterprise",
      locale: "en",
    },
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
