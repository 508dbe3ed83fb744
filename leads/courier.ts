/**
 * @module Carries one lead to one target and notes in the store what came of it.
 *
 * Knows nothing of the queue: who may try, and when, is the outbox's business.
 */

import type { Clock } from "./clock.ts";
import type { Target } from "./delivery/target.ts";
import type { Delivery, LeadRecord } from "./lead.ts";
import { errorName, type Log } from "./log.ts";
import { afterTry, type DeliveryOutcome } from "./retry.ts";
import type { QueueStore } from "./store.ts";

/** How long one try may take. */
export const DELIVERY_TIMEOUT_MS = 15_000;

/** What a courier works with. */
export interface CourierDeps {
  readonly store: Pick<QueueStore, "change">;
  readonly clock: Clock;
  /** 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  readonly log: Log;
}

/** The courier of this process; remembers what is under way, so that a stop can wait for it. */
export class Courier {
  readonly #deps: CourierDeps;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(deps: CourierDeps) {
    this.#deps = deps;
  }

  /**
   * One try for a job that is leased to this process, and the note of its outcome.
   *
   * @returns the delivery after it; undefined where the note could not be made, so that the job is
   * tried again when its lease runs out: twice rather than never
   */
  carry(record: LeadRecord, target: Target): Promise<Delivery | undefined> {
    return this.#track(this.#carry(record, target));
  }

  /** One try that nothing is noted of. Never rejects. */
  hand(record: LeadRecord, target: Target): Promise<DeliveryOutcome> {
    return this.#track(this.#hand(record, target));
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  async #carry(record: LeadRecord, target: Target): Promise<Delivery | undefined> {
    const { store, clock, random, log } = this.#deps;
    const lease = record.deliveries[target.id]?.due;
    const startedAt = clock.now();
    const outcome = await this.#hand(record, target);
    let noted: Delivery | undefined;
    try {
      await store.change(record.id, (deliveries) => {
        const delivery = deliveries[target.id];
        // Whoever holds a newer lease notes its own outcome; an acknowledgement counts even so.
        const ours = delivery?.state === "waiting" &&
          (delivery.due === lease || outcome.result === "ok");
        noted = ours
          ? afterTry(delivery, outcome, { startedAt, now: clock.now(), random: random() })
          : undefined;
        return noted && { ...deliveries, [target.id]: noted };
      });
    } catch (error) {
      log.error("delivery.not_noted", {
        lead: record.id,
        target: target.id,
        reason: errorName(error),
      });
      return undefined;
    }
    if (noted !== undefined) this.#report(record.id, { target, delivery: noted });
    return noted;
  }

  async #hand(record: LeadRecord, target: Target): Promise<DeliveryOutcome> {
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

  #report(
    lead: string,
    { target, delivery: { state, due, tries } }: { target: Target; delivery: Delivery },
  ): void {
    const { log } = this.#deps;
    const last = tries.at(-1);
    const fields = {
      lead,
      target: target.id,
      tries: tries.length,
      result: last?.result,
      durationMs: last?.durationMs,
    };
    switch (state) {
      case "delivered":
        return log.info("delivery.acknowledged", fields);
      case "waiting":
        return log.info("delivery.postponed", { ...fields, until: new Date(due).toISOString() });
      case "dead":
        return log.error("delivery.dead_letter", fields);
    }
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    return work.finally(() => this.#underWay.delete(work));
  }
}
