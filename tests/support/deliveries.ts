/** @module The delivery of a test's only lead, and how to advance to the next attempt. */

import { DELIVERY_TIMEOUT_MS } from "../../leads/delivery_worker.ts";
import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import type { TestApp } from "./test_app.ts";
import { until } from "./until.ts";

export async function theLead({ store }: TestApp): Promise<LeadRecord> {
  const [record] = await Array.fromAsync(store.all());
  return record!;
}

/** The first lead's delivery to the first target. */
export async function deliveryOf(t: TestApp): Promise<Delivery> {
  return Object.values((await theLead(t)).deliveries)[0]!;
}

/** Counts the entries of a kind in KV: `due`, `dead`, `lead`, … */
export async function countKeys({ kv }: TestApp, kind: string): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix: ["frontdoor1", kind] }))).length;
}

/** Waits until the lead has this number of attempts. */
export function noted(t: TestApp, tries: number): Promise<void> {
  return until(`${tries} attempts`, async () => (await deliveryOf(t)).tries.length === tries);
}

/**
 * The time until the next attempt. Undefined without one, and during a delivery: advancing the clock then
 * would time it out.
 */
export function alarmIn({ clock: { nextIn } }: TestApp): number | undefined {
  return nextIn === DELIVERY_TIMEOUT_MS ? undefined : nextIn;
}

/** Waits until the next attempt is scheduled and advances the clock to it. */
export async function nextTry(t: TestApp): Promise<number> {
  await until("the next attempt", () => alarmIn(t) !== undefined);
  const wait = t.clock.nextIn!;
  t.clock.advance(wait);
  return wait;
}
