/**
 * @module The transactional outbox: leads that are stored but not yet with every target.
 *
 * A job belongs to whoever moved its due time ahead last (a lease). Taking a lead leases its jobs to
 * this process for the inline try, which is left to the queue where too little of the lease remains;
 * after a crash the lease runs out and any instance takes them. So a target gets each lead at least
 * once, and twice only where its answer, or the note of it, was lost.
 */

import { allTrueWithin, type Clock } from "./clock.ts";
import { DELIVERY_TIMEOUT_MS, DeliveryWorker, type DeliveryWorkerDeps } from "./delivery_worker.ts";
import type { Target } from "./delivery/target.ts";
import type { Deliveries, Delivery, LeadRecord } from "./lead.ts";
import { errorName, type Log } from "./log.ts";
import { afterTry } from "./retry.ts";
import { CannotOpen } from "./sealing.ts";
import type { DueJob, QueueStore } from "./store.ts";

/** How long a claimed job is nobody else's: a try, and a margin for what comes before and after. */
export const LEASE_MS = DELIVERY_TIMEOUT_MS + 5_000;

/** What must remain of a lease for a try and the note of its outcome. */
const LEASE_LEFT_MS = DELIVERY_TIMEOUT_MS + 2_000;

/** Jobs of one target's queue that are tried at once. */
const CONCURRENCY = 8;

/** Jobs of one target that are looked up at once. */
const PAGE = 4 * CONCURRENCY;

/**
 * Tries of one target at once before leads that come in wait in its queue instead: a target that
 * hangs must not pile up connections, nor keep every sender waiting for the inline time-out. Those
 * whose commit is under way are not counted yet, so that a burst may go beyond it once.
 */
const INLINE_CONCURRENCY = 64;

/** Alarms are set no further ahead: another instance may leave a job behind in between. */
const LONGEST_NAP_MS = 60_000;

/** What the outbox works with. */
export interface OutboxDeps extends DeliveryWorkerDeps {
  readonly store: QueueStore;
  readonly targets: readonly Target[];
}

/** What this process does for one target. Nothing in it waits for another target. */
interface Lane {
  readonly target: Target;
  /** Tries under way, inline ones included. */
  tries: number;
  /** Jobs of the queue that are being worked on, by lead. */
  readonly jobs: Map<string, Promise<void>>;
  drain?: Promise<void> | undefined;
  alarm?: { readonly at: number; readonly cancel: () => void } | undefined;
}

/** The queue's worker in this process. */
export class Outbox {
  readonly #store: QueueStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #worker: DeliveryWorker;
  readonly #lanes: readonly Lane[];
  /** Leads whose commit is ambiguous: their client may be told that they are lost. */
  readonly #ambiguous = new Set<string>();
  #stopped = false;

  constructor(deps: OutboxDeps) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#worker = new DeliveryWorker(deps);
    this.#lanes = deps.targets.map((target) => ({ target, tries: 0, jobs: new Map() }));
  }

  /**
   * The deliveries of a lead that comes in at `now`: leased to this process for the inline try, or due
   * at once for the queue where a target is busy.
   */
  enter(now: number): Deliveries {
    return Object.fromEntries(this.#lanes.map(({ target, tries }): [string, Delivery] => {
      const due = tries >= INLINE_CONCURRENCY ? now : now + LEASE_MS;
      return [target.id, { state: "waiting", due, tries: [] }];
    }));
  }

  /**
   * Tries a stored lead at every target that it is leased for, at once. What does not come about goes
   * on in the background.
   *
   * @returns true where all targets have acknowledged within `ms`; false also without a target
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
   * Hands a lead that could not be stored straight to every target; there is no second try.
   *
   * @returns true where all have acknowledged; false also without a target
   */
  async deliverUnstored(record: LeadRecord): Promise<boolean> {
    const outcomes = await Promise.all(
      this.#lanes.map(({ target }) => this.#worker.sendOnce(record, target)),
    );
    return outcomes.length > 0 && outcomes.every(({ result }) => result === "ok");
  }

  /** Notes that a lead had been delivered before its commit was known to have landed. */
  async markDelivered(record: LeadRecord): Promise<void> {
    const now = this.#clock.now();
    const acknowledged = (delivery: Delivery) =>
      afterTry(delivery, { result: "ok" }, { startedAt: now, now, random: 0 });
    await this.#store.change(record.id, (deliveries) => {
      const entries = Object.entries(deliveries);
      return Object.fromEntries(entries.map(([id, delivery]) => [id, acknowledged(delivery)]));
    });
  }

  /** Works off what is due at every target, and sets an alarm for what is due next. */
  async drain(): Promise<void> {
    await Promise.all(this.#lanes.map(async (lane) => {
      await this.#drain(lane);
      await Promise.all(lane.jobs.values());
    }));
  }

  /**
   * Takes no new work and waits for what is under way, `ms` at most; what is not settled then stays
   * in the queue.
   *
   * @returns true where all is settled
   */
  stop(ms: number): Promise<boolean> {
    this.#stopped = true;
    for (const { alarm } of this.#lanes) alarm?.cancel();
    const settled = Promise.all([
      ...this.#lanes.flatMap(({ drain, jobs }) => [drain, ...jobs.values()]),
      this.#worker.idle(),
    ]);
    return allTrueWithin([settled.then(() => true)], { ms, clock: this.#clock });
  }

  /** One drain a target at a time: a second caller waits for the first one's. */
  #drain(lane: Lane): Promise<void> {
    lane.drain ??= this.#drainLane(lane)
      .catch((error: unknown) => this.#postpone(lane, error))
      .finally(() => lane.drain = undefined);
    return lane.drain;
  }

  /** Without KV the queue is left alone for a while. */
  #postpone(lane: Lane, error: unknown): void {
    this.#log.error("outbox.drain_failed", { target: lane.target.id, reason: errorName(error) });
    this.#wake(lane, this.#clock.now() + LONGEST_NAP_MS);
  }

  /** Keeps all slots busy until every due job has been started; a slow one holds its own slot only. */
  async #drainLane(lane: Lane): Promise<void> {
    const { target, jobs: atWork } = lane;
    let failed = false;
    while (!this.#stopped && !failed) {
      const due = await this.#store.due(target.id, { now: this.#clock.now(), most: PAGE });
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

  /**
   * Does not deliver a lead until it is resolved whether KV holds it: its client may have been told
   * that it is lost.
   */
  leaveAlone(id: string, resolved: Promise<unknown>): void {
    this.#ambiguous.add(id);
    void resolved.finally(() => this.#ambiguous.delete(id));
  }

  /** Claims a job, unless another instance has it, and tries it. */
  async #work(lane: Lane, job: DueJob): Promise<void> {
    const { id } = lane.target;
    try {
      const claimed = await this.#store.change(job.id, (deliveries) => {
        const delivery = deliveries[id];
        if (delivery?.state !== "waiting" || delivery.due !== job.due) return undefined;
        return { ...deliveries, [id]: { ...delivery, due: this.#clock.now() + LEASE_MS } };
      });
      if (claimed === null) await this.#store.dropStray(id, job);
      // Claimed all the same: nobody else delivers it while it is being taken back.
      else if (!this.#ambiguous.has(job.id)) await this.#attempt(claimed, lane);
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      // Claimed, so that it comes up again when its lease has run out, and holds up nothing else.
      this.#log.error("delivery.cannot_open", { lead: job.id, target: id });
    }
  }

  /** @returns true where the target has acknowledged the lead */
  async #attempt(record: LeadRecord, lane: Lane): Promise<boolean> {
    lane.tries++;
    const delivery = await this.#worker.attempt(record, lane.target);
    lane.tries--;
    // Without a note of the try, the lease runs out and the job comes up again.
    const again = delivery ?? record.deliveries[lane.target.id];
    if (again?.state === "waiting") this.#wake(lane, again.due);
    return delivery?.state === "delivered";
  }

  /** Drains a target at a time, unless it is going to be drained earlier anyway. */
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
