/** @module rewriteDaily(): once a day by one process, and again soon after a failure. */

import { deepStrictEqual as deepEqual, rejects } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import { Sealer } from "../../leads/sealing.ts";
import { FakeClock } from "../support/fake_clock.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

async function createWorld() {
  const clock = new FakeClock();
  const began = clock.now();
  const kv = await Deno.openKv(":memory:");
  const store = createKvStore({
    open: () => Promise.resolve(kv),
    now: clock.now,
    sealer: new Sealer([]),
    retentionMs: 90 * DAY,
  });
  /** The times of the rewrites since the start. */
  const done: number[] = [];
  const record = () => Promise.resolve(void done.push(clock.now() - began));
  const run = (rewrite = record) => store.rewriteDaily(rewrite);
  return { clock, kv, done, run, [Symbol.dispose]: () => kv.close() };
}

Deno.test("rewriteDaily() is due a day after the first start, then daily, and if its time is too far ahead", async () => {
  using world = await createWorld();
  const { clock, kv, done, run } = world;
  for (let hour = 0; hour <= 72; hour++) {
    await run();
    clock.advance(60 * MINUTE);
  }
  deepEqual(done, [DAY, 2 * DAY, 3 * DAY]);
  await kv.set(keys.rewrite(), clock.now() + DAY + 1);
  deepEqual(await run(), true);
});

Deno.test("rewriteDaily() runs in one of several processes, and again ten minutes after a failure", async () => {
  using world = await createWorld();
  const { clock, done, run } = world;
  await run();
  clock.advance(DAY);
  await rejects(run(() => Promise.reject(new Error("the disk is full"))), /the disk is full/);
  clock.advance(9 * MINUTE);
  deepEqual(await run(), false);
  clock.advance(MINUTE);
  const answers = await Promise.all([run(), run(), run()]);
  deepEqual(answers.filter((ran) => ran).length, 1);
  deepEqual(done, [DAY + 10 * MINUTE]);
});
