/**
 * @module The queue of one target, as this process works on it; independent of other targets.
 *
 * Several processes may work on one queue. Each claims leads in bulk, from a random place of what is due
 * on, so that two seldom want the same ones. A paused target gets one lead at a time, from one of them.
 */

import { CircuitBreaker } from "./circuit_breaker.ts";
import { DeliveryWorker, type QueueDeps } from "./delivery_worker.ts";
import type { Target } from "./delivery/target.ts";
import { type Delivery, dueAgain, type LeadRecord, newRound } from "./lead.ts";
import { LEASE_LEFT_MS, LEASE_MS, leasedDelivery, Sightings } from "./leases.ts";
import { safeReason } from "../lib/log.ts";
import { Slots } from "./slots.ts";
import type { DeliveryOutcome } from "./retry.ts";
import { type DueJob, MOST_CLAIMED, UnusableLead } from "./ports.ts";

/**
 * How many jobs are read at once: few while nothing is due; else the processes choose among many; more
 * where leases of processes that are gone hide what is due behind them.
 */
const [FIRST_WINDOW, WINDOW, LARGEST_WINDOW] = [200, 500, 8_000];

/** After so many claimed ones the queue is read again: others have claimed as well. */
const CLAIMED_A_READ = 250;

const CLAIMS_AT_ONCE = 8;

/** Until the queue is read again: while all that is due is in flight; for what other instances queue. */
const [BUSY_NAP_MS, LONGEST_NAP_MS] = [1_000, 60_000];

/** A line of the log names so many of the leads that were put off. */
const LOGGED_IDS = 10;

/** How long a lead waits that cannot be read or changed: its key may come back. */
const UNUSABLE_MS = 3_600_000;

export class TargetQueue {
  readonly id: string;
  readonly #worker: DeliveryWorker;
  readonly #deps: QueueDeps;
  readonly #breaker: CircuitBreaker;
  readonly #slots: Slots;
  readonly #sightings = new Sightings();
  /** Leads that are attempted here, or wait for it, until their outcome is recorded. */
  readonly #jobs = new Map<string, Promise<unknown>>();
  /** Ids of leads that were put off since that was last logged, by reason. */
  readonly #putOff = new Map<string, string[]>();
  #claiming: Promise<void> | undefined;
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined;
  /** The lead whose attempt decides about the pause. */
  #probe: string | undefined;
  /** Whether something may be due that was not in what was last read. */
  #isStale = false;
  #stopped = false;

  constructor(target: Target, deps: QueueDeps) {
    this.id = target.id;
    this.#deps = deps;
    this.#slots = new Slots({ most: deps.concurrency, sending: () => this.#worker.sending });
    const resumed = () => {
      this.#slots.limit.restart(deps.clock.now());
      this.wake(deps.clock.now());
    };
    this.#breaker = new CircuitBreaker(target.id, { ...deps, resumed });
    this.#worker = new DeliveryWorker(target, deps, (outcome, times) => {
      const failed = outcome.result !== "ok" && !outcome.permanent;
      this.#slots.limit.note({ ...times, failed });
      this.#breaker.note(outcome, times);
      this.#slots.fill();
    });
  }

  /** A new round: leased to this process, or due at once if the target is busy or paused. */
  newRound(now: number, before?: Delivery): Delivery {
    const delivery = newRound(now, before);
    const isFree = this.#slots.isFree && this.#breaker.isClosed;
    return isFree ? leasedDelivery(delivery, now) : delivery;
  }

  /** Attempts a lead that is leased to this process, in its turn. @returns whether it was delivered */
  deliver(record: LeadRecord): Promise<boolean> {
    const isFree = this.#worker.sending < this.#deps.concurrency;
    return isFree ? this.#track(record, this.#attempt(record)) : this.#begin(record);
  }

  /** Makes one attempt at a lead that is not known to be stored. Never rejects. */
  sendOnce(record: LeadRecord): Promise<DeliveryOutcome> {
    return this.#track(record, this.#worker.send(record));
  }

  #track<T>({ id }: LeadRecord, work: Promise<T>): Promise<T> {
    this.#jobs.set(id, work);
    return work.finally(() => this.#jobs.delete(id));
  }

  async #attempt(record: LeadRecord, answered?: () => void): Promise<boolean> {
    const target = this.id;
    try {
      const delivery = await this.#worker.attempt(record, answered);
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
    const { due, leased } = deliveries[this.id]!;
    if (leased) this.#sightings.abandon({ id, due });
    this.wake(due);
  }

  /** Delivers what is due. Only one call claims jobs: others let it read the queue again, and wait. */
  async drain(): Promise<void> {
    this.#isStale = true;
    await (this.#claiming ??= this.#claimDue()
      .catch((error: unknown) => this.#postpone(error))
      .finally(() => this.#claiming = undefined));
    await Promise.allSettled(this.#jobs.values());
    for (const [reason, all] of this.#putOff) {
      const ids = all.slice(0, LOGGED_IDS).join(" ");
      const fields = { target: this.id, leads: all.length, reason, ids };
      this.#deps.log.error("delivery.put_off", fields);
    }
    this.#putOff.clear();
  }

  /** Claims no more jobs. Resolves when no attempt is in flight. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarm?.cancel();
    this.#slots.end();
    await this.#claiming;
    while (this.#jobs.size > 0) await Promise.allSettled(this.#jobs.values());
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
    for (let most = FIRST_WINDOW; !this.#stopped;) {
      this.#isStale = false;
      // Before the queue is read: what ends meanwhile may still be among what was read.
      const known = new Set(this.#jobs.keys());
      const [window] = await Promise.all([store.queue(this.id, { most }), this.#breaker.refresh()]);
      const now = clock.now();
      this.#sightings.see(window, { most, now });
      const due = window.filter((job) => job.due <= now);
      const free = due.filter((job) => !known.has(job.id) && !this.#sightings.isLeased(job, now));
      const each = new Map(free.map((job) => [job.id, job])).values(); // one may have two entries
      const { pausedUntil } = this.#breaker;
      if (await this.#claimSome([...each])) {
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
    const from = Math.floor(this.#deps.random() * due.length);
    const jobs = [...due.slice(from), ...due.slice(0, from)];
    if (!this.#breaker.isClosed) return await this.#claimProbe(jobs);
    const claims = new Set<Promise<void>>();
    let claimed = 0;
    let failure: { readonly error: unknown } | undefined;
    while (jobs.length > 0 && claimed < CLAIMED_A_READ) {
      while (claims.size === CLAIMS_AT_ONCE) await Promise.race(claims);
      const room = await this.#slots.room(MOST_CLAIMED);
      if (this.#stopped || failure || !this.#breaker.isClosed) break;
      const batch = jobs.splice(0, Math.min(room, MOST_CLAIMED));
      const claim = this.#slots.during(batch.length, () => this.#claim(batch))
        .then((count) => void (claimed += count), (error) => void (failure = { error }))
        .finally(() => claims.delete(claim));
      claims.add(claim);
    }
    await Promise.all(claims);
    if (failure !== undefined) throw failure.error;
    return claimed > 0;
  }

  /** Claims one lead after a pause, for the attempt that decides, and waits for its outcome. */
  async #claimProbe(jobs: readonly DueJob[]): Promise<boolean> {
    const now = this.#deps.clock.now();
    if (jobs.length === 0 || now < this.#breaker.pausedUntil) return false;
    if (!await this.#breaker.reserve(now + LEASE_MS)) return false;
    for (const job of jobs) {
      if (this.#stopped) break;
      if (this.#breaker.isClosed) return true; // an earlier attempt has ended the pause
      this.#probe = job.id;
      if (await this.#claim([job]) === 0) continue;
      await this.#jobs.get(job.id);
      return true;
    }
    await this.#breaker.reserve(this.#deps.clock.now()); // nothing was free to be claimed
    return false;
  }

  /** Claims jobs and begins their attempts. @returns how many are not due any more */
  async #claim(jobs: readonly DueJob[]): Promise<number> {
    const { store, clock } = this.#deps;
    const now = clock.now();
    const { claimed, unusable } = await store.claim(
      jobs,
      (deliveries, job) => this.#sightings.lease(deliveries, job, now),
    );
    for (const record of claimed) void this.#begin(record);
    await Promise.all(unusable.map(([job, error]) => this.#putOffUnusable(job, error)));
    return claimed.length + unusable.length;
  }

  /** Attempts a leased lead as soon as a slot is free. @returns whether it was delivered */
  #begin(record: LeadRecord): Promise<boolean> {
    const work = this.#attemptInSlot(record)
      .catch((error: unknown) => (this.#postpone(error), false));
    return this.#track(record, work);
  }

  async #attemptInSlot(record: LeadRecord): Promise<boolean> {
    const answered = await this.#slots.take();
    const now = this.#deps.clock.now();
    const isPaused = !this.#breaker.isClosed && this.#probe !== record.id;
    const isLate = record.deliveries[this.id]!.due - now < LEASE_LEFT_MS;
    if (!this.#stopped && !isPaused && !isLate) return await this.#attempt(record, answered);
    answered();
    await this.#release(record);
    return false;
  }

  /** Gives a claimed lead back to the queue. */
  async #release(record: LeadRecord): Promise<void> {
    const { id } = this;
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
    log.error("outbox.drain_failed", { target: this.id, reason: safeReason(error) });
    this.wake(clock.now() + LONGEST_NAP_MS);
  }

  /** One lead that cannot be used must not hold up the others. @throws any other error */
  async #putOffUnusable(job: DueJob, error: unknown): Promise<void> {
    if (!(error instanceof UnusableLead)) throw error;
    const { store, clock } = this.#deps;
    this.#putOff.getOrInsert(safeReason(error), []).push(job.id);
    await store.putOff(job, clock.now() + UNUSABLE_MS);
  }
}
