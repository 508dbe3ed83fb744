/** @module What the overview shows, from counters alone. */

import type { LeadCount, Tally } from "../../leads/ports.ts";
import { strandedLeads } from "../../leads/stranded.ts";
import { type TargetState, targetStates } from "../../leads/target_state.ts";
import { percentile } from "../../leads/tallies.ts";
import type { Leads } from "../leads/context.ts";
import { type STATES, worstOf } from "../leads/select.ts";
import { iso, UNITS } from "../leads/text.ts";

export const DAYS = 30;

export type ByState = Record<typeof STATES[number], number>;

/** How long deliveries took, in milliseconds; undefined: there were none. */
export interface Times {
  readonly median: number | undefined;
  readonly p95: number | undefined;
  readonly deliveries: number;
}

export interface TargetFigures extends TargetState {
  readonly delivered: number;
  readonly dead: number;
  /** False: LEAD_TARGETS does not have it; undefined: it is not set here. */
  readonly isConfigured: boolean | undefined;
  readonly times: Times;
  /** For each day. */
  readonly timesByDay: readonly Times[];
}

export interface Figures {
  /** The last days (UTC), today last. */
  readonly days: readonly string[];
  /** For each day. */
  readonly leads: readonly ByState[];
  /** Of all leads. */
  readonly states: ByState;
  readonly refused: readonly Tally[];
  readonly targets: readonly TargetFigures[];
  readonly stranded: Awaited<ReturnType<typeof strandedLeads>>;
}

export async function figuresOf(
  { store, targets }: Pick<Leads, "store" | "targets">,
  now: number,
): Promise<Figures> {
  const days = Array.from(
    { length: DAYS },
    (_, n) => iso(now - (DAYS - 1 - n) * UNITS.day).slice(0, 10),
  );
  const [counts, tallies, stranded] = await Promise.all([
    store.counts(),
    store.tallies(days[0]!),
    strandedLeads(store, targets),
  ]);
  const names = new Set([
    ...targets?.map(({ id }) => id) ?? [],
    ...counts.flatMap(({ states }) => Object.keys(states)),
  ]);
  const found = await targetStates(store, { targets: [...names], now });
  return {
    days,
    leads: days.map((day) => byState(counts.filter((one) => one.day === day))),
    states: byState(counts),
    refused: tallies.filter(({ what }) => what === "refused"),
    targets: found.map((state) => ({
      ...state,
      ...deliveriesOf(state.target, { days, counts, tallies }),
      isConfigured: targets?.some(({ id }) => id === state.target),
    })),
    stranded,
  };
}

function byState(counts: readonly LeadCount[]): ByState {
  const sums: ByState = { delivered: 0, waiting: 0, dead: 0, stored: 0 };
  for (const { states, leads } of counts) sums[worstOf(Object.values(states))] += leads;
  return sums;
}

function deliveriesOf(
  target: string,
  { days, counts, tallies }: {
    readonly days: readonly string[];
    readonly counts: readonly LeadCount[];
    readonly tallies: readonly Tally[];
  },
): Pick<TargetFigures, "delivered" | "dead" | "times" | "timesByDay"> {
  const inState = (state: string) =>
    counts.reduce((sum, { states, leads }) => sum + (states[target] === state ? leads : 0), 0);
  const own = tallies.filter(({ what, name }) => what === "delivered" && name === target);
  return {
    delivered: inState("delivered"),
    dead: inState("dead"),
    times: timesOf(own),
    timesByDay: days.map((day) => timesOf(own.filter(({ period }) => period === day))),
  };
}

function timesOf(tallies: readonly Tally[]): Times {
  return {
    median: percentile(tallies, 0.5),
    p95: percentile(tallies, 0.95),
    deliveries: tallies.reduce((sum, { times }) => sum + times, 0),
  };
}
