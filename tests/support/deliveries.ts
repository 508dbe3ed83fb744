/** @module The delivery of a test's only lead. */

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

export function noted(t: TestApp, tries: number): Promise<void> {
  return until(`${tries} attempts`, async () => (await deliveryOf(t)).tries.length === tries);
}
