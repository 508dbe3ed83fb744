/** @module Sends leads to one target and records the outcomes; the outbox decides when. */

import { type Clock, HOUR_MS } from "../lib/clock.ts";
import { reasonOf } from "./delivery/failure.ts";
import type { Target } from "./delivery/target.ts";
import { attemptCount, type Delivery, latestRound, type LeadRecord } from "./lead.ts";
import { type Log, safeReason } from "../lib/log.ts";
import { afterAttempt, type DeliveryOutcome } from "./retry.ts";
import { type LeadStore, UnusableLead } from "./ports.ts";

export const DELIVERY_TIMEOUT_MS = 15_000;

export interface QueueDeps {
  readonly store: LeadStore;
  /** The most attempts at once for one target. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** Returns 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  readonly log: Log;
}

/** When an attempt began and ended, in epoch milliseconds. */
export interface AttemptTimes {
  readonly startedAt: number;
  readonly now: number;
}

export class DeliveryWorker {
  readonly #target: Target;
  readonly #deps: QueueDeps;
  readonly #noted: (outcome: DeliveryOutcome, times: AttemptTimes) => void;
  readonly #health = new TargetHealth();
  #sending = 0;

  /** @param noted is told how each attempt ended */
  constructor(
    target: Target,
    deps: QueueDeps,
    noted: (outcome: DeliveryOutcome, times: AttemptTimes) => void,
  ) {
    this.#target = target;
    this.#deps = deps;
    this.#noted = noted;
  }

  /** How many attempts wait for an answer. */
  get sending(): number {
    return this.#sending;
  }

  /**
   * Makes one attempt for a job that is leased to this process, and records its outcome.
   *
   * @param answered is called before the outcome is recorded
   * @returns the new state of the delivery; undefined if the outcome was not recorded, so that the job
   * is attempted again when its lease expires: twice rather than never
   * @throws {UnusableLead} if the outcome can never be recorded
   */
  async attempt(record: LeadRecord, answered = () => {}): Promise<Delivery | undefined> {
    const { store, clock, random, log } = this.#deps;
    const { id: target } = this.#target;
    const lease = record.deliveries[target]?.due;
    const startedAt = clock.now();
    const outcome = await this.send(record);
    answered();
    let recorded: Delivery | undefined;
    try {
      await store.change(record, (deliveries) => {
        recorded = undefined;
        const delivery = deliveries[target];
        if (delivery?.state !== "waiting") return undefined;
        // The holder of a newer lease records its own outcome; an acknowledgement counts anyway.
        if (delivery.due !== lease && outcome.result !== "ok") return undefined;
        recorded = afterAttempt(delivery, outcome, {
          startedAt,
          now: clock.now(),
          random: random(),
        });
        return { ...deliveries, [target]: recorded };
      });
    } catch (error) {
      if (error instanceof UnusableLead) throw error;
      log.error("delivery.not_noted", { lead: record.id, target, reason: safeReason(error) });
      return undefined;
    }
    if (recorded !== undefined) this.#report(record.id, recorded);
    return recorded;
  }

  /** Makes one attempt without recording it. Never rejects. */
  async send(record: LeadRecord): Promise<DeliveryOutcome> {
    const late = new AbortController();
    const cancel = this.#deps.clock.after(DELIVERY_TIMEOUT_MS, () => late.abort());
    const startedAt = this.#deps.clock.now();
    this.#sending++;
    const outcome = await this.#target.deliver(record, late.signal)
      .catch((): DeliveryOutcome => ({ result: "failed" }))
      .finally(cancel);
    this.#sending--;
    this.#noted(outcome, { startedAt, now: this.#deps.clock.now() });
    return outcome;
  }

  #report(lead: string, delivery: Delivery): void {
    const { log } = this.#deps;
    const { state, due, attempts } = delivery;
    const target = this.#target.id;
    const { result, durationMs } = attempts.at(-1)!;
    const fields = { lead, target, attempts: attemptCount(delivery), result, durationMs };
    // A lead that is sent again, perhaps days later, tells nothing of how long deliveries take.
    const isFirst = state === "delivered" && delivery.earlier === undefined;
    if (isFirst) log.count("delivery.first_acknowledged", { lead, target });
    if (state === "delivered") log.info("delivery.acknowledged", fields);
    else if (state === "waiting") log.info("delivery.postponed", { ...fields, until: iso(due) });
    else log.error("delivery.dead_letter", { ...fields, reason: reasonOf(result) });
    const health = this.#health.note(delivery);
    if (health === "recovered") log.info("delivery.target_recovered", { target });
    else if (health !== undefined) {
      log.error("delivery.target_failing", { target, since: iso(health), result });
    }
  }
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

/** How long a target fails before that is reported. */
const ALARM_AFTER_MS = HOUR_MS;

/**
 * When an operator is told that a target fails. A process on Deno Deploy lives for minutes, so that the
 * attempts in a lead's record count as well as those of this process.
 */
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
