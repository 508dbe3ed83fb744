/**
 * @module When to try again: pure, given the tries so far, the outcome, time and chance. The schedule is
 * the example of the Standard Webhooks specification: ten tries over 75 hours.
 */

import type { Delivery } from "./lead.ts";

/** The outcome of one attempt. */
export interface DeliveryOutcome {
  /** `ok`, or a word for what went wrong; never anything that the receiver or the sender wrote. */
  readonly result: string;
  /** The receiver will never take it: do not try again. */
  readonly permanent?: boolean;
  /** When the receiver asks to be tried again, in milliseconds from now. */
  readonly retryAfterMs?: number | undefined;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pause after each attempt; none after the last. */
const PAUSES_MS = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];

/** ±20 %, so that many leads refused together do not come back together. */
const JITTER = 0.2;

/** A receiver may postpone a lead, but not indefinitely. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

/**
 * Milliseconds until the next try, or null when the schedule is used up.
 *
 * @param tries how many tries there have been, at least 1
 * @param options.retryAfterMs never sooner than that
 * @param options.random 0 to 1
 */
export function pauseAfter(
  tries: number,
  { retryAfterMs = 0, random }: { readonly retryAfterMs?: number; readonly random: number },
): number | null {
  const base = PAUSES_MS[tries - 1];
  if (base === undefined) return null;
  const jittered = base * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS)));
}

/** The delivery after a try that began at `startedAt` and ended at `now`. */
export function afterTry(
  delivery: Delivery,
  outcome: DeliveryOutcome,
  { startedAt, now, random }: {
    readonly startedAt: number;
    readonly now: number;
    readonly random: number;
  },
): Delivery {
  const tries = [
    ...delivery.tries,
    { at: startedAt, durationMs: now - startedAt, result: outcome.result },
  ];
  if (outcome.result === "ok") return { state: "delivered", due: now, tries };
  const pause = outcome.permanent
    ? null
    : pauseAfter(tries.length, { retryAfterMs: outcome.retryAfterMs ?? 0, random });
  return pause === null
    ? { state: "dead", due: now, tries }
    : { state: "waiting", due: now + pause, tries };
}

/**
 * Reads a Retry-After field (RFC 9110 §10.2.3): seconds or an HTTP date.
 *
 * @returns milliseconds from `now`, never negative; undefined where absent or malformed
 */
export function parseRetryAfter(field: string | null, now: number): number | undefined {
  if (field === null) return undefined;
  if (/^\d+$/.test(field.trim())) return Number(field) * SECOND;
  // Date.parse takes almost anything: only what begins like an HTTP date is one.
  const date = /^[A-Z][a-z]+, /.test(field.trim()) ? Date.parse(field) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
