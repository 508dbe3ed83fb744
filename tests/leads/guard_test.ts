/** @module A KV connection that falls silent is replaced, and the silent one is closed. */

import assert from "node:assert/strict";
import { type KvAccess, KvGuard, KvTimeout } from "../../leads/kv/guard.ts";
import { FakeClock } from "../support/fake_clock.ts";

/** Connections that never answer; each knows whether it was closed. */
function silentConnections() {
  const opened: { closed: boolean }[] = [];
  return {
    opened,
    open(): Promise<KvAccess> {
      const connection = { closed: false };
      opened.push(connection);
      const never = () => new Promise<never>(() => {});
      return Promise.resolve(
        { get: never, close: () => connection.closed = true } as unknown as KvAccess,
      );
    },
  };
}

/** Reads once, and lets the time pass that is given to it. */
async function readInVain(guard: KvGuard, clock: FakeClock): Promise<void> {
  const read = guard.read((kv) => kv.get(["a"]));
  await new Promise((done) => setTimeout(done)); // the connection is opened
  clock.advance(clock.nextIn!);
  await assert.rejects(read, KvTimeout);
}

Deno.test("of connections that fall silent one after another, only the last stays open", async () => {
  const clock = new FakeClock();
  const { opened, open } = silentConnections();
  const guard = new KvGuard(open, clock);
  for (let minute = 0; minute < 5; minute++) {
    await readInVain(guard, clock);
    clock.advance(60_000);
    await readInVain(guard, clock);
  }
  assert.ok(opened.length >= 5, String(opened.length));
  assert.deepEqual(opened.map(({ closed }) => closed), [
    ...opened.slice(1).map(() => true),
    false,
  ]);
});

Deno.test("a database that is opened once is not closed when it is silent", async () => {
  const clock = new FakeClock();
  const { opened, open } = silentConnections();
  const only = open();
  const guard = new KvGuard(() => only, clock);
  for (let minute = 0; minute < 3; minute++) {
    clock.advance(60_000);
    await readInVain(guard, clock);
  }
  assert.deepEqual(opened, [{ closed: false }]);
});

Deno.test("an answer that comes too late shows all the same that KV is there: patience is back", async () => {
  const clock = new FakeClock();
  const late = Promise.withResolvers<unknown>();
  const kv = { get: () => late.promise } as unknown as KvAccess;
  const guard = new KvGuard(() => Promise.resolve(kv), clock);
  await readInVain(guard, clock);
  late.resolve({ value: null });
  await new Promise((done) => setTimeout(done));

  const next = guard.read(() => new Promise<never>(() => {}));
  await new Promise((done) => setTimeout(done));
  assert.strictEqual(clock.nextIn, 5_000);
  clock.advance(5_000);
  await assert.rejects(next, KvTimeout);
});
