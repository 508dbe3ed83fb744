/**
 * @module Leases: a process that claims a lead for a target moves its due time ahead and marks it. When
 * another process takes a lease for void, and why clocks need not agree: docs/architecture.md.
 */

import { DELIVERY_TIMEOUT_MS } from "./delivery_worker.ts";
import type { Deliveries, Delivery } from "./lead.ts";
import type { DueJob } from "./ports.ts";

/** One attempt, and a margin for the KV calls before and after it. */
export const LEASE_MS = DELIVERY_TIMEOUT_MS + 5_000;

/** The rest of a lease that an attempt needs; with less, the job is left to the queue. */
export const LEASE_LEFT_MS = DELIVERY_TIMEOUT_MS + 2_000;

/** The most that clocks may differ if no process lives as long as a lease. */
const CLOCK_SKEW_MS = 10 * 60_000;

export function leasedDelivery(delivery: Delivery, now: number): Delivery {
  return { ...delivery, due: now + LEASE_MS, leased: true };
}

interface Sighting {
  readonly job: Pick<DueJob, "id" | "due">;
  readonly since: number;
  isLeased: boolean;
}

/** When this process first saw what is now in a queue, and what it knows of that. */
export class Sightings {
  #seen = new Map<string, Sighting>();

  /** @param jobs the first `most` of the queue; it may have been read further before */
  see(
    jobs: readonly DueJob[],
    { most, now }: { readonly most: number; readonly now: number },
  ): void {
    const last = jobs.length < most ? undefined : jobs.at(-1);
    const isFurther = ({ id, due }: Sighting["job"]) =>
      last !== undefined && (due === last.due ? id > last.id : due > last.due);
    const first = jobs.map((job): [string, Sighting] => {
      const name = nameOf(job);
      return [name, this.#seen.get(name) ?? { job, since: now, isLeased: false }];
    });
    // What is void in any case need not be remembered.
    const further = [...this.#seen].filter(([, { job }]) =>
      isFurther(job) && now < job.due + CLOCK_SKEW_MS
    );
    this.#seen = new Map([...first, ...further]);
  }

  /** Marks a lease of this process that it does not use. */
  abandon(job: Pick<DueJob, "id" | "due">): void {
    this.#seen.set(nameOf(job), { job, since: -Infinity, isLeased: false });
  }

  /** Whether another process may be attempting it: known without a read. */
  isLeased(job: DueJob, now: number): boolean {
    return this.#seen.get(nameOf(job))?.isLeased === true && !this.#isVoid(job, now);
  }

  /** The deliveries with a lease of this process; undefined if another one may be attempting it. */
  lease(
    deliveries: Deliveries,
    { id, target }: Pick<DueJob, "id" | "target">,
    now: number,
  ): Deliveries | undefined {
    const delivery = deliveries[target];
    if (delivery?.state !== "waiting" || delivery.due > now) return undefined;
    const job = { id, due: delivery.due };
    if (delivery.leased && !this.#isVoid(job, now)) {
      const seen = this.#seen.get(nameOf(job));
      if (seen !== undefined) seen.isLeased = true;
      return undefined;
    }
    return { ...deliveries, [target]: leasedDelivery(delivery, now) };
  }

  #isVoid(job: Pick<DueJob, "id" | "due">, now: number): boolean {
    const { since = now } = this.#seen.get(nameOf(job)) ?? {};
    return now >= job.due + CLOCK_SKEW_MS || now - since >= LEASE_MS;
  }
}

function nameOf({ id, due }: Pick<DueJob, "id" | "due">): string {
  return `${due} ${id}`;
}
