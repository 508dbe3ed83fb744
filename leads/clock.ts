/** @module Time as an argument, so that a test can move it. */

/** Time and timers. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `work` once after `ms`; the returned function cancels it. */
  after(ms: number, work: () => void): () => void;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Waits until all of `works` have come out true, one has not, or the time is up.
 *
 * @returns true only in the first case; the works go on in any case
 */
export function allTrueWithin(
  works: readonly Promise<boolean>[],
  { ms, clock }: { readonly ms: number; readonly clock: Clock },
): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false));
    function settle(outcome: boolean): void {
      cancel();
      resolve(outcome);
    }
    for (const work of works) work.then((ok) => ok || settle(false), () => settle(false));
    Promise.all(works).then((all) => settle(all.every((ok) => ok)), () => settle(false));
  });
}
