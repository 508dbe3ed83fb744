/** @module The slots of one target: leads that are claimed from its queue take them in turn. */

import { ConcurrencyLimit } from "./concurrency_limit.ts";

interface SlotsOptions {
  /** The most attempts at once, inline ones included. */
  readonly most: number;
  /** How many attempts wait for the target's answer, inline ones included. */
  readonly sending: () => number;
}

export class Slots {
  readonly limit: ConcurrencyLimit;
  readonly #options: SlotsOptions;
  /** Those that wait for a slot. */
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

  /** Nothing waits any more. */
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
