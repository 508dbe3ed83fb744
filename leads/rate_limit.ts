/**
 * @module The generic cell rate algorithm (GCRA, ITU-T I.371) as pure functions.
 *
 * The state of a client is one number, its theoretical arrival time: when its allowance is whole again.
 * `count` requests may come at once; then one every `windowMs / count`. Refusals change nothing, so that
 * a flood costs no write.
 *
 * Arrival times are clamped to one window from now: a later one was stored by a wrong clock or with a
 * longer window, and would lock the client out.
 */

import type { RateLimit } from "../config/settings.ts";

export interface Remaining {
  /** Requests that would be admitted now. */
  readonly remaining: number;
  /** Milliseconds until one more would be admitted; 0 if the allowance is whole. */
  readonly restoreMs: number;
}

/** Tolerance for rounding errors of doubles, which add up; the shortest interval is 1 ms. */
const ROUNDING_MS = 0.1;

interface State {
  /** The client's theoretical arrival time; 0 for a new client. */
  readonly arrival: number;
  readonly now: number;
}

/** Admits or refuses one request. A refusal returns the given arrival time, clamped. */
export function take(
  allowance: RateLimit,
  { arrival, now }: State,
): { readonly allowed: boolean; readonly arrival: number } {
  const current = clampArrival(allowance, { arrival, now });
  const next = Math.max(current, now) + allowance.windowMs / allowance.count;
  const allowed = next - now <= allowance.windowMs + ROUNDING_MS;
  return { allowed, arrival: allowed ? next : current };
}

/** The rest of the allowance, without taking anything. */
export function left(allowance: RateLimit, { arrival, now }: State): Remaining {
  const current = clampArrival(allowance, { arrival, now });
  if (current <= now) return { remaining: allowance.count, restoreMs: 0 };
  const step = allowance.windowMs / allowance.count;
  const free = allowance.windowMs - (current - now);
  const remaining = Math.max(0, Math.floor((free + ROUNDING_MS) / step));
  return { remaining, restoreMs: Math.max(0, (remaining + 1) * step - free) };
}

/** At most one window from now; 0 if it is not a time. Store the result: it must not move with `now`. */
export function clampArrival({ windowMs }: RateLimit, { arrival, now }: State): number {
  const latest = now + windowMs;
  if (arrival > latest) return latest;
  return arrival > 0 ? arrival : 0; // NaN is neither
}
