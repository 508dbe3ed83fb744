/**
 * @module The transactional outbox: leads that are stored but not yet delivered to every target.
 *
 * A job belongs to the process that last moved its due time ahead (a lease). Accepting a lead leases its
 * jobs to this process for the inline attempt; if too little of the lease remains, the queue takes over.
 * After a crash the lease expires and any instance claims the job. So a target gets each lead at least
 * once, and twice only if its answer, or the record of it, was lost.
 */

import { allTrueWithin, type Clock } from "./clock.ts";
import { DELIVERY_TIMEOUT_MS, DeliveryWorker, type DeliveryWorkerDeps } from "./delivery_worker.ts";
import type { Target } from "./delivery/target.ts";
import type { Deliveries, Delivery, LeadRecord } from "./lead.ts";
import { errorName, type Log } from "./log.ts";
import { CannotOpen } from "./sealing.ts";
import type { DueJob, QueueStore } from "./store.ts";

/** How long a claim lasts: one attempt, and a margin for the KV calls around it. */
export const LEASE_MS = DELIVERY_TIMEOUT_MS + 5_000;

/** What must remain of a lease for an attempt and recording its outcome. */
const LEASE_LEFT_MS = DELIVERY_TIMEOUT_MS + 2_000;

/** Jobs of one target's queue attempted at once. */
const CONCURRENCY = 8;

/**
 * Attempts in flight at one target before new leads go to its queue instead: a target that hangs must
 * not pile up connections, nor make every client wait for the inline timeout. Leads whose commit is in
 * flight are not counted yet, so that a burst may exceed it once.
 */
const INLINE_CONCURRENCY = 64;

/** Alarms are set no further ahead: another instance may queue a job meanwhile. */
const LONGEST_NAP_MS = 60_000;

interface OutboxDeps extends DeliveryWorkerDeps {
  readonly store: QueueStore;
  readonly targets: readonly Target[];
}

/** One target's work in this process. Nothing in it waits for another target. */
interface Lane {
  readonly target: Target;
  /** Attempts in flight, inline ones included. */
  tries: number;
  /** Claimed jobs of the queue, by lead. */
  readonly jobs: Map<string, Promise<void>>;
  drain?: Promise<void> | undefined;
  alarm?: { readonly at: number; readonly cancel: () => void } | undefined;
}

/** This process's share of the queue. */
export class Outbox {
  readonly #store: QueueStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #worker: DeliveryWorker;
  readonly #lanes: readonly Lane[];
  #stopped = false;

  constructor(deps: OutboxDeps) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#worker = new DeliveryWorker(deps);
    this.#lanes = deps.targets.map((target) => ({ target, tries: 0, jobs: new Map() }));
  }

  /**
   * The deliveries of a lead that arrives at `now`: leased to this process for the inline attempt, or
   * due at once in the queue of a target that is busy.
   */
  enter(now: number): Deliveries {
    return Object.fromEntries(this.#lanes.map(({ target, tries }): [string, Delivery] => {
      const due = tries >= INLINE_CONCURRENCY ? now : now + LEASE_MS;
      return [target.id, { state: "waiting", due, tries: [] }];
    }));
  }

  /**
   * Attempts every target that the lead is leased for, at once. Attempts that take longer than `ms` go
   * on in the background.
   *
   * @returns true if all targets have acknowledged within `ms`; false also without a target
   */
  deliver(record: LeadRecord, ms: number): Promise<boolean> {
    if (this.#lanes.length === 0 || this.#stopped) return Promise.resolve(false);
    const tries = this.#lanes.map((lane) => {
      const due = record.deliveries[lane.target.id]?.due ?? record.receivedAt;
      if (due - this.#clock.now() >= LEASE_LEFT_MS) return this.#attempt(record, lane);
      this.#wake(lane, due);
      return Promise.resolve(false);
    });
    return allTrueWithin(tries, { ms, clock: this.#clock });
  }

  /**
   * Sends a lead that KV is not known to hold straight to every target, once.
   *
   * @returns true if all have acknowledged; false also without a target
   */
  async deliverUnstored(record: LeadRecord): Promise<boolean> {
    const outcomes = await Promise.all(
      this.#lanes.map(({ target }) => this.#worker.sendOnce(record, target)),
    );
    return outcomes.length > 0 && outcomes.every(({ result }) => result === "ok");
  }

  /** Delivers what is due at every target, and sets an alarm for the next due job. */
  async drain(): Promise<void> {
    await Promise.all(this.#lanes.map(async (lane) => {
      await this.#drain(lane);
      await Promise.all(lane.jobs.values());
    }));
  }

  /**
   * Claims no more jobs and waits for attempts in flight, `ms` at most; unfinished jobs stay in the
   * queue.
   *
   * @returns true if all attempts have finished
   */
  stop(ms: number): Promise<boolean> {
    this.#stopped = true;
    for (const { alarm } of this.#lanes) alarm?.cancel();
    const finished = Promise.all([
      ...this.#lanes.flatMap(({ drain, jobs }) => [drain, ...jobs.values()]),
      this.#worker.idle(),
    ]);
    return allTrueWithin([finished.then(() => true)], { ms, clock: this.#clock });
  }

  /** One drain a target at a time: a second caller waits for the first one's. */
  #drain(lane: Lane): Promise<void> {
    lane.drain ??= this.#drainLane(lane)
      .catch((error: unknown) => this.#postpone(lane, error))
      .finally(() => lane.drain = undefined);
    return lane.drain;
  }

  /** While KV fails, the queue is left alone for a minute. */
  #postpone(lane: Lane, error: unknown): void {
    this.#log.error("outbox.drain_failed", { target: lane.target.id, reason: errorName(error) });
    this.#wake(lane, this.#clock.now() + LONGEST_NAP_MS);
  }

  /** Keeps all slots busy until every due job has started; a slow job blocks only its own slot. */
  async #drainLane(lane: Lane): Promise<void> {
    const { target, jobs: atWork } = lane;
    let failed = false;
    while (!this.#stopped && !failed) {
      const due = await this.#store.due(target.id, {
        now: this.#clock.now(),
        most: 4 * CONCURRENCY,
      });
      const jobs = due.filter(({ id }) => !atWork.has(id));
      if (jobs.length === 0) break;
      for (const job of jobs) {
        while (atWork.size >= CONCURRENCY) await Promise.race(atWork.values());
        if (failed || this.#stopped) return;
        const work = this.#work(lane, job)
          .catch((error: unknown) => {
            failed = true;
            this.#postpone(lane, error);
          })
          .finally(() => atWork.delete(job.id));
        atWork.set(job.id, work);
      }
    }
    const next = await this.#store.nextDue(target.id);
    if (next !== undefined) this.#wake(lane, next);
  }

  /** Claims a job, unless another instance holds it, and attempts it. */
  async #work(lane: Lane, job: DueJob): Promise<void> {
    const { id } = lane.target;
    try {
      const claimed = await this.#store.change(job.id, (deliveries) => {
        const delivery = deliveries[id];
        if (delivery?.state !== "waiting" || delivery.due !== job.due) return undefined;
        return { ...deliveries, [id]: { ...delivery, due: this.#clock.now() + LEASE_MS } };
      });
      if (claimed === null) await this.#store.dropStray(id, job);
      else await this.#attempt(claimed, lane);
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      // Claimed, so that it is due again when its lease expires, and blocks nothing else.
      this.#log.error("delivery.cannot_open", { lead: job.id, target: id });
    }
  }

  /** @returns true if the target has acknowledged the lead */
  async #attempt(record: LeadRecord, lane: Lane): Promise<boolean> {
    lane.tries++;
    const delivery = await this.#worker.attempt(record, lane.target);
    lane.tries--;
    // Without a recorded outcome the job is due again when its lease expires.
    const again = delivery ?? record.deliveries[lane.target.id];
    if (again?.state === "waiting") this.#wake(lane, again.due);
    return delivery?.state === "delivered";
  }

  /** Sets an alarm to drain a target at a time, unless an earlier one is set. */
  #wake(lane: Lane, at: number): void {
    const now = this.#clock.now();
    const due = Math.min(Math.max(at, now), now + LONGEST_NAP_MS);
    if (this.#stopped || (lane.alarm !== undefined && lane.alarm.at <= due)) return;
    lane.alarm?.cancel();
    const cancel = this.#clock.after(due - now, () => {
      lane.alarm = undefined;
      void this.#drain(lane);
    });
    lane.alarm = { at: due, cancel };
  }
}
