/** @module Bounds how much work is done at once, how much waits for its turn, and for how long. */

import type { Clock } from "./clock.ts";

export class Turns {
  readonly #atOnce: number;
  readonly #waiting: number;
  readonly #queue = new Set<() => void>();
  #running = 0;

  constructor({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }) {
    this.#atOnce = atOnce;
    this.#waiting = waiting;
  }

  /** Does the work in its turn. @returns its result; undefined if it has no turn within `ms` */
  async take<T>(
    { ms, clock }: { readonly ms: number; readonly clock: Pick<Clock, "after"> },
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    if (this.#running < this.#atOnce) this.#running++;
    else if (!(await this.#turn(ms, clock))) return undefined;
    try {
      return await work();
    } finally {
      const [next] = this.#queue;
      if (next === undefined) this.#running--;
      else next();
    }
  }

  #turn(ms: number, clock: Pick<Clock, "after">): Promise<boolean> {
    if (this.#queue.size >= this.#waiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (isTurn: boolean) => {
        this.#queue.delete(begin);
        cancel();
        resolve(isTurn);
      };
      const begin = () => settle(true);
      const cancel = clock.after(ms, () => settle(false));
      this.#queue.add(begin);
    });
  }
}
