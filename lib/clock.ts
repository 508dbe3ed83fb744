/** @module Time and timers as an argument, so that tests can control them. */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `work` once after `ms`; the returned function cancels it. */
  after(ms: number, work: () => void): () => void;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const systemClock: Clock = {
  now: Date.now,
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

interface Deadline {
  readonly ms: number;
  readonly clock: Pick<Clock, "after">;
}

/** Settles as `work`; after `ms` as `late`, while the work continues. */
export function orLate<T>(
  work: Promise<T>,
  { ms, clock, late }: Deadline & { readonly late: () => T | Promise<T> },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => Promise.try(late).then(resolve, reject));
    work.then(resolve, reject).finally(cancel);
  });
}

/** Whether all of `works` resolve to true within `ms`; returns as soon as that is decided. */
export function allTrueWithin(
  works: readonly Promise<boolean>[],
  deadline: Deadline,
): Promise<boolean> {
  const mustBeTrue = works.map(async (work) => await work || Promise.reject());
  const all = Promise.all(mustBeTrue).then(() => true, () => false);
  return orLate(all, { ...deadline, late: () => false });
}

/** The day (UTC) of a time in epoch milliseconds, such as `2026-11-23`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, "2026-11-23".length);
}

/** The hour (UTC), such as `2026-11-23T08`. */
export function hourOf(time: number): string {
  return new Date(time).toISOString().slice(0, "2026-11-23T08".length);
}
