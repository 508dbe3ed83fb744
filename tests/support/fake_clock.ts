/** @module A clock that a test advances. */

import type { Clock } from "../../lib/clock.ts";

interface Timer {
  readonly at: number;
  readonly work: () => void;
}

export class FakeClock implements Clock {
  #now = Date.parse("2026-11-21T12:00:00Z");
  readonly #timers = new Set<Timer>();

  now = (): number => this.#now;

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.#now + ms, work };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get nextIn(): number | undefined {
    const next = this.#earliest();
    return next && next.at - this.#now;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#earliest(); next && next.at <= end; next = this.#earliest()) {
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.work();
    }
    this.#now = end;
  }

  #earliest(): Timer | undefined {
    return [...this.#timers].sort((a, b) => a.at - b.at)[0];
  }
}
