/** @module The attempts limit: exact across threads, bounded, and hard to flush. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { Attempts, sharedAttempts } from "../../leads/attempts.ts";
import { take } from "../../leads/rate_limit.ts";
import type { Hammering } from "../support/hammer.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const LIMIT = { count: 5, windowMs: 60_000 };

/** The n-th of 2^24 addresses. */
function address(n: number): string {
  return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
}

Deno.test("each address has its allowance, and gets it back as the algorithm says", () => {
  const attempts = new Attempts(LIMIT);
  for (const who of ["192.0.2.1", "2001:db8:1:2::/64"]) {
    let arrival = 0;
    for (const now of [0, 0, 0, 0, 0, 0, 11_999, 12_000, 12_000, 72_000].map((ms) => NOW + ms)) {
      const expected = take(LIMIT, { arrival, now });
      deepEqual(attempts.take(who, now), expected);
      arrival = expected.arrival;
    }
  }
});

Deno.test("an address that spent its attempts while the clock was a day ahead waits a window at most", () => {
  const attempts = new Attempts(LIMIT);
  const DAY = 86_400_000;
  for (let n = 0; n < LIMIT.count; n++) attempts.take("192.0.2.1", NOW + DAY);
  const admitted = [0, 0, 11_000, 12_000, 12_000, 72_000].map((ms) =>
    attempts.take("192.0.2.1", NOW + ms).allowed
  );
  deepEqual(admitted, [false, false, false, true, false, true]);
});

Deno.test("two tables on the same memory are one, on their own two", () => {
  const memory = sharedAttempts();
  const admitted = (tables: readonly Attempts[]) =>
    tables.flatMap((table) => Array.from({ length: 9 }, () => table.take("192.0.2.1", NOW)))
      .filter(({ allowed }) => allowed).length;
  equal(admitted([new Attempts(LIMIT, memory), new Attempts(LIMIT, memory)]), LIMIT.count);
  equal(admitted([new Attempts(LIMIT), new Attempts(LIMIT)]), 2 * LIMIT.count);
});

Deno.test("a million addresses at one moment free nobody who is at the limit, in a table of 4 MiB", () => {
  const memory = sharedAttempts();
  ok(memory.byteLength < 4.1 * 2 ** 20);
  const attempts = new Attempts(LIMIT, memory);
  const spent = Array.from({ length: 1_000 }, (_, n) => `192.0.2.${n}`);
  for (const who of spent) for (let n = 0; n < LIMIT.count; n++) attempts.take(who, NOW);
  // Four times as many as there are slots, none of them at rest, and in vain.
  for (let n = 0; n < 1_000_000; n++) ok(attempts.take(address(n), NOW).allowed);
  equal(spent.filter((who) => attempts.take(who, NOW).allowed).length, 0);
});

Deno.test("who is forgotten because others have spent more starts anew, and nobody is refused for it", () => {
  const attempts = new Attempts(LIMIT);
  attempts.take("192.0.2.1", NOW);
  for (let n = 0; n < 1_000_000; n++) {
    for (let time = 0; time < 2; time++) ok(attempts.take(address(n), NOW).allowed);
  }
  equal(attempts.take("192.0.2.1", NOW).remaining, LIMIT.count - 1);
});

Deno.test("65,000 clients at work at the same time are all remembered", () => {
  const attempts = new Attempts(LIMIT);
  for (let n = 0; n < 65_000; n++) attempts.take(address(n), NOW);
  let remembered = 0;
  for (let n = 0; n < 65_000; n++) {
    if (attempts.take(address(n), NOW).remaining === LIMIT.count - 2) remembered++;
  }
  // By the odds of the table's size; the key is random.
  ok(remembered > 64_900, String(remembered));
});

Deno.test("a flood of addresses that ask once takes memory for those at work alone", () => {
  const memory = sharedAttempts();
  const attempts = new Attempts(LIMIT, memory);
  // One a millisecond, and each back at rest after 12 s: 12,000 at work in 16,384 buckets.
  for (let n = 0; n < 240_000; n++) attempts.take(address(n), NOW + n);
  const pages = new Set<number>();
  new Uint32Array(memory).forEach((word, n) => word === 0 || pages.add(n >> 10));
  ok(pages.size * 4096 < 1.7 * 2 ** 20, `${pages.size} pages`);
});

for (
  const [what, addresses] of [["one address", 1], ["addresses never seen", 20_000]] as const
) {
  Deno.test(`threads that hammer ${what} at once are admitted to the unit`, async () => {
    const memory = sharedAttempts();
    const start = new SharedArrayBuffer(4);
    const threads = 4;
    const order: Hammering = {
      memory,
      start,
      threads,
      allowance: { count: 1_000, windowMs: 3_600_000 },
      now: NOW,
      addresses,
      // Twice what one address may, or just enough of each to meet at its first slot.
      times: addresses === 1 ? 500 : 1,
    };
    const admitted = await Promise.all(Array.from({ length: threads }, () => hammer(order)));
    const total = admitted.reduce((sum, each) => sum + each.reduce((a, b) => a + b), 0);
    if (addresses === 1) return equal(total, 1_000);
    // Had two threads made a slot each for one address, it would have more left than this.
    const table = new Attempts(order.allowance, memory);
    const odd = Array.from({ length: addresses }, (_, n) => table.take(address(n), NOW).remaining)
      .filter((remaining) => remaining !== 1_000 - threads - 1);
    equal(odd.length, 0);
  });
}

/** Runs one thread; what it was admitted, by address. */
async function hammer(order: Hammering): Promise<number[]> {
  const thread = new Worker(new URL("../support/hammer.ts", import.meta.url), { type: "module" });
  const { promise, resolve } = Promise.withResolvers<number[]>();
  thread.onmessage = ({ data }) => data === "here" ? thread.postMessage(order) : resolve(data);
  const admitted = await promise;
  thread.terminate();
  return admitted;
}
