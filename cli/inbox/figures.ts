/** @module What the overview shows, from counters alone. */

import { dayOf } from "../../lib/clock.ts";
import type { LeadCount, Tally } from "../../leads/ports.ts";
import { percentile } from "../../leads/tallies.ts";
import { strandedLeads, targetStates } from "../../leads/target_state.ts";
import type { Leads } from "../leads/context.ts";
import { worstOf } from "../leads/select.ts";
import { UNITS } from "../leads/text.ts";

export const DAYS = 30;

export type Figures = Awaited<ReturnType<typeof figuresOf>>;

/** A target with `isConfigured` undefined: LEAD_TARGETS is not set here. */
export type TargetFigures = Figures["targets"][number];

/** Figures of all leads, and for each of the last days (UTC), today last. */
async function figuresOf(
  { store, targets: configured }: Pick<Leads, "store" | "targets">,
  now: number,
) {
  const days = Array.from({ length: DAYS }, (_, n) => dayOf(now - (DAYS - 1 - n) * UNITS.day));
  const [counts, tallies, stranded] = await Promise.all([
    store.counts(),
    store.tallies(days[0]!),
    strandedLeads(store, configured),
  ]);
  const names = targetsIn(counts, configured);
  return {
    days,
    leads: days.map((day) => byState(counts.filter((one) => one.day === day))),
    states: byState(counts),
    refused: tallies.filter(({ what }) => what === "refused"),
    targets: (await targetStates(store, { targets: names, now })).map((state) => {
      const { target } = state;
      const own = tallies.filter(({ what, name }) => what === "delivered" && name === target);
      const inState = (name: string) =>
        sum(counts.map(({ states, leads }) => states[target] === name ? leads : 0));
      return {
        ...state,
        delivered: inState("delivered"),
        dead: inState("dead"),
        isConfigured: configured?.some(({ id }) => id === target),
        times: timesOf(own),
        timesByDay: days.map((day) => timesOf(own.filter(({ period }) => period === day))),
      };
    }),
    stranded,
  };
}

export { figuresOf };

/** The names of the targets that are configured, and of others that have leads. */
export function targetsIn(
  counts: readonly LeadCount[],
  configured: Leads["targets"] = [],
): string[] {
  const counted = counts.flatMap(({ states }) => Object.keys(states));
  return [...new Set([...configured.map(({ id }) => id), ...counted])];
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

function byState(counts: readonly LeadCount[]) {
  const sums = { delivered: 0, waiting: 0, dead: 0, stored: 0 };
  for (const { states, leads } of counts) sums[worstOf(Object.values(states))] += leads;
  return sums;
}

/** Median and 95th percentile of the times to delivery, in milliseconds; undefined: there were none. */
function timesOf(tallies: readonly Tally[]): readonly [median: number, p95: number] | undefined {
  const [median, p95] = [percentile(tallies, 0.5), percentile(tallies, 0.95)];
  return median === undefined || p95 === undefined ? undefined : [median, p95];
}
