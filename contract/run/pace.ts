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

export interface Pace {
  /** Whether the service wants no request now. */
  readonly isPaused: boolean;
  /** Resolves when a request may be sent. @throws {TooLongWait} */
  turn(): Promise<void>;
  learn(headers: Headers): void;
}

/** @param options.until when the time of the run is over, by the clock */
export function createPace(
  { until = Infinity, clock = CLOCK }: {
    readonly until?: number | undefined;
    readonly clock?: Clock | undefined;
  } = {},
): Pace {
  let opensAt = -Infinity;
  return {
    get isPaused() {
      return clock.now() < opensAt;
    },
    async turn() {
      // Another answer may have moved it meanwhile.
      for (let ms = opensAt - clock.now(); ms > 0; ms = opensAt - clock.now()) {
        if (ms > LONGEST_S * 1_000 || opensAt > until) {
          const seconds = Math.ceil(ms / 1_000);
          throw new TooLongWait(`the service asks to wait ${seconds} s: run it again after that`);
        }
        await clock.wait(Math.ceil(ms));
      }
    },
    learn(headers) {
      const limits = headers.get("ratelimit") ?? "";
      // A limit may concern one operation, and so a long one ends nothing: its refusals tell.
      const waits = [...limits.matchAll(/;r=0;t=(\d+)/g)].map(([, seconds]) => Number(seconds))
        .filter((seconds) => seconds <= LONGEST_S);
      const seconds = Math.max(0, retryAfterOf(headers)?.seconds ?? 0, ...waits);
      opensAt = Math.max(opensAt, clock.now() + seconds * 1_000);
    },
  };
}
