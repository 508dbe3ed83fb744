/**
 * @module How many attempts a target gets at once, as in TCP (RFC 5681): one more for each round of
 * successes, half as many after a failure or when answers take twice as long.
 */

const FIRST = 8;

/** Shorter answers are equally fast: below it this process itself is what takes time. */
const FAST_MS = 50;

/** The weight of the newest answer in the average. */
const NEWEST = 0.1;

/** How much the best average is forgotten with each answer, since a target may become slower for good. */
const FORGOTTEN = 1.001;

/** What can be claimed while one commit is under way. */
const MOST_AHEAD = 80;

export interface Attempted {
  readonly startedAt: number;
  readonly now: number;
  readonly failed: boolean;
}

export class ConcurrencyLimit {
  readonly #most: number;
  #slots: number;
  /** Below it each success adds a whole slot. */
  #threshold: number;
  #averageMs: number | undefined;
  #bestMs = Infinity;
  /** Attempts from before it say nothing about the slots that there are now. */
  #changedAt = -Infinity;

  constructor(most: number) {
    this.#most = most;
    this.#slots = this.#threshold = Math.min(FIRST, most);
  }

  /** A whole number from 1. */
  get slots(): number {
    return Math.floor(this.#slots);
  }

  /** How many more leads the target takes within a second: they may be claimed before a slot is free. */
  get ahead(): number {
    if (this.#averageMs === undefined) return 0;
    const aSecond = this.#slots * 1_000 / Math.max(this.#averageMs, 1);
    return Math.floor(Math.min(MOST_AHEAD, 2 * this.#slots, aSecond));
  }

  /** Whether it is still below what the target took before its last failure. */
  get isRecovering(): boolean {
    return this.#slots < this.#threshold;
  }

  note({ startedAt, now, failed }: Attempted): void {
    if (failed) return this.#halve(startedAt, now);
    const ms = now - startedAt;
    this.#averageMs = this.#averageMs === undefined
      ? ms
      : (1 - NEWEST) * this.#averageMs + NEWEST * ms;
    this.#bestMs = Math.max(FAST_MS, Math.min(this.#bestMs * FORGOTTEN, this.#averageMs));
    if (this.#averageMs > 2 * this.#bestMs) return this.#halve(startedAt, now);
    const step = this.isRecovering ? 1 : 1 / this.#slots;
    this.#slots = Math.min(this.#most, this.#slots + step);
  }

  /** After a pause: one at first, then as fast as before, up to half as many as there were. */
  restart(now: number): void {
    this.#threshold = Math.max(1, this.#slots / 2);
    this.#slots = 1;
    this.#changedAt = now;
  }

  #halve(startedAt: number, now: number): void {
    if (startedAt < this.#changedAt) return;
    this.#slots = this.#threshold = Math.max(1, this.#slots / 2);
    this.#changedAt = now;
  }
}
