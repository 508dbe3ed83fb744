/** @module rewriteDaily(): once a day by one process, and again soon after a failure. */

import { deepStrictEqual as deepEqual, rejects, strictEqual as equal } from "node:assert/strict";
import { keys } from "../../leads/kv/keys.ts";
import { withStore } from "../support/store_world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DONE = () => Promise.resolve();

Deno.test("rewriteDaily() is due a day after the first start, then daily, and if its time is too far ahead", () =>
  withStore(async ({ clock, kv, store, damage }) => {
    const hours: number[] = [];
    for (let hour = 0; hour <= 72; hour++) {
      if (await store.rewriteDaily(DONE)) hours.push(hour);
      clock.advance(60 * MINUTE);
    }
    deepEqual(hours, [24, 48, 72]);
    await kv.set(keys.rewrite(), clock.now() + DAY + 1);
    equal(await store.rewriteDaily(DONE), true);
    damage(keys.rewrite());
    equal(await store.rewriteDaily(DONE), false, "a damaged time is replaced");
    clock.advance(DAY);
    equal(await store.rewriteDaily(DONE), true);
  }));

Deno.test("rewriteDaily() runs in one of several processes, and again ten minutes after a failure", () =>
  withStore(async ({ clock, store }) => {
    await store.rewriteDaily(DONE);
    clock.advance(DAY);
    const full = () => Promise.reject(new Error("the disk is full"));
    await rejects(store.rewriteDaily(full), /the disk is full/);
    clock.advance(9 * MINUTE);
    equal(await store.rewriteDaily(DONE), false);
    clock.advance(MINUTE);
    const ran = await Promise.all([1, 2, 3].map(() => store.rewriteDaily(DONE)));
    equal(ran.filter((one) => one).length, 1);
  }));
