/** @module How the one lead of a test stands with its target, and how to get on to its next try. */

import { DELIVERY_TIMEOUT_MS } from "../../leads/delivery_worker.ts";
import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import type { TestApp } from "./test_app.ts";
import { until } from "./until.ts";

/** The first lead. */
export async function theLead({ store }: TestApp): Promise<LeadRecord> {
  const [record] = await Array.fromAsync(store.all());
  return record!;
}

/** Its delivery to the first target. */
export async function deliveryOf(t: TestApp): Promise<Delivery> {
  return Object.values((await theLead(t)).deliveries)[0]!;
}

/** How many entries of a kind are in KV: `due`, `dead`, `lead`, … */
export async function countKeys({ kv }: TestApp, kind: string): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix: ["frontdoor1", kind] }))).length;
}

/** Waits until a try has been noted, that is, until so many tries stand in the lead. */
export function noted(t: TestApp, tries: number): Promise<void> {
  return until(`${tries} tries noted`, async () => (await deliveryOf(t)).tries.length === tries);
}

/**
 * How far ahead the alarm of the next try is. Undefined where there is none, and while a delivery is
 * under way: moving time then would be a time-out, since the delivery itself takes real time.
 */
export function alarmIn({ clock: { nextIn } }: TestApp): number | undefined {
  return nextIn === DELIVERY_TIMEOUT_MS ? undefined : nextIn;
}

/** Waits for the alarm of the next try and lets it go off. */
export async function nextTry(t: TestApp): Promise<number> {
  await until("an alarm", () => alarmIn(t) !== undefined);
  const wait = t.clock.nextIn!;
  t.clock.advance(wait);
  return wait;
}
