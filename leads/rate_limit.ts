/**
 * @module The generic cell rate algorithm (GCRA, ITU-T I.371), pure: state and time in, verdict out.
 *
 * A client's whole state is one number, its theoretical arrival time: when it would be back at rest
 * if it sent nothing more. `count` requests may come at once; then one each `windowMs / count`.
 * Refusals change nothing, so a flood costs no write.
 *
 * An arrival time is never believed beyond one window from now ({@link clampArrival}): it was stored
 * by a clock that was ahead, or under a longer window, and would lock the client out until then.
 */

import type { Allowance } from "../schemas/values.ts";

/** What is left of an allowance at one moment. */
export interface Remaining {
  /** Requests that would be admitted now. */
  readonly remaining: number;
  /** Milliseconds until one more than that would be admitted; 0 where nothing is spent. */
  readonly restoreMs: number;
}

/** Whether a request is admitted, the arrival time after it, and what is left then. */
export interface Verdict extends Remaining {
  readonly allowed: boolean;
  readonly arrival: number;
}

/**
 * Slack for rounding: epoch milliseconds leave a double about 0.0002 ms of precision, which adds up
 * over a burst. Far below the least interval (1 ms, held by the configuration).
 */
const ROUNDING_MS = 0.1;

/**
 * Asks to admit one request. Where it is refused, the arrival time is the one given, clamped.
 *
 * @param options.arrival the client's theoretical arrival time; 0 for a client never seen
 * @param options.now epoch milliseconds
 */
export function take(
  allowance: Allowance,
  { arrival, now }: { readonly arrival: number; readonly now: number },
): Verdict {
  const current = clampArrival(allowance, { arrival, now });
  const next = Math.max(current, now) + interval(allowance);
  const allowed = next - now <= allowance.windowMs + ROUNDING_MS;
  const after = allowed ? next : current;
  return { allowed, arrival: after, ...left(allowance, { arrival: after, now }) };
}

/** What is left, without taking anything. */
export function left(
  allowance: Allowance,
  { arrival, now }: { readonly arrival: number; readonly now: number },
): Remaining {
  const current = clampArrival(allowance, { arrival, now });
  if (current <= now) return { remaining: allowance.count, restoreMs: 0 };
  const step = interval(allowance);
  const free = allowance.windowMs - (current - now);
  const remaining = Math.max(0, Math.floor((free + ROUNDING_MS) / step));
  return { remaining, restoreMs: Math.max(0, (remaining + 1) * step - free) };
}

/**
 * The arrival time to go by: at most one window from now, since no admission leads further, and 0
 * for what is no time. Keep the result: clamped again later, it would be as far ahead again.
 */
export function clampArrival(
  { windowMs }: Allowance,
  { arrival, now }: { readonly arrival: number; readonly now: number },
): number {
  const latest = now + windowMs;
  if (arrival > latest) return latest;
  return arrival > 0 ? arrival : 0; // neither for NaN
}

function interval({ count, windowMs }: Allowance): number {
  return windowMs / count;
}
