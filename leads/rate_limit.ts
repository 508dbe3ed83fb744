/**
 * @module The algorithm of both limits, as pure functions: the generic cell rate algorithm (GCRA, ITU-T I.371).
 *
 * The state of a client is one number, its theoretical arrival time: when its quota is whole again.
 * `count` requests may come at once; then one every `windowMs / count`. Refusals change nothing, so that
 * a flood costs no write.
 */

import type { RateLimit } from "../config/settings.ts";

declare const opaque: unique symbol;

/** What is remembered of a client: only this file knows what it is. */
export interface LimitState {
  readonly [opaque]: true;
}

export interface Remaining {
  readonly remaining: number;
  /** Milliseconds until one more would be admitted; 0 if the quota is whole. */
  readonly restoreMs: number;
}

const stateOf = (arrival: number) => arrival as unknown as LimitState;
const arrivalOf = (state: LimitState) => state as unknown as number;

interface Given {
  readonly state: LimitState;
  readonly now: number;
}

/** Tolerance for rounding errors of doubles, which add up; the shortest interval is 1 ms. */
const ROUNDING_MS = 0.1;

export const NEW_CLIENT: LimitState = stateOf(0);

/** Admits or refuses one request. A refusal returns the given state, unless it is to be clamped. */
export function take(
  limit: RateLimit,
  { state, now }: Given,
): { readonly allowed: boolean; readonly state: LimitState } {
  const current = clamp(limit, { state, now });
  const next = Math.max(arrivalOf(current), now) + limit.windowMs / limit.count;
  const allowed = next - now <= limit.windowMs + ROUNDING_MS;
  return { allowed, state: allowed ? stateOf(next) : current };
}

export function left(limit: RateLimit, { state, now }: Given): Remaining {
  const current = arrivalOf(clamp(limit, { state, now }));
  if (current <= now) return { remaining: limit.count, restoreMs: 0 };
  const step = limit.windowMs / limit.count;
  const free = limit.windowMs - (current - now);
  const remaining = Math.max(0, Math.floor((free + ROUNDING_MS) / step));
  return { remaining, restoreMs: Math.max(0, (remaining + 1) * step - free) };
}

/**
 * The state, at most one window from now: a later time was stored by a wrong clock or with a longer
 * window, and would lock the client out. Store the result: it must not move with `now`.
 */
export function clamp({ windowMs }: RateLimit, { state, now }: Given): LimitState {
  const arrival = arrivalOf(state);
  const latest = now + windowMs;
  if (arrival > latest) return stateOf(latest);
  return arrival > 0 ? state : NEW_CLIENT; // NaN is neither
}

/** The value to store, and when it is the same as none. */
export function toStored(state: LimitState): { readonly value: unknown; readonly until: number } {
  const arrival = arrivalOf(state);
  return { value: { arrival }, until: arrival };
}

/** The state of a stored value, which a bad disk can change; not yet clamped. */
export function fromStored(value: unknown): LimitState {
  const { arrival } = Object(value);
  return typeof arrival === "number" ? stateOf(arrival) : NEW_CLIENT;
}
