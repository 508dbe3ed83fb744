/** @module KvGuard: one deadline a call; after a timeout the connection is replaced and closed. */

import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { type KvAccess, KvGuard, NO_ANSWER, TooLarge } from "../../leads/kv/guard.ts";
import { AmbiguousCommit, KV_DEADLINE_MS } from "../../leads/ports.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { pause } from "../support/until.ts";

const NEVER = new Promise<never>(() => {});
const gone = () => Promise.reject(new Error("Gone"));
/** Deno throws a TypeError for every failure of SQLite. */
const ioError = () => Promise.reject(new TypeError("disk I/O error"));

function silentConnections() {
  const closed: boolean[] = [];
  function open(): Promise<KvAccess> {
    const nth = closed.push(false) - 1;
    const close = () => closed[nth] = true;
    return Promise.resolve({ get: () => NEVER, close } as unknown as KvAccess);
  }
  return { closed, open };
}

async function readInVain(guard: KvGuard, clock: FakeClock): Promise<void> {
  const read = guard.read((kv) => kv.get(["a"]));
  await pause(0); // the connection is opened
  equal(clock.nextIn, KV_DEADLINE_MS);
  clock.advance(KV_DEADLINE_MS - 1);
  equal(await Promise.race([read, pause(0)]), undefined);
  clock.advance(1);
  await rejects(read, { message: NO_ANSWER });
  equal(clock.nextIn, undefined);
}

Deno.test("after a timeout the connection is replaced once, and the previous one closed", async () => {
  const clock = new FakeClock();
  const { closed, open } = silentConnections();
  const guard = new KvGuard(open, clock);
  const together = Promise.allSettled([1, 2, 3].map(() => guard.read((kv) => kv.get(["a"]))));
  await pause(0); // the connection is opened
  clock.advance(KV_DEADLINE_MS);
  await together;
  for (let n = 0; n < 2; n++) await readInVain(guard, clock);
  await pause(0);
  deepEqual(closed, [true, true, false]);

  const only = open(); // a file is opened once
  const guardOfOne = new KvGuard(() => only, clock);
  for (let n = 0; n < 3; n++) await readInVain(guardOfOne, clock);
  equal(closed[3], false);
});

Deno.test("a connection that opens after its timeout is closed once another one is open", async () => {
  const clock = new FakeClock();
  const { closed, open } = silentConnections();
  const late = Promise.withResolvers<KvAccess>();
  const opening = [late.promise];
  const guard = new KvGuard(() => opening.pop() ?? open(), clock);
  const read = guard.read((kv) => kv.get(["a"]));
  clock.advance(KV_DEADLINE_MS);
  await rejects(read, { message: NO_ANSWER });
  late.resolve(await open());
  await pause(0);
  await readInVain(guard, clock);
  await pause(0);
  deepEqual(closed, [true, false]);
});

Deno.test("a commit that fails or gets no answer is ambiguous, unless it was not sent", async () => {
  using kv = await Deno.openKv(":memory:");
  const cases: readonly (readonly [open: () => Promise<KvAccess>, isAmbiguous: boolean])[] = [
    ...[() => NEVER, gone, ioError].map((commit) =>
      [() => Promise.resolve(kvWith(kv, { commit })), true] as const
    ),
    [gone, false],
  ];
  for (const [open, isAmbiguous] of cases) {
    const clock = new FakeClock();
    const commit = new KvGuard(open, clock).commit((kv) => kv.atomic().set(["a"], 1));
    const failure = commit.catch((error) => error);
    await pause(0);
    clock.advance(KV_DEADLINE_MS);
    equal(await failure instanceof AmbiguousCommit, isAmbiguous);
  }
});

Deno.test("a commit that is larger than KV allows has certainly not happened", async () => {
  using kv = await Deno.openKv(":memory:");
  const guard = new KvGuard(() => Promise.resolve(kvWith(kv, {})));
  const each = (count: number, add: (commit: Deno.AtomicOperation, key: Deno.KvKey) => unknown) =>
    guard.commit((kv) => {
      const commit = kv.atomic();
      for (let n = 0; n < count; n++) add(commit, ["a", n]);
      return commit;
    });
  await rejects(each(1, (commit, key) => commit.set(key, "x".repeat(70_000))), TooLarge);
  await rejects(each(1, (commit, key) => commit.set([...key, "x".repeat(3_000)], 1)), TooLarge);
  await rejects(each(1_001, (commit, key) => commit.set(key, 1)), TooLarge);
  await rejects(each(101, (commit, key) => commit.check({ key, versionstamp: null })), TooLarge);
  await rejects(each(20, (commit, key) => commit.set(key, "x".repeat(60_000))), TooLarge);
  await rejects(each(120, (commit, key) => commit.set([...key, "x".repeat(800)], 1)), TooLarge);
});

Deno.test("a commit that timed out before the database opened is not made afterwards", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = new FakeClock();
  const late = Promise.withResolvers<KvAccess>();
  const guard = new KvGuard(() => late.promise, clock);
  const commit = guard.commit((kv) => kv.atomic().set(["a"], 1));
  clock.advance(KV_DEADLINE_MS);
  await rejects(commit, { message: NO_ANSWER });
  late.resolve(kvWith(kv, {}));
  await pause(0);
  equal((await kv.get(["a"])).value, null);
});

Deno.test("a failed opening, and a commit while another process locks the file, are repeated", async () => {
  using kv = await Deno.openKv(":memory:");
  let tries = 0;
  const locked = kvWith(kv, {
    commit: (commit) =>
      ++tries < 3 ? Promise.reject(new TypeError("database is locked")) : commit(),
  });
  const openings = [gone, () => Promise.resolve(locked)];
  const guard = new KvGuard(() => openings.shift()!());
  const commit = () => guard.commit((kv) => kv.atomic().set(["a"], 1));
  await rejects(commit(), /Gone/);
  equal((await commit()).ok, true);
  equal(tries, 3);
});
