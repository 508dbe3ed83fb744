/**
 * @module Decides when an operator is told that a target fails, and that it accepts leads again.
 *
 * A process on Deno Deploy lives for minutes, so that the attempts in a lead's record count as well as
 * those of this process.
 */

import { type Delivery, latestRound } from "./lead.ts";

const ALARM_AFTER_MS = 3_600_000;

export class TargetHealth {
  #acceptedAt = -Infinity;
  #failingSince = Infinity;
  #isReported = false;

  /** Notes an attempt. @returns what to report: since when the target has failed, or its recovery */
  note(delivery: Delivery): number | "recovered" | undefined {
    const { state, due } = delivery;
    const starts = latestRound(delivery).map(({ at }) => at);
    if (state === "delivered") {
      const wasReported = this.#isLong(starts.slice(0, -1)) || this.#isReported;
      this.#acceptedAt = due;
      this.#failingSince = Infinity;
      this.#isReported = false;
      return wasReported ? "recovered" : undefined;
    }
    // The earlier attempts at a lead that is refused for good may have failed because of the lead.
    const isLong = this.#isLong(state === "dead" ? starts.slice(-1) : starts);
    if (this.#isReported || !isLong) return undefined;
    this.#isReported = true;
    return this.#failingSince;
  }

  /** Attempts before the last acceptance do not count: they failed because of their lead. */
  #isLong(failed: readonly number[]): boolean {
    const first = failed.find((at) => at > this.#acceptedAt) ?? Infinity;
    this.#failingSince = Math.min(this.#failingSince, first);
    return (failed.at(-1) ?? -Infinity) - this.#failingSince >= ALARM_AFTER_MS;
  }
}
