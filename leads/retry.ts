/**
 * @module The retry policy, as pure functions. The schedule is the example of the Standard Webhooks
 * specification: ten attempts over 75 hours.
 */

import { HOUR_MS } from "../lib/clock.ts";
import { type Attempt, attemptCount, type Delivery, latestRound } from "./lead.ts";

export interface DeliveryOutcome {
  /** `ok`, or our own word for the failure. */
  readonly result: string;
  /** The receiver will never accept it: do not retry. */
  readonly permanent?: boolean;
  /** The receiver's Retry-After, in milliseconds from now. */
  readonly retryAfterMs?: number | undefined;
}

/** The pause after each attempt; none after the last. */
const PAUSES_MS = [5_000, 300_000, ...[0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)];

/** ±20 %, so that leads refused together are not retried together. */
const JITTER = 0.2;

const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/** Refusals that an operator can correct (credentials, path), and how long they are retried. */
const CORRECTABLE: ReadonlySet<string> = new Set(["http_401", "http_403", "http_404"]);
const CORRECTABLE_FOR_MS = 12 * HOUR_MS;

/** How many of the first attempts are stored, and how many of the last: a record must not grow on. */
const KEPT_ATTEMPTS = 20;

/** The delivery after an attempt from `startedAt` to `now`. @param options.random 0 to 1 */
export function afterAttempt(
  delivery: Delivery,
  { result, permanent, retryAfterMs = 0 }: DeliveryOutcome,
  { startedAt, now, random }: Readonly<Record<"startedAt" | "now" | "random", number>>,
): Delivery {
  const count = attemptCount(delivery) + 1;
  const { earlier = 0 } = delivery;
  const attempts = [...delivery.attempts, { at: startedAt, durationMs: now - startedAt, result }];
  const history = count <= 2 * KEPT_ATTEMPTS ? { attempts } : {
    attempts: [...attempts.slice(0, KEPT_ATTEMPTS), ...attempts.slice(-KEPT_ATTEMPTS)],
    omitted: count - 2 * KEPT_ATTEMPTS,
  };
  if (earlier > 0) Object.assign(history, { earlier });
  if (result === "ok") return { state: "delivered", due: now, ...history };
  const refusedMs = refusedForMs(latestRound({ ...delivery, attempts }));
  const isFinal = permanent || refusedMs >= CORRECTABLE_FOR_MS;
  const pause = PAUSES_MS[count - earlier - 1];
  if (isFinal || pause === undefined) return { state: "dead", due: now, ...history };
  const jittered = pause * (1 + JITTER * (2 * random - 1));
  const asked = Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
  return { state: "waiting", due: now + Math.round(Math.max(jittered, asked)), ...history };
}

/** How long the last attempts have had nothing but refusals that an operator can correct. */
function refusedForMs(attempts: readonly Attempt[]): number {
  const first = attempts[attempts.findLastIndex(({ result }) => !CORRECTABLE.has(result)) + 1];
  return first === undefined ? 0 : attempts.at(-1)!.at - first.at;
}

/** Milliseconds to a Retry-After (RFC 9110 §10.2.3), never negative; undefined if malformed. */
export function parseRetryAfter(field: string | null, now: number): number | undefined {
  if (field === null) return undefined;
  if (/^\d+$/.test(field.trim())) return Number(field) * 1_000;
  // Date.parse accepts almost anything, but an HTTP date begins with a weekday.
  const date = /^[A-Z][a-z]+, /.test(field.trim()) ? Date.parse(field) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
