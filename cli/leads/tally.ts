/** @module Counts over leads, one pass and little memory. */

import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import { planOf, type State, stateOf } from "./filter.ts";
import { day } from "./time.ts";

/** How many there are of each. */
export type Counts = Record<string, number>;

/** What was counted. */
export interface Tally {
  readonly leads: number;
  readonly states: Record<State, number>;
  readonly plans: Counts;
  readonly locales: Counts;
  /** By day (UTC), oldest first; days without a lead are left out. */
  readonly days: Counts;
  /** Deliveries by target and state. */
  readonly targets: Record<string, Record<Delivery["state"], number>>;
  /** The first lead that still waits for a target. */
  readonly oldestWaiting: LeadRecord | undefined;
}

/** Counts leads that come in order of arrival. */
export async function tally(leads: AsyncIterable<LeadRecord>): Promise<Tally> {
  let total = 0;
  let oldestWaiting: LeadRecord | undefined;
  const states = { waiting: 0, delivered: 0, dead: 0, stored: 0 };
  const plans: Counts = {};
  const locales: Counts = {};
  const perDay: Counts = {};
  const targets: Record<string, Record<Delivery["state"], number>> = {};
  for await (const record of leads) {
    total++;
    states[stateOf(record)]++;
    add(plans, planOf(record));
    add(locales, record.lead.locale);
    add(perDay, day(record.receivedAt));
    for (const [target, { state }] of Object.entries(record.deliveries)) {
      (targets[target] ??= { waiting: 0, delivered: 0, dead: 0 })[state]++;
      if (state === "waiting") oldestWaiting ??= record;
    }
  }
  return { leads: total, states, plans, locales, days: perDay, targets, oldestWaiting };
}

function add(counts: Counts, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
