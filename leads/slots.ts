/**
 * @module How many attempts a target gets at once, as in TCP (RFC 5681): one more for each round of
 * successes, half as many after a failure or when answers take twice as long. Leads that are claimed from
 * its queue take these slots in turn.
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

interface Attempted {
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

interface SlotsOptions {
  /** The most attempts at once, inline ones included. */
  readonly most: number;
  /** How many attempts wait for the target's answer, inline ones included. */
  readonly sending: () => number;
}

export class Slots {
  readonly limit: ConcurrencyLimit;
  readonly #options: SlotsOptions;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  /** Leads that are being claimed, wait for a slot or have one. */
  #pending = 0;
  #changed = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor(options: SlotsOptions) {
    this.#options = options;
    this.limit = new ConcurrencyLimit(options.most);
  }

  /** Whether one more attempt may begin without waiting. */
  get isFree(): boolean {
    const { slots, isRecovering } = this.limit;
    const { most, sending } = this.#options;
    return sending() < (isRecovering ? slots : most);
  }

  /** Waits until there is room for a claim that is worth its commit. @returns for how many leads */
  async room(claimedAtOnce: number): Promise<number> {
    for (;;) {
      const most = this.limit.slots + this.limit.ahead;
      const room = most - this.#pending;
      if (room >= Math.min(claimedAtOnce, Math.ceil(most / 4)) || this.#hasEnded) return room;
      await this.#changed.promise;
    }
  }

  /** Counts leads that are being claimed while `claim` runs. */
  async during<T>(leads: number, claim: () => Promise<T>): Promise<T> {
    this.#count(leads);
    return await claim().finally(() => this.#count(-leads));
  }

  /** Waits for a slot. @returns what gives it back */
  async take(): Promise<() => void> {
    this.#count(1);
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.fill();
    });
    return () => {
      this.#taken--;
      this.#count(-1);
      this.fill();
    };
  }

  /** Gives free slots to those that wait. */
  fill(): void {
    const { most, sending } = this.#options;
    let free = Math.min(this.limit.slots - this.#taken, most - sending());
    for (; this.#waiting.length > 0 && (free > 0 || this.#hasEnded); free--) {
      this.#taken++;
      this.#waiting.shift()!();
    }
  }

  end(): void {
    this.#hasEnded = true;
    this.fill();
    this.#count(0);
  }

  #count(leads: number): void {
    this.#pending += leads;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
