/** @module The schedule of retries. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Delivery } from "../../leads/lead.ts";
import { afterTry, parseRetryAfter, pauseAfter } from "../../leads/retry.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const HOUR = 3_600_000;
const FRESH: Delivery = { state: "waiting", due: NOW, tries: [] };

function after(delivery: Delivery, outcome: Parameters<typeof afterTry>[1], now = NOW): Delivery {
  return afterTry(delivery, outcome, { startedAt: now - 40, now, random: 0.5 });
}

Deno.test("the schedule is that of the Standard Webhooks specification", () => {
  const seconds = Array.from({ length: 10 }, (_, tries) => {
    const pause = pauseAfter(tries + 1, { random: 0.5 });
    return pause === null ? null : pause / 1000;
  });
  deepEqual(seconds, [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400, null]);
});

Deno.test("pauses are spread by 20 % either way", () => {
  equal(pauseAfter(2, { random: 0 }), 240_000);
  equal(pauseAfter(2, { random: 1 }), 360_000);
});

Deno.test("a receiver's Retry-After is honoured where it is longer than the pause", () => {
  equal(pauseAfter(1, { retryAfterMs: 60_000, random: 0.5 }), 60_000);
  equal(pauseAfter(2, { retryAfterMs: 1_000, random: 0.5 }), 300_000);
});

Deno.test("a receiver cannot put a lead off for more than a day", () => {
  equal(pauseAfter(1, { retryAfterMs: 365 * 24 * HOUR, random: 0.5 }), 24 * HOUR);
});

Deno.test("tries that fail spread over at least 72 hours and then end as a dead letter", () => {
  let delivery = FRESH;
  let now = NOW;
  while (delivery.state === "waiting") {
    now = Math.max(now, delivery.due);
    delivery = after(delivery, { result: "http_503" }, now);
  }
  equal(delivery.state, "dead");
  equal(delivery.tries.length, 10);
  ok(now - NOW >= 72 * HOUR, `only ${(now - NOW) / HOUR} h`);
});

Deno.test("an acknowledgement ends the delivery", () => {
  const delivery = after(FRESH, { result: "ok" });
  equal(delivery.state, "delivered");
  deepEqual(delivery.tries, [{ at: NOW - 40, durationMs: 40, result: "ok" }]);
});

Deno.test("a refusal for good is a dead letter at once", () => {
  equal(after(FRESH, { result: "http_410", permanent: true }).state, "dead");
});

for (
  const [field, expected] of [
    [null, undefined],
    ["30", 30_000],
    [" 30 ", 30_000],
    ["0", 0],
    ["-5", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["Sat, 21 Nov 2026 12:01:00 GMT", 60_000],
    ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
  ] as const
) {
  Deno.test(`Retry-After ${JSON.stringify(field)} means ${expected} ms`, () => {
    equal(parseRetryAfter(field, NOW), expected);
  });
}
