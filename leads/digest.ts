/** @module The message that an operator can get each day. */

import { DAY_MS, dayOf, hourOf } from "../lib/clock.ts";
import type { TimeOfDay } from "../config/settings.ts";
import type { LeadStore } from "./ports.ts";
import { targetStates } from "./target_state.ts";

/** The last time at which a time of the day was reached, in epoch milliseconds. */
export function lastTime({ hour, minute, zone }: TimeOfDay, now: number): number {
  const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
  const on = (day: Temporal.ZonedDateTime) => day.withPlainTime({ hour, minute }).epochMilliseconds;
  const today = on(here);
  // From the day: a time that today's change of the clocks leaves out is an hour later today alone.
  return today > now ? on(here.subtract({ days: 1 })) : today;
}

/** Counters alone: nothing of a lead. */
export async function digestText(
  store: LeadStore,
  { targets, now }: { readonly targets: readonly string[]; readonly now: number },
): Promise<string[]> {
  const [counts, tallies, states] = await Promise.all([
    store.counts(),
    store.tallies(hourOf(now - DAY_MS)),
    targetStates(store, { targets, now }),
  ]);
  const onDay = (day: string) =>
    counts.reduce((sum, one) => sum + (one.day === day ? one.leads : 0), 0);
  const dead = counts.filter(({ states }) => Object.values(states).includes("dead"))
    .reduce((sum, { leads }) => sum + leads, 0);
  const refused = new Map<string, number>();
  for (const { what, name, times } of tallies) {
    if (what === "refused") refused.set(name, (refused.get(name) ?? 0) + times);
  }
  const [today, yesterday] = [dayOf(now), dayOf(now - DAY_MS)];
  const reasons = [...refused].map(([reason, times]) => `${reason} ${times}`).join(", ");
  return [
    `Leads: ${onDay(yesterday)} on ${yesterday}, ${onDay(today)} so far on ${today} (UTC)`,
    `Refused in 24 hours: ${reasons || "none"}`,
    `Dead letters, of all leads: ${dead}`,
    ...states.map(({ target, failingSince, waiting }) => {
      const state = failingSince === undefined
        ? "well"
        : `failing since ${new Date(failingSince).toISOString()}`;
      return `${target}: ${state}, ${waiting} waiting`;
    }),
  ];
}
