/**
 * @module The transactional outbox: leads that are stored but not yet delivered to every target. A target
 * gets each lead at least once, and twice only if its answer, or the record of it, was lost.
 */

import { allTrueWithin } from "../lib/clock.ts";
import { Turns } from "../lib/turns.ts";
import type { Target } from "./delivery/target.ts";
import { type Deliveries, isDelivered, type LeadRecord } from "./lead.ts";
import { LEASE_LEFT_MS } from "./leases.ts";
import type { QueueDeps } from "./delivery_worker.ts";
import { TargetQueue } from "./target_queue.ts";

/** Leads that KV does not hold have no queue: so many are attempted at once, and so many wait. */
const UNSTORED = { atOnce: 256, waiting: 1_024 };

export const UNSTORED_WAIT_MS = 4_000;

interface OutboxDeps extends QueueDeps {
  readonly targets: readonly Target[];
}

export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #queues: readonly TargetQueue[];
  readonly #turns = new Turns(UNSTORED);
  #stopped = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    this.#queues = deps.targets.map((target) => new TargetQueue(target, deps));
  }

  /** The deliveries of a new lead: leased for the inline attempt, or due at once. */
  initialDeliveries(now: number): Deliveries {
    return Object.fromEntries(this.#queues.map((queue) => [queue.id, queue.newRound(now)]));
  }

  /**
   * Attempts the targets that are leased to this process, concurrently; by default all. Attempts that
   * take longer than `ms` continue in the background.
   *
   * @returns true if all of the lead's targets have acknowledged within `ms`; false also without one
   */
  deliver(record: LeadRecord, ms: number, leased = this.#queues): Promise<boolean> {
    if (this.#queues.length === 0 || this.#stopped) return Promise.resolve(false);
    const { clock } = this.#deps;
    const works = Object.entries(record.deliveries).map(([target, delivery]) => {
      const { state, due, leased: isLeased = false } = delivery;
      const queue = leased.find(({ id }) => id === target);
      if (queue === undefined) return Promise.resolve(state === "delivered");
      if (isLeased && due - clock.now() >= LEASE_LEFT_MS) return queue.deliver(record);
      queue.leave(record);
      return Promise.resolve(false);
    });
    return allTrueWithin(works, { ms, clock });
  }

  /**
   * Gives a lead that was sent again another round at each target where it is a dead letter.
   *
   * @returns whether there is one, and as `deliver`
   * @throws {UnusableLead} and what the store throws
   */
  async deliverAgain(id: string, ms: number): Promise<{ again: boolean; delivered: boolean }> {
    const { store, clock } = this.#deps;
    let dead: readonly TargetQueue[] = [];
    let delivered = false;
    const record = await store.change(id, (current) => {
      delivered = isDelivered(current);
      dead = this.#queues.filter(({ id }) => current[id]?.state === "dead");
      if (dead.length === 0) return undefined;
      const now = clock.now();
      const renewed = dead.map((queue) => [queue.id, queue.newRound(now, current[queue.id])]);
      return { ...current, ...Object.fromEntries(renewed) };
    });
    if (record === null) return { again: false, delivered };
    return { again: true, delivered: await this.deliver(record, ms, dead) };
  }

  /** Attempts all targets once, for a lead that is not known to be stored. @returns as `deliver` */
  async deliverUnstored(record: LeadRecord): Promise<boolean> {
    if (this.#queues.length === 0) return false;
    const { clock } = this.#deps;
    return await this.#turns.take({ ms: UNSTORED_WAIT_MS, clock }, async () => {
      const outcomes = await Promise.all(this.#queues.map((queue) => queue.sendOnce(record)));
      return outcomes.every(({ result }) => result === "ok");
    }) ?? false;
  }

  /** Delivers all due jobs and sets an alarm for the next one. */
  async drain(): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.drain()));
  }

  /** Claims no more jobs and waits at most `ms` for attempts. @returns whether all have finished */
  stop(ms: number): Promise<boolean> {
    this.#stopped = true;
    const finished = Promise.all(this.#queues.map((queue) => queue.stop()));
    return allTrueWithin([finished.then(() => true)], { ms, clock: this.#deps.clock });
  }
}
