/**
 * @module The transactional outbox: leads that are stored but not yet with every target.
 *
 * A job belongs to whoever moved its due time ahead last (a lease). Taking a lead leases its jobs to
 * this process for the inline try; after a crash the lease runs out and any instance takes them. So
 * a target gets each lead at least once, and twice only where a process died between the target's
 * answer and the note of it.
 */

import { allTrueWithin, type Clock } from "./clock.ts";
import { Courier, type CourierDeps, DELIVERY_TIMEOUT_MS } from "./courier.ts";
import type { Target } from "./delivery/target.ts";
import type { Deliveries, Delivery, LeadRecord } from "./lead.ts";
import { errorName, type Log } from "./log.ts";
import { CannotOpen } from "./sealing.ts";
import { afterTry } from "./retry.ts";
import type { DueJob, QueueStore } from "./store.ts";

/** How long a claimed job is nobody else's: a try, and a margin for noting its outcome. */
export const LEASE_MS = DELIVERY_TIMEOUT_MS + 5_000;

/** Jobs of one target that are tried at once. */
const CONCURRENCY = 8;

/** Alarms are set no further ahead: another instance may leave a job behind in between. */
const LONGEST_NAP_MS = 60_000;

/** What the outbox works with. */
export interface OutboxDeps extends CourierDeps {
  readonly store: QueueStore;
  readonly targets: readonly Target[];
}

/** The queue's worker in this process. */
export class Outbox {
  readonly #store: QueueStore;
  readonly #targets: readonly Target[];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #courier: Courier;
  readonly #drains = new Map<string, Promise<void>>();
  readonly #alarms = new Map<string, { at: number; cancel: () => void }>();
  #stopped = false;

  constructor(deps: OutboxDeps) {
    this.#store = deps.store;
    this.#targets = deps.targets;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#courier = new Courier(deps);
  }

  /** The deliveries of a lead that comes in now: all leased to this process. */
  leased(): Deliveries {
    const delivery: Delivery = { state: "waiting", due: this.#clock.now() + LEASE_MS, tries: [] };
    return Object.fromEntries(this.#targets.map(({ id }) => [id, delivery]));
  }

  /**
   * Tries a stored lead, whose jobs are leased to this process, at every target at once. What does
   * not come about goes on in the background.
   *
   * @returns true where all have acknowledged within `ms`; false also without a target
   */
  deliver(record: LeadRecord, ms: number): Promise<boolean> {
    if (this.#targets.length === 0 || this.#stopped) return Promise.resolve(false);
    const tries = this.#targets.map((target) => this.#carry(record, target));
    return allTrueWithin(tries, { ms, clock: this.#clock });
  }

  /**
   * Hands a lead that could not be stored straight to every target; there is no second try.
   *
   * @returns true where all have acknowledged; false also without a target
   */
  async deliverUnstored(record: LeadRecord): Promise<boolean> {
    const outcomes = await Promise.all(
      this.#targets.map((target) => this.#courier.hand(record, target)),
    );
    return outcomes.length > 0 && outcomes.every(({ result }) => result === "ok");
  }

  /** Notes that a lead had been delivered before its commit was known to have landed. */
  async markDelivered(record: LeadRecord): Promise<void> {
    const now = this.#clock.now();
    const options = { startedAt: now, now, random: 0 };
    await this.#store.change(record.id, (deliveries) =>
      Object.fromEntries(
        Object.entries(deliveries).map((
          [target, delivery],
        ) => [target, afterTry(delivery, { result: "ok" }, options)]),
      ));
  }

  /** Works off what is due at every target, and sets an alarm for what is due next. */
  async drain(): Promise<void> {
    await Promise.all(this.#targets.map((target) => this.#drain(target)));
  }

  /**
   * Takes no new work and waits for what is under way, `ms` at most; what is not settled then stays
   * in the queue.
   *
   * @returns true where all is settled
   */
  stop(ms: number): Promise<boolean> {
    this.#stopped = true;
    for (const { cancel } of this.#alarms.values()) cancel();
    this.#alarms.clear();
    const settled = Promise.all([this.#courier.idle(), ...this.#drains.values()]);
    return allTrueWithin([settled.then(() => true)], { ms, clock: this.#clock });
  }

  /** One drain a target at a time: a second caller waits for the first one's. */
  #drain(target: Target): Promise<void> {
    const running = this.#drains.get(target.id);
    if (running !== undefined) return running;
    const drain = this.#drainTarget(target)
      .catch((error: unknown) => {
        this.#log.error("outbox.drain_failed", { target: target.id, reason: errorName(error) });
        this.#wake(target, this.#clock.now() + LONGEST_NAP_MS);
      })
      .finally(() => this.#drains.delete(target.id));
    this.#drains.set(target.id, drain);
    return drain;
  }

  async #drainTarget(target: Target): Promise<void> {
    while (!this.#stopped) {
      const now = this.#clock.now();
      const jobs = await this.#store.due(target.id, { now, most: CONCURRENCY });
      if (jobs.length === 0) break;
      await Promise.all(jobs.map((job) => this.#workSafely(target, job)));
    }
    const next = await this.#store.nextDue(target.id);
    if (next !== undefined) this.#wake(target, next);
  }

  /** One lead that cannot be worked on must not keep the others from being worked off. */
  async #workSafely(target: Target, job: DueJob): Promise<void> {
    try {
      await this.#work(target, job);
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      // Claimed already, so that it comes up again when its lease has run out.
      this.#log.error("delivery.cannot_open", { lead: job.id, target: target.id });
    }
  }

  /** Claims a job, unless another instance has it, and tries it. */
  async #work(target: Target, job: DueJob): Promise<void> {
    const claimed = await this.#store.change(job.id, (deliveries) => {
      const delivery = deliveries[target.id];
      if (delivery?.state !== "waiting" || delivery.due !== job.due) return undefined;
      return { ...deliveries, [target.id]: { ...delivery, due: this.#clock.now() + LEASE_MS } };
    });
    if (claimed !== null) await this.#carry(claimed, target);
    else await this.#store.dropStray(target.id, job);
  }

  async #carry(record: LeadRecord, target: Target): Promise<boolean> {
    const delivery = await this.#courier.carry(record, target);
    const again = delivery === undefined
      ? record.deliveries[target.id]?.due
      : delivery.state === "waiting"
      ? delivery.due
      : undefined;
    if (again !== undefined) this.#wake(target, again);
    return delivery?.state === "delivered";
  }

  /** Drains a target at a time, unless it is going to be drained earlier anyway. */
  #wake(target: Target, at: number): void {
    const due = Math.min(Math.max(at, this.#clock.now()), this.#clock.now() + LONGEST_NAP_MS);
    const alarm = this.#alarms.get(target.id);
    if (this.#stopped || (alarm !== undefined && alarm.at <= due)) return;
    alarm?.cancel();
    const cancel = this.#clock.after(due - this.#clock.now(), () => {
      this.#alarms.delete(target.id);
      void this.#drain(target);
    });
    this.#alarms.set(target.id, { at: due, cancel });
  }
}
