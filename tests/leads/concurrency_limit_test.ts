/** @module ConcurrencyLimit: slots that follow what a target takes. */

import { ok, strictEqual as equal } from "node:assert/strict";
import { ConcurrencyLimit } from "../../leads/concurrency_limit.ts";

/** Attempts in rounds: as many at once as there are slots. */
function rounds(
  limit: ConcurrencyLimit,
  { count, ms, from = 0, failed = false }: {
    readonly count: number;
    readonly ms: number;
    readonly from?: number;
    readonly failed?: boolean;
  },
): number {
  let now = from;
  for (let round = 0; round < count; round++) {
    const startedAt = now;
    now += ms;
    for (let left = limit.slots; left > 0; left--) limit.note({ startedAt, now, failed });
  }
  return now;
}

Deno.test("a round of successes is one more slot, from eight up to the most", () => {
  const limit = new ConcurrencyLimit(64);
  equal(String(limit.slots), "8");
  rounds(limit, { count: 4, ms: 100 });
  const { slots } = limit;
  ok([11, 12].includes(slots), `${slots} slots`);
  rounds(limit, { count: 100, ms: 100 });
  equal(String(limit.slots), "64");
  equal(new ConcurrencyLimit(3).slots, 3);
});

Deno.test("a round of failures halves the slots once, to one at last", () => {
  const limit = new ConcurrencyLimit(64);
  const now = rounds(limit, { count: 1, ms: 100, failed: true });
  equal(limit.slots, 4);
  rounds(limit, { count: 9, ms: 100, from: now, failed: true });
  equal(limit.slots, 1);
});

Deno.test("answers that take twice as long halve the slots, until that is how long they take", () => {
  const limit = new ConcurrencyLimit(64);
  let now = rounds(limit, { count: 20, ms: 100 });
  const before = limit.slots;
  now = rounds(limit, { count: 4, ms: 400, from: now });
  ok(limit.slots <= before / 2, `${before}, ${limit.slots}`);
  rounds(limit, { count: 2_000, ms: 400, from: now });
  equal(limit.slots, 64);
});

Deno.test("answers within milliseconds are not compared", () => {
  const limit = new ConcurrencyLimit(64);
  const now = rounds(limit, { count: 20, ms: 1 });
  const before = limit.slots;
  rounds(limit, { count: 5, ms: 40, from: now });
  ok(limit.slots > before);
});

Deno.test("after a pause there is one slot, then half as many as before at double speed", () => {
  const limit = new ConcurrencyLimit(64);
  let now = rounds(limit, { count: 100, ms: 10 });
  limit.restart(now);
  equal(limit.slots, 1);
  const steps = [1, 2, 3, 4, 5].map(() => {
    now = rounds(limit, { count: 1, ms: 10, from: now });
    return limit.slots;
  });
  equal(String(steps), "2,4,8,16,32");
  equal(limit.isRecovering, false);
});
