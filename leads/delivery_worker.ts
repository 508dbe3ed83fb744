/** @module Sends one lead to one target and records the outcome; the outbox decides when. */

import type { Clock } from "./clock.ts";
import type { Target } from "./delivery/target.ts";
import type { Delivery, LeadRecord } from "./lead.ts";
import { errorName, type Log } from "./log.ts";
import { afterTry, type DeliveryOutcome } from "./retry.ts";
import type { QueueStore } from "./store.ts";

/** How long one attempt may take. */
export const DELIVERY_TIMEOUT_MS = 15_000;

/** The dependencies of a delivery worker. */
export interface DeliveryWorkerDeps {
  readonly store: Pick<QueueStore, "change">;
  readonly clock: Clock;
  /** Returns 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  readonly log: Log;
}

/** Attempts deliveries, and tracks them so that a stop can wait for them. */
export class DeliveryWorker {
  readonly #deps: DeliveryWorkerDeps;
  readonly #inFlight = new Set<Promise<unknown>>();

  constructor(deps: DeliveryWorkerDeps) {
    this.#deps = deps;
  }

  /**
   * Makes one attempt for a job that is leased to this process, and records its outcome.
   *
   * @returns the new state of the delivery; undefined if the outcome was not recorded, so that the job
   * is attempted again when its lease expires: twice rather than never
   */
  attempt(record: LeadRecord, target: Target): Promise<Delivery | undefined> {
    return this.#track(this.#attempt(record, target));
  }

  /** Makes one attempt without recording it. Never rejects. */
  sendOnce(record: LeadRecord, target: Target): Promise<DeliveryOutcome> {
    return this.#track(this.#send(record, target));
  }

  /** Resolves when no attempt is in flight. */
  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }

  async #attempt(record: LeadRecord, target: Target): Promise<Delivery | undefined> {
    const { store, clock, random, log } = this.#deps;
    const ids = { lead: record.id, target: target.id };
    const lease = record.deliveries[target.id]?.due;
    const startedAt = clock.now();
    const outcome = await this.#send(record, target);
    let recorded: Delivery | undefined;
    try {
      await store.change(record.id, (deliveries) => {
        const delivery = deliveries[target.id];
        // The holder of a newer lease records its own outcome; an acknowledgement counts anyway.
        const ours = delivery?.state === "waiting" &&
          (delivery.due === lease || outcome.result === "ok");
        recorded = ours
          ? afterTry(delivery, outcome, { startedAt, now: clock.now(), random: random() })
          : undefined;
        return recorded && { ...deliveries, [target.id]: recorded };
      });
    } catch (error) {
      log.error("delivery.not_noted", { ...ids, reason: errorName(error) });
      return undefined;
    }
    if (recorded !== undefined) this.#report(ids, recorded);
    return recorded;
  }

  async #send(record: LeadRecord, target: Target): Promise<DeliveryOutcome> {
    const late = new AbortController();
    const cancel = this.#deps.clock.after(DELIVERY_TIMEOUT_MS, () => late.abort());
    try {
      return await target.deliver(record, late.signal);
    } catch {
      return { result: "failed" };
    } finally {
      cancel();
    }
  }

  #report(ids: { lead: string; target: string }, { state, due, tries }: Delivery): void {
    const { log } = this.#deps;
    const { result, durationMs } = tries.at(-1)!;
    const fields = { ...ids, tries: tries.length, result, durationMs };
    if (state === "delivered") log.info("delivery.acknowledged", fields);
    else if (state === "dead") log.error("delivery.dead_letter", fields);
    else log.info("delivery.postponed", { ...fields, until: new Date(due).toISOString() });
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#inFlight.add(work);
    return work.finally(() => this.#inFlight.delete(work));
  }
}
