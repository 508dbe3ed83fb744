/**
 * @module The transactional outbox: leads that are stored but not yet delivered to every target.
 *
 * A job belongs to the process that last moved its due time ahead (a lease). Accepting a lead leases its
 * jobs to this process for the inline attempt. After a crash the lease expires and any instance claims
 * the job: a target gets each lead at least once, and twice only if its answer, or the record of it,
 * was lost.
 */

import { allTrueWithin } from "./clock.ts";
import { DELIVERY_TIMEOUT_MS, DeliveryWorker, type DeliveryWorkerDeps } from "./delivery_worker.ts";
import type { Target } from "./delivery/target.ts";
import type { Deliveries, Delivery, LeadRecord } from "./lead.ts";
import { errorName } from "./log.ts";
import { type DueJob, type QueueStore, UnusableLead } from "./store.ts";

/** One attempt, and a margin for the KV calls before and after it. */
export const LEASE_MS = DELIVERY_TIMEOUT_MS + 5_000;

/** The rest of a lease that an attempt needs; with less, the job is left to the queue. */
const LEASE_LEFT_MS = DELIVERY_TIMEOUT_MS + 2_000;

/** Concurrent attempts for one target's queue. */
const CONCURRENCY = 8;

/**
 * Attempts in flight at one target before new leads go to its queue, so that a hanging target neither
 * piles up connections nor makes every client wait. Leads whose commit is in flight are not counted.
 */
const INLINE_CONCURRENCY = 64;

/** How long a lead waits that cannot be read or changed: its key may come back. */
const UNUSABLE_MS = 3_600_000;

/** No alarm is set further ahead: another instance may queue a job meanwhile. */
const LONGEST_NAP_MS = 60_000;

interface OutboxDeps extends DeliveryWorkerDeps {
  readonly store: QueueStore;
  readonly targets: readonly Target[];
}

/** The work for one target in this process; independent of other targets. */
interface Lane {
  readonly target: Target;
  /** Attempts in flight, inline ones included. */
  tries: number;
  /** Claimed jobs, by lead. */
  readonly jobs: Map<string, Promise<void>>;
  drain?: Promise<void> | undefined;
  alarm?: { readonly at: number; readonly cancel: () => void } | undefined;
}

/** Delivers the leads that this process has leased. */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #worker: DeliveryWorker;
  readonly #lanes: readonly Lane[];
  #stopped = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    this.#worker = new DeliveryWorker(deps);
    this.#lanes = deps.targets.map((target) => ({ target, tries: 0, jobs: new Map() }));
  }

  /** The deliveries of a new lead: leased for the inline attempt, or due at once if a target is busy. */
  enter(now: number): Deliveries {
    return Object.fromEntries(this.#lanes.map(({ target, tries }): [string, Delivery] => {
      const due = tries >= INLINE_CONCURRENCY ? now : now + LEASE_MS;
      return [target.id, { state: "waiting", due, tries: [] }];
    }));
  }

  /**
   * Attempts all targets concurrently. Attempts that take longer than `ms` continue in the background.
   *
   * @returns true if all targets have acknowledged within `ms`; false also without a target
   */
  deliver(record: LeadRecord, ms: number): Promise<boolean> {
    if (this.#lanes.length === 0 || this.#stopped) return Promise.resolve(false);
    const tries = this.#lanes.map((lane) => {
      const due = record.deliveries[lane.target.id]?.due ?? record.receivedAt;
      if (due - this.#deps.clock.now() >= LEASE_LEFT_MS) return this.#attempt(record, lane);
      this.#wake(lane, due);
      return Promise.resolve(false);
    });
    return allTrueWithin(tries, { ms, clock: this.#deps.clock });
  }

  /** Attempts all targets once, for a lead that is not known to be stored. @returns as `deliver` */
  async deliverUnstored(record: LeadRecord): Promise<boolean> {
    const outcomes = await Promise.all(
      this.#lanes.map(({ target }) => this.#worker.sendOnce(record, target)),
    );
    return outcomes.length > 0 && outcomes.every(({ result }) => result === "ok");
  }

  /** Delivers all due jobs and sets an alarm for the next one. */
  async drain(): Promise<void> {
    await Promise.all(this.#lanes.map(async (lane) => {
      await this.#drain(lane);
      await Promise.all(lane.jobs.values());
    }));
  }

  /** Claims no more jobs and waits at most `ms` for attempts. @returns whether all have finished */
  stop(ms: number): Promise<boolean> {
    this.#stopped = true;
    for (const { alarm } of this.#lanes) alarm?.cancel();
    const finished = Promise.all([
      ...this.#lanes.flatMap(({ drain, jobs }) => [drain, ...jobs.values()]),
      this.#worker.idle(),
    ]);
    return allTrueWithin([finished.then(() => true)], { ms, clock: this.#deps.clock });
  }

  /** One drain per target at a time: a second caller waits for the first. */
  #drain(lane: Lane): Promise<void> {
    return lane.drain ??= this.#drainLane(lane)
      .catch((error: unknown) => this.#postpone(lane, error))
      .finally(() => lane.drain = undefined);
  }

  /** After a failure of KV, waits a minute before the next drain. */
  #postpone(lane: Lane, error: unknown): void {
    const { clock, log } = this.#deps;
    log.error("outbox.drain_failed", { target: lane.target.id, reason: errorName(error) });
    this.#wake(lane, clock.now() + LONGEST_NAP_MS);
  }

  /** Starts every due job; a slow job blocks only its own slot. */
  async #drainLane(lane: Lane): Promise<void> {
    const { target, jobs: inFlight } = lane;
    let failed = false;
    while (!this.#stopped && !failed) {
      const now = this.#deps.clock.now();
      const options = { now, most: 4 * CONCURRENCY };
      const due = await this.#deps.store.due(target.id, options);
      const former = await this.#deps.store.due(target.formerId, options);
      const jobs = [...due, ...former].filter(({ id }) => !inFlight.has(id));
      if (jobs.length === 0) break;
      for (const job of jobs) {
        while (inFlight.size >= CONCURRENCY) await Promise.race(inFlight.values());
        if (failed || this.#stopped) return;
        const work = this.#work(lane, job)
          .catch((error: unknown) => {
            failed = true;
            this.#postpone(lane, error);
          })
          .finally(() => inFlight.delete(job.id));
        inFlight.set(job.id, work);
      }
    }
    const next = await this.#deps.store.nextDue(target.id);
    if (next !== undefined) this.#wake(lane, next);
  }

  /** Claims a job under the target's name and attempts it, unless another instance has claimed it. */
  async #work(lane: Lane, job: DueJob): Promise<void> {
    const { id } = lane.target;
    const now = this.#deps.clock.now();
    const lease = now + LEASE_MS;
    let wasPutOff = false;
    try {
      const claimed = await this.#deps.store.change(job.id, (deliveries) => {
        const { [job.target]: delivery, ...others } = deliveries;
        if (delivery?.state !== "waiting" || delivery.due > now) return undefined;
        wasPutOff = delivery.due !== job.due;
        const leased = { ...delivery, due: lease };
        return job.target === id ? { ...deliveries, [id]: leased } : { [id]: leased, ...others };
      });
      // The record does not know the entry of a job that was put off, which stays due.
      if (claimed === null || wasPutOff) await this.#deps.store.dropStray(job);
      if (claimed?.deliveries[id]?.due === lease) await this.#attempt(claimed, lane);
    } catch (error) {
      if (!(error instanceof UnusableLead)) throw error;
      await this.#deps.store.putOff(job, now + UNUSABLE_MS);
      const fields = { lead: job.id, target: id, reason: errorName(error) };
      this.#deps.log.error("delivery.put_off", fields);
    }
  }

  /** @returns whether the target has acknowledged the lead */
  async #attempt(record: LeadRecord, lane: Lane): Promise<boolean> {
    lane.tries++;
    const delivery = await this.#worker.attempt(record, lane.target);
    lane.tries--;
    // If the outcome was not recorded, the job is due again when its lease expires.
    const again = delivery ?? record.deliveries[lane.target.id];
    if (again?.state === "waiting") this.#wake(lane, again.due);
    return delivery?.state === "delivered";
  }

  /** Sets an alarm to drain a target, unless an earlier one is set. */
  #wake(lane: Lane, at: number): void {
    const now = this.#deps.clock.now();
    const due = Math.min(Math.max(at, now), now + LONGEST_NAP_MS);
    if (this.#stopped || (lane.alarm !== undefined && lane.alarm.at <= due)) return;
    lane.alarm?.cancel();
    const cancel = this.#deps.clock.after(due - now, () => {
      lane.alarm = undefined;
      void this.#drain(lane);
    });
    lane.alarm = { at: due, cancel };
  }
}
