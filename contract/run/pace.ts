/** @module When the next request may be sent to a service in production, by Retry-After and RateLimit. */

import { CannotRun } from "../lib/cannot_run.ts";
import { retryAfterOf } from "../lib/retry_after.ts";

/** In milliseconds. */
export interface Clock {
  now(): number;
  wait(ms: number): Promise<void>;
}

const CLOCK: Clock = {
  now: () => performance.now(),
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
};

const LONGEST_S = 900;

export class TooLongWait extends CannotRun {
  override readonly name = "TooLongWait";
}

export class Pace {
  readonly #until: number;
  readonly #clock: Clock;
  #opensAt = -Infinity;

  /** @param options.until when the time of the run is over, by the clock */
  constructor({ until, clock }: { until?: number | undefined; clock?: Clock | undefined } = {}) {
    this.#until = until ?? Infinity;
    this.#clock = clock ?? CLOCK;
  }

  /** Whether the service wants no request now. */
  get isPaused(): boolean {
    return this.#clock.now() < this.#opensAt;
  }

  /** Resolves when a request may be sent. @throws {TooLongWait} */
  async turn(): Promise<void> {
    // Another answer may have moved it meanwhile.
    const remaining = () => this.#opensAt - this.#clock.now();
    for (let ms = remaining(); ms > 0; ms = remaining()) {
      if (ms > LONGEST_S * 1_000 || this.#opensAt > this.#until) {
        const seconds = Math.ceil(ms / 1_000);
        throw new TooLongWait(`the service asks to wait ${seconds} s: run it again after that`);
      }
      await this.#clock.wait(Math.ceil(ms));
    }
  }

  learn(headers: Headers): void {
    const limits = headers.get("ratelimit") ?? "";
    // A limit may concern one operation, and so a long one ends nothing: its refusals tell.
    const waits = [...limits.matchAll(/;r=0;t=(\d+)/g)].map(([, seconds]) => Number(seconds))
      .filter((seconds) => seconds <= LONGEST_S);
    const seconds = Math.max(0, retryAfterOf(headers)?.seconds ?? 0, ...waits);
    this.#opensAt = Math.max(this.#opensAt, this.#clock.now() + seconds * 1_000);
  }
}
