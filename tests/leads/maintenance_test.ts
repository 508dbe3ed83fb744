/** @module The file is rewritten once a day by one process, and again soon where that did not work. */

import { deepStrictEqual as deepEqual, rejects } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import { Sealer } from "../../leads/sealing.ts";
import { FakeClock } from "../support/fake_clock.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

interface World {
  readonly clock: FakeClock;
  readonly kv: Deno.Kv;
  /** When it was rewritten, since the beginning. */
  readonly done: number[];
  /** Asks once, as each process does every minute. */
  ask(rewrite?: () => Promise<void>): Promise<boolean>;
}

async function withWorld(test: (world: World) => Promise<void>): Promise<void> {
  const clock = new FakeClock();
  const began = clock.now();
  const kv = await Deno.openKv(":memory:");
  const done: number[] = [];
  const note = () => Promise.resolve(void done.push(clock.now() - began));
  const store = createKvStore({
    open: () => Promise.resolve(kv),
    now: clock.now,
    sealer: new Sealer([]),
    retentionMs: 90 * DAY,
  });
  const ask = (rewrite = note) => store.rewriteDaily(rewrite);
  try {
    await test({ clock, kv, done, ask });
  } finally {
    kv.close();
  }
}

Deno.test("it is due a day after the first start, and each day from then on", () =>
  withWorld(async ({ clock, done, ask }) => {
    for (let hour = 0; hour <= 72; hour++) {
      await ask();
      clock.advance(60 * MINUTE);
    }
    deepEqual(done, [DAY, 2 * DAY, 3 * DAY]);
  }));

Deno.test("of processes that ask at once, one does it", () =>
  withWorld(async ({ clock, done, ask }) => {
    await ask();
    clock.advance(DAY);
    const answers = await Promise.all([ask(), ask(), ask()]);
    deepEqual(answers.filter((did) => did).length, 1);
    deepEqual(done, [DAY]);
  }));

Deno.test("where it fails, or the process dies at it, it is due again ten minutes later", () =>
  withWorld(async ({ clock, done, ask }) => {
    await ask();
    clock.advance(DAY);
    await rejects(ask(() => Promise.reject(new Error("the disk is full"))), /the disk is full/);
    clock.advance(9 * MINUTE);
    deepEqual(await ask(), false);
    clock.advance(MINUTE);
    deepEqual(await ask(), true);
    deepEqual(done, [DAY + 10 * MINUTE]);
  }));

Deno.test("a time further ahead than a day is that of a wrong clock: it is due now", () =>
  withWorld(async ({ clock, kv, done, ask }) => {
    await kv.set(keys.rewrite(), clock.now() + DAY + 1);
    deepEqual(await ask(), true);
    deepEqual(done, [0]);
  }));
