/**
 * @module Decides when an operator is told that a target fails, and that it accepts leads again.
 *
 * A process on Deno Deploy lives for minutes: the earlier attempts of a lead, which its record holds,
 * count as well as those of this process.
 */

/** How long a target fails before that is reported. */
const ALARM_AFTER_MS = 3_600_000;

/** What one process knows about one target. Times are starts of attempts, in epoch milliseconds. */
export class TargetHealth {
  #acceptedAt = -Infinity;
  #failingSince = Infinity;
  #isReported = false;

  /**
   * Notes a failed attempt.
   *
   * @param failed the attempts at the lead, this one last
   * @returns since when the target has failed, if that is to be reported
   */
  failed(failed: readonly number[]): number | undefined {
    if (this.#isReported || !this.#isLong(failed)) return undefined;
    this.#isReported = true;
    return this.#failingSince;
  }

  /**
   * Notes that the target has accepted a lead.
   *
   * @param failed the earlier attempts at the lead
   * @returns whether its failure has been reported, in this process or in another one
   */
  accepted(failed: readonly number[], at: number): boolean {
    const wasReported = this.#isLong(failed) || this.#isReported;
    this.#acceptedAt = at;
    this.#failingSince = Infinity;
    this.#isReported = false;
    return wasReported;
  }

  /** Attempts before the last acceptance do not count: they were about their lead alone. */
  #isLong(failed: readonly number[]): boolean {
    const first = failed.find((at) => at > this.#acceptedAt) ?? Infinity;
    this.#failingSince = Math.min(this.#failingSince, first);
    return (failed.at(-1) ?? 0) - this.#failingSince >= ALARM_AFTER_MS;
  }
}
