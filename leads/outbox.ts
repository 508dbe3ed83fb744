/**
 * @module The transactional outbox: leads that are stored but not yet delivered to every target.
 *
 * A job belongs to the process that last moved its due time ahead (a lease). Accepting a lead leases its
 * jobs to this process for the inline attempt. After a crash the lease expires and any instance claims
 * the job: a target gets each lead at least once, and twice only if its answer, or the record of it,
 * was lost.
 */

import { allTrueWithin } from "../lib/clock.ts";
import { DELIVERY_TIMEOUT_MS, DeliveryWorker, type DeliveryWorkerDeps } from "./delivery_worker.ts";
import type { Target } from "./delivery/target.ts";
import { type Deliveries, type LeadRecord, newRound } from "./lead.ts";
import { safeReason } from "../lib/log.ts";
import { type DueJob, type ExistingLead, type QueueStore, UnusableLead } from "./ports.ts";

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

/** The same for leads that KV does not hold: they have no queue, and their clients are told to send again. */
const UNSTORED_CONCURRENCY = 256;

/** Until the queue is read again while all that is due is in flight. */
const BUSY_NAP_MS = 1_000;

/** No alarm is set further ahead: another instance may queue a job meanwhile. */
const LONGEST_NAP_MS = 60_000;

/** How long a lead waits that cannot be read or changed: its key may come back. */
const UNUSABLE_MS = 3_600_000;

/** A line about leads that were put off has at most so many of their ids. */
const LOGGED_IDS = 10;

interface OutboxDeps extends DeliveryWorkerDeps {
  readonly store: QueueStore;
  readonly targets: readonly Target[];
}

/** The work for one target in this process; independent of other targets. */
interface Lane {
  readonly target: Target;
  readonly worker: DeliveryWorker;
  /** Claimed jobs, by lead. */
  readonly jobs: Map<string, Promise<void>>;
  /** The leads put off since the last line about them, by reason. */
  readonly putOff: Map<string, { readonly leads: number; readonly ids: readonly string[] }>;
  claiming?: Promise<void> | undefined;
  alarm?: { readonly at: number; readonly cancel: () => void } | undefined;
}

/** Delivers the leads that this process has leased. */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #lanes: readonly Lane[];
  #stopped = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    this.#lanes = deps.targets.map((target) => {
      const worker = new DeliveryWorker(target, deps);
      return { target, worker, jobs: new Map(), putOff: new Map() };
    });
  }

  /** The deliveries of a new lead: leased for the inline attempt, or due at once if a target is busy. */
  initialDeliveries(now: number): Deliveries {
    const all = this.#lanes.map((lane) => [lane.target.id, newRound(firstDue(lane, now))]);
    return Object.fromEntries(all);
  }

  /**
   * Attempts the targets that are leased to this process, concurrently; by default all. Attempts that
   * take longer than `ms` continue in the background.
   *
   * @returns true if all of the lead's targets have acknowledged within `ms`; false also without one
   */
  deliver(record: LeadRecord, ms: number, leased = this.#lanes): Promise<boolean> {
    if (this.#lanes.length === 0 || this.#stopped) return Promise.resolve(false);
    const { clock } = this.#deps;
    const works = Object.entries(record.deliveries).map(([target, { state, due }]) => {
      const lane = leased.find((one) => one.target.id === target);
      if (lane === undefined) return Promise.resolve(state === "delivered");
      if (due - clock.now() >= LEASE_LEFT_MS) return this.#attempt(record, lane);
      this.#wake(lane, due);
      return Promise.resolve(false);
    });
    return allTrueWithin(works, { ms, clock });
  }

  /**
   * Gives a lead that was sent again another round at each target where it is a dead letter.
   *
   * @returns as `deliver`
   * @throws {UnusableLead} and what the store throws
   */
  async deliverAgain({ id }: ExistingLead, ms: number): Promise<boolean> {
    let dead: readonly Lane[] = [];
    const record = await this.#deps.store.change(id, (current) => {
      dead = this.#lanes.filter(({ target }) => current[target.id]?.state === "dead");
      const now = this.#deps.clock.now();
      const renewed = dead.map((lane) => {
        const { id } = lane.target;
        return [id, newRound(firstDue(lane, now), current[id])];
      });
      return dead.length === 0 ? undefined : { ...current, ...Object.fromEntries(renewed) };
    });
    return record !== null && await this.deliver(record, ms, dead);
  }

  /** Attempts all targets once, for a lead that is not known to be stored. @returns as `deliver` */
  async deliverUnstored(record: LeadRecord): Promise<boolean> {
    if (this.#lanes.some(({ worker }) => worker.load >= UNSTORED_CONCURRENCY)) return false;
    const outcomes = await Promise.all(this.#lanes.map(({ worker }) => worker.sendOnce(record)));
    return outcomes.length > 0 && outcomes.every(({ result }) => result === "ok");
  }

  /** Delivers all due jobs and sets an alarm for the next one. */
  async drain(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => this.#drain(lane)));
  }

  /** Claims no more jobs and waits at most `ms` for attempts. @returns whether all have finished */
  stop(ms: number): Promise<boolean> {
    this.#stopped = true;
    for (const { alarm } of this.#lanes) alarm?.cancel();
    const finished = Promise.all([
      ...this.#lanes.flatMap(({ claiming, jobs }) => [claiming, ...jobs.values()]),
      ...this.#lanes.map(({ worker }) => worker.idle()),
    ]);
    return allTrueWithin([finished.then(() => true)], { ms, clock: this.#deps.clock });
  }

  /** Delivers what is due for a target. Only one call claims jobs: others wait for it. */
  async #drain(lane: Lane): Promise<void> {
    await (lane.claiming ??= this.#claimDue(lane)
      .catch((error: unknown) => this.#postpone(lane, error))
      .finally(() => lane.claiming = undefined));
    await Promise.all(lane.jobs.values());
    this.#reportPutOff(lane);
  }

  /** After a failure of KV, waits a minute before the next drain. */
  #postpone(lane: Lane, error: unknown): void {
    const { clock, log } = this.#deps;
    log.error("outbox.drain_failed", { target: lane.target.id, reason: safeReason(error) });
    this.#wake(lane, clock.now() + LONGEST_NAP_MS);
  }

  /** Starts every due job; a slow job blocks only its own slot. */
  async #claimDue(lane: Lane): Promise<void> {
    const { store, clock } = this.#deps;
    const { target, jobs: inFlight } = lane;
    let failed = false;
    while (!this.#stopped && !failed) {
      // Before the queue is read: what ends meanwhile may still be among what was read.
      const known = new Set(inFlight.keys());
      const due = await store.due(target.id, { now: clock.now(), most: 4 * CONCURRENCY });
      const jobs = due.filter(({ id }) => !known.has(id));
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
    const [next] = await store.due(target.id, { now: Infinity, most: 1 });
    // What is still due is in flight: its entry must not be read without a pause.
    if (next !== undefined) this.#wake(lane, Math.max(next.due, clock.now() + BUSY_NAP_MS));
  }

  /** Claims a job and attempts it, unless another instance has claimed it. */
  async #work(lane: Lane, job: DueJob): Promise<void> {
    const { store, clock } = this.#deps;
    const { id } = lane.target;
    const now = clock.now();
    const lease = now + LEASE_MS;
    let wasPutOff = false;
    try {
      const claimed = await store.change(job.id, (deliveries) => {
        const delivery = deliveries[id];
        if (delivery?.state !== "waiting" || delivery.due > now) return undefined;
        wasPutOff = delivery.due !== job.due;
        return { ...deliveries, [id]: { ...delivery, due: lease } };
      });
      // The record does not know the entry of a job that was put off, which stays due.
      if (claimed === null || wasPutOff) await store.dropStray(job);
      if (claimed?.deliveries[id]?.due === lease) await this.#attempt(claimed, lane);
    } catch (error) {
      await this.#putOff(lane, job, error);
    }
  }

  /** One lead that cannot be used must not hold up the others. @throws any other error */
  async #putOff({ putOff }: Lane, job: DueJob, error: unknown): Promise<void> {
    if (!(error instanceof UnusableLead)) throw error;
    const { store, clock } = this.#deps;
    const reason = safeReason(error);
    const { leads, ids } = putOff.get(reason) ?? { leads: 0, ids: [] };
    putOff.set(reason, { leads: leads + 1, ids: [...ids, job.id].slice(0, LOGGED_IDS) });
    await store.putOff(job, clock.now() + UNUSABLE_MS);
  }

  #reportPutOff({ target, putOff }: Lane): void {
    for (const [reason, { leads, ids }] of putOff) {
      const fields = { target: target.id, leads, reason, ids: ids.join(" ") };
      this.#deps.log.error("delivery.put_off", fields);
    }
    putOff.clear();
  }

  /** @returns whether the target has acknowledged the lead */
  async #attempt(record: LeadRecord, lane: Lane): Promise<boolean> {
    const { id: target } = lane.target;
    const leased = record.deliveries[target]!;
    try {
      const delivery = await lane.worker.attempt(record);
      // If the outcome was not recorded, the job is due again when its lease expires.
      const { state, due } = delivery ?? leased;
      if (state === "waiting") this.#wake(lane, due);
      return delivery?.state === "delivered";
    } catch (error) {
      await this.#putOff(lane, { target, id: record.id, due: leased.due }, error);
      return false;
    }
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

/** When the first attempt of a round is due: when the lease of this process ends, or at once if it is busy. */
function firstDue({ worker }: Lane, now: number): number {
  return worker.load >= INLINE_CONCURRENCY ? now : now + LEASE_MS;
}
