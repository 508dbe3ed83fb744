/**
 * @module The queue of one target, as this process works on it; independent of other targets.
 *
 * Several processes may work on one queue. Each claims leads in bulk, from a random place of what is due
 * on, so that two seldom want the same ones. A paused target gets one lead at a time, from one of them.
 */

import { CircuitBreaker } from "./circuit_breaker.ts";
import { DeliveryWorker, type DeliveryWorkerDeps } from "./delivery_worker.ts";
import type { Target } from "./delivery/target.ts";
import { type Delivery, dueAgain, type LeadRecord, newRound } from "./lead.ts";
import { LEASE_LEFT_MS, LEASE_MS, leasedDelivery, Sightings } from "./leases.ts";
import { safeReason } from "../lib/log.ts";
import { Slots } from "./slots.ts";
import { type DueJob, MOST_CLAIMED, type QueueStore, UnusableLead } from "./ports.ts";
import { UnusableJobs } from "./unusable_jobs.ts";

/**
 * How many jobs are read at once: few while nothing is due; else the processes choose among many; more
 * where leases of processes that are gone hide what is due behind them.
 */
const [FIRST_WINDOW, WINDOW, LARGEST_WINDOW] = [200, 500, 8_000];

/** After so many claimed ones the queue is read again: others have claimed as well. */
const CLAIMED_A_READ = 250;

/** Commits that claim jobs, in flight at once. */
const CLAIMS_AT_ONCE = 8;

/** Until the queue is read again while all that is due is in flight, here or elsewhere. */
const BUSY_NAP_MS = 1_000;

/** No alarm is set further ahead: another instance may queue a job meanwhile. */
const LONGEST_NAP_MS = 60_000;

/** How long a lead waits that cannot be read or changed: its key may come back. */
const UNUSABLE_MS = 3_600_000;

export interface TargetQueueDeps extends DeliveryWorkerDeps {
  readonly store: QueueStore;
  /** The most attempts at once for one target. */
  readonly concurrency: number;
}

export class TargetQueue {
  readonly target: Target;
  readonly worker: DeliveryWorker;
  readonly #deps: TargetQueueDeps;
  readonly #breaker: CircuitBreaker;
  readonly #slots: Slots;
  readonly #sightings = new Sightings();
  /** Claimed jobs until their outcome is recorded, by lead. */
  readonly #jobs = new Map<string, Promise<boolean>>();
  readonly #unusable = new UnusableJobs();
  #claiming: Promise<void> | undefined;
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined;
  /** The lead whose attempt decides about the pause. */
  #probe: string | undefined;
  /** Whether something may be due that was not in what was last read. */
  #isStale = false;
  #stopped = false;

  constructor(target: Target, deps: TargetQueueDeps) {
    const { store, clock, log, concurrency } = deps;
    this.target = target;
    this.#deps = deps;
    this.#slots = new Slots({ most: concurrency, sending: () => this.worker.sending });
    const resumed = () => {
      this.#slots.limit.restart(clock.now());
      this.wake(clock.now());
    };
    this.#breaker = new CircuitBreaker(target.id, { store, clock, log, resumed });
    this.worker = new DeliveryWorker(target, deps, (outcome, times) => {
      const failed = outcome.result !== "ok" && !outcome.permanent;
      this.#slots.limit.note({ ...times, failed });
      this.#breaker.note(outcome, times);
      this.#slots.fill();
    });
  }

  /** A new round: leased to this process, or due at once if the target is busy or paused. */
  newRound(now: number, before?: Delivery): Delivery {
    const { slots, isRecovering } = this.#slots.limit;
    const most = isRecovering ? slots : this.#deps.concurrency;
    const isFree = this.worker.sending < most && this.#breaker.isClosed;
    const delivery = newRound(now, before);
    return isFree ? leasedDelivery(delivery, now) : delivery;
  }

  /** Attempts a lead that is leased to this process, in its turn. @returns whether it was delivered */
  deliver(record: LeadRecord): Promise<boolean> {
    const isFree = this.worker.sending < this.#deps.concurrency;
    return isFree ? this.#attempt(record) : this.#begin(record);
  }

  async #attempt(record: LeadRecord, answered?: () => void): Promise<boolean> {
    const { id: target } = this.target;
    try {
      const delivery = await this.worker.attempt(record, answered);
      if (delivery === undefined) this.leave(record);
      else if (delivery.state === "waiting") this.wake(delivery.due);
      return delivery?.state === "delivered";
    } catch (error) {
      const { due } = record.deliveries[target]!;
      await this.#putOffUnusable({ target, id: record.id, due }, error);
      return false;
    }
  }

  /** Leaves a lead to the queue, when its lease expires if it has one. */
  leave({ id, deliveries }: LeadRecord): void {
    const { due, leased } = deliveries[this.target.id]!;
    if (leased) this.#sightings.abandon({ id, due });
    this.wake(due);
  }

  /** Delivers what is due. Only one call claims jobs: others let it read the queue again, and wait. */
  async drain(): Promise<void> {
    this.#isStale = true;
    await (this.#claiming ??= this.#claimDue()
      .catch((error: unknown) => this.#postpone(error))
      .finally(() => this.#claiming = undefined));
    await Promise.all(this.#jobs.values());
    this.#unusable.report(this.#deps.log, this.target.id);
  }

  /** Claims no more jobs. Resolves when no attempt is in flight. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarm?.cancel();
    this.#slots.end();
    await this.#claiming;
    await Promise.all([...this.#jobs.values(), this.worker.idle()]);
    await this.#breaker.idle();
  }

  /** Sets an alarm to drain the queue, unless an earlier one is set; not while the target is paused. */
  wake(at: number): void {
    const { clock } = this.#deps;
    const now = clock.now();
    const earliest = Math.max(at, now, this.#breaker.pausedUntil);
    const due = Math.min(earliest, now + LONGEST_NAP_MS);
    if (this.#stopped || (this.#alarm !== undefined && this.#alarm.at <= due)) return;
    this.#alarm?.cancel();
    const cancel = clock.after(due - now, () => {
      this.#alarm = undefined;
      void this.drain();
    });
    this.#alarm = { at: due, cancel };
  }

  async #claimDue(): Promise<void> {
    const { store, clock } = this.#deps;
    const { id } = this.target;
    for (let most = FIRST_WINDOW; !this.#stopped;) {
      this.#isStale = false;
      // Before the queue is read: what ends meanwhile may still be among what was read.
      const known = new Set(this.#jobs.keys());
      const [window] = await Promise.all([store.queue(id, { most }), this.#breaker.refresh()]);
      const now = clock.now();
      this.#sightings.see(window, { most, now });
      const due = window.filter((job) => job.due <= now);
      const free = due.filter((job) => !known.has(job.id) && !this.#sightings.isLeased(job, now));
      const { pausedUntil } = this.#breaker;
      if (await this.#claimSome(free)) {
        most = WINDOW;
      } else if (due.length === most && most < LARGEST_WINDOW && pausedUntil <= now) {
        most = Math.min(4 * most, LARGEST_WINDOW);
      } else if (!this.#isStale) {
        const napUntil = pausedUntil > now ? pausedUntil : clock.now() + BUSY_NAP_MS;
        const next = window[0]?.due;
        if (next !== undefined) this.wake(Math.max(next, napUntil));
        return;
      }
    }
  }

  /** Claims due jobs as there is room for them. @returns whether it did */
  async #claimSome(due: readonly DueJob[]): Promise<boolean> {
    const { clock, random } = this.#deps;
    const from = Math.floor(random() * due.length);
    const jobs = [...due.slice(from), ...due.slice(0, from)];
    const claims = new Set<Promise<number>>();
    let claimed = 0;
    let isReserved = false;
    let failure: { readonly error: unknown } | undefined;
    while (jobs.length > 0 && claimed < CLAIMED_A_READ) {
      while (claims.size === CLAIMS_AT_ONCE) await Promise.race(claims);
      const room = await this.#slots.room(MOST_CLAIMED);
      if (this.#stopped || failure) break;
      if (!isReserved && clock.now() < this.#breaker.pausedUntil) break;
      const isProbe = !this.#breaker.isClosed;
      isReserved ||= isProbe && await this.#breaker.reserve(clock.now() + LEASE_MS);
      if (isProbe && !isReserved) break;
      const batch = jobs.splice(0, isProbe ? 1 : Math.min(room, MOST_CLAIMED));
      this.#probe = isProbe ? batch[0]!.id : undefined;
      const claim = this.#slots.during(batch.length, () => this.#claim(batch))
        .then((count) => (claimed += count, count))
        .catch((error: unknown) => (failure = { error }, 0))
        .finally(() => claims.delete(claim));
      claims.add(claim);
      if (!isProbe) continue;
      isReserved = await claim === 0;
      await Promise.all(this.#jobs.values());
    }
    await Promise.all(claims);
    // Of what was due, nothing was free to be claimed.
    if (isReserved) await this.#breaker.reserve(clock.now());
    if (failure !== undefined) throw failure.error;
    return claimed > 0;
  }

  /** Claims jobs and begins their attempts. @returns how many are not due any more */
  async #claim(jobs: readonly DueJob[]): Promise<number> {
    const now = this.#deps.clock.now();
    const due = new Map(jobs.map((job) => [job.id, job.due]));
    /** Jobs whose entry is that of their lead. */
    const known = new Set<string>();
    const { changed, left } = await this.#deps.store.changeTogether(
      [...due.keys()],
      (deliveries, id) => {
        if (deliveries[this.target.id]?.due !== due.get(id)) return undefined;
        known.add(id);
        return this.#sightings.lease(deliveries, { id, target: this.target.id }, now);
      },
    );
    for (const record of changed) void this.#begin(record);
    // The entry of a lead that another process has claimed since is gone; another one stays.
    const stays = (job: DueJob) => this.#sightings.age(job, now) >= BUSY_NAP_MS;
    const odd = jobs.filter((job) => left.includes(job.id) || (!known.has(job.id) && stays(job)));
    await Promise.all(odd.map((job) => this.#claimAlone(job, now)));
    return changed.length + odd.length;
  }

  /** For a job that cannot share a commit, or whose entry does not match its lead. */
  async #claimAlone(job: DueJob, now: number): Promise<void> {
    const { store } = this.#deps;
    let wasPutOff = false;
    try {
      const claimed = await store.change(job.id, (deliveries) => {
        wasPutOff = deliveries[this.target.id]?.due !== job.due;
        return this.#sightings.lease(deliveries, job, now);
      });
      // The record does not know the entry of a job that was put off, which stays due.
      if (claimed === null || wasPutOff) await store.dropStray(job);
      if (claimed !== null) void this.#begin(claimed);
    } catch (error) {
      await this.#putOffUnusable(job, error);
    }
  }

  /** Attempts a leased lead as soon as a slot is free. @returns whether it was delivered */
  #begin(record: LeadRecord): Promise<boolean> {
    const work = this.#attemptInSlot(record)
      .catch((error: unknown) => (this.#postpone(error), false))
      .finally(() => this.#jobs.delete(record.id));
    this.#jobs.set(record.id, work);
    return work;
  }

  async #attemptInSlot(record: LeadRecord): Promise<boolean> {
    const answered = await this.#slots.take();
    const now = this.#deps.clock.now();
    const isPaused = !this.#breaker.isClosed && this.#probe !== record.id;
    const isLate = record.deliveries[this.target.id]!.due - now < LEASE_LEFT_MS;
    if (!this.#stopped && !isPaused && !isLate) return await this.#attempt(record, answered);
    answered();
    await this.#release(record);
    return false;
  }

  /** Gives a claimed lead back to the queue. */
  async #release(record: LeadRecord): Promise<void> {
    const { id } = this.target;
    const lease = record.deliveries[id]!.due;
    this.leave(record);
    await this.#deps.store.change(record, (deliveries) => {
      const delivery = deliveries[id];
      if (delivery?.due !== lease) return undefined;
      return { ...deliveries, [id]: dueAgain(delivery, this.#deps.clock.now()) };
    });
    this.wake(this.#deps.clock.now());
  }

  /** After a failure of KV, waits a minute before the next drain. */
  #postpone(error: unknown): void {
    const { clock, log } = this.#deps;
    log.error("outbox.drain_failed", { target: this.target.id, reason: safeReason(error) });
    this.wake(clock.now() + LONGEST_NAP_MS);
  }

  /** One lead that cannot be used must not hold up the others. @throws any other error */
  async #putOffUnusable(job: DueJob, error: unknown): Promise<void> {
    if (!(error instanceof UnusableLead)) throw error;
    const { store, clock } = this.#deps;
    this.#unusable.add(safeReason(error), job.id);
    await store.putOff(job, clock.now() + UNUSABLE_MS);
  }
}
