/** @module The retry policy. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { attemptCount, type Delivery, newRound } from "../../leads/lead.ts";
import { afterAttempt, type DeliveryOutcome, parseRetryAfter } from "../../leads/retry.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const HOUR = 3_600_000;
const FRESH: Delivery = { state: "waiting", due: NOW, attempts: [] };

function after(delivery: Delivery, outcome: DeliveryOutcome, { now = NOW, random = 0.5 } = {}) {
  return afterAttempt(delivery, outcome, { startedAt: now - 40, now, random });
}

Deno.test("afterAttempt() follows the schedule of Standard Webhooks, ±20 %, to a dead letter", () => {
  const pauses: number[] = [];
  let delivery = FRESH;
  for (let now = NOW; delivery.state === "waiting"; now = delivery.due) {
    delivery = after(delivery, { result: "http_503" }, { now });
    pauses.push((delivery.due - now) / 1_000);
  }
  deepEqual(pauses, [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400, 0]);
  deepEqual([delivery.state, delivery.attempts.length], ["dead", 10]);
  const jittered = [0, 1].map((random) => after(FRESH, { result: "x" }, { random }).due - NOW);
  deepEqual(jittered, [4_000, 6_000]);
});

Deno.test("afterAttempt() honors a longer Retry-After, up to a day", () => {
  for (const [retryAfterMs, ms] of [[60_000, 60_000], [1_000, 5_000], [Infinity, 24 * HOUR]]) {
    equal(after(FRESH, { result: "http_503", retryAfterMs }).due, NOW + ms!);
  }
});

Deno.test("afterAttempt() ends after an acknowledgement or a permanent failure", () => {
  const { state, attempts } = after(FRESH, { result: "ok" });
  equal(state, "delivered");
  deepEqual(attempts, [{ at: NOW - 40, durationMs: 40, result: "ok" }]);
  equal(after(FRESH, { result: "http_410", permanent: true }).state, "dead");
});

function failedAt(hours: readonly (readonly [hour: number, result: string])[]): Delivery {
  const attempts = hours.map(([hour, result]) => ({
    at: NOW + hour * HOUR,
    durationMs: 0,
    result,
  }));
  return { ...FRESH, attempts };
}

Deno.test("afterAttempt() keeps the first and the last 20 attempts, and counts all", () => {
  let delivery = FRESH;
  for (let n = 1; n <= 45; n++) {
    delivery = after({ ...delivery, state: "waiting" }, { result: `${n}` });
    equal(attemptCount(delivery), n);
    equal(delivery.state, n < 10 ? "waiting" : "dead");
    equal("omitted" in delivery, n > 40);
  }
  const first = Array.from({ length: 20 }, (_, n) => `${n + 1}`);
  const last = Array.from({ length: 20 }, (_, n) => `${n + 26}`);
  deepEqual(delivery.attempts.map(({ result }) => result), [...first, ...last]);
});

Deno.test("afterAttempt() begins the schedule anew after earlier rounds, which it keeps", () => {
  const refused = failedAt([[-30, "http_401"], [-20, "http_401"]]);
  const again = after(newRound(NOW, refused), { result: "http_401" });
  deepEqual([again.state, again.due - NOW, again.earlier], ["waiting", 5_000, 2]);
  deepEqual(again.attempts.length, 3);
  equal(after(again, { result: "http_503" }).due - NOW, 300_000);
  equal(after(again, { result: "http_401" }, { now: NOW + 12 * HOUR }).state, "dead");
});

const DAY_OLD = [-24, "http_503"] as const;
const REFUSED = [0, "http_401"] as const;

const REFUSALS: readonly (readonly [
  before: readonly (readonly [hour: number, result: string])[],
  result: string,
  ms: number,
  state: Delivery["state"],
])[] = [
  ...["http_401", "http_403", "http_404"].flatMap((result) =>
    [
      [[], result, 0, "waiting"],
      [[[0, result]], result, 12 * HOUR - 1, "waiting"],
      [[[0, result]], result, 12 * HOUR, "dead"],
    ] as const
  ),
  [[REFUSED, [1, "http_403"]], "http_404", 12 * HOUR, "dead"],
  [[REFUSED], "http_503", 12 * HOUR, "waiting"],
  [[REFUSED], "ok", 12 * HOUR, "delivered"],
  [[DAY_OLD], "http_401", 0, "waiting"],
  [[DAY_OLD, REFUSED], "http_401", 12 * HOUR - 1, "waiting"],
  [[DAY_OLD, REFUSED], "http_401", 12 * HOUR, "dead"],
  [[REFUSED, [6, "http_503"]], "http_401", 12 * HOUR, "waiting"],
];

Deno.test("afterAttempt() ends when 401, 403 or 404 has been the only answer for 12 hours", () => {
  for (const [before, result, ms, state] of REFUSALS) {
    const startedAt = NOW + ms;
    const options = { startedAt, now: startedAt + 5_000, random: 0.5 };
    const got = afterAttempt(failedAt(before), { result }, options);
    equal(got.state, state, `${before.join(" ")}, then ${result} after ${ms} ms`);
  }
});

const FIELDS = [
  [null, undefined],
  ["30", 30_000],
  [" 30 ", 30_000],
  ["0", 0],
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["Sat, 21 Nov 2026 12:01:00 GMT", 60_000],
  ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
] as const;

Deno.test("parseRetryAfter() reads seconds and HTTP dates", () => {
  for (const [field, ms] of FIELDS) equal(parseRetryAfter(field, NOW), ms, String(field));
});
