/** @module What the overview shows, from counters alone. */

import type { LeadCount, Tally } from "../../leads/ports.ts";
import { strandedLeads } from "../../leads/stranded.ts";
import { percentile } from "../../leads/tallies.ts";
import { type TargetState, targetStates } from "../../leads/target_state.ts";
import type { Leads } from "../leads/context.ts";
import { type STATES, worstOf } from "../leads/select.ts";
import { iso, UNITS } from "../leads/text.ts";

export const DAYS = 30;

type ByState = Record<typeof STATES[number], number>;

/** Median and 95th percentile of the times to delivery, in milliseconds; undefined: there were none. */
export type Times = readonly [median: number, p95: number] | undefined;

export interface TargetFigures extends TargetState {
  readonly delivered: number;
  readonly dead: number;
  /** False: LEAD_TARGETS does not have it; undefined: it is not set here. */
  readonly isConfigured: boolean | undefined;
  readonly times: Times;
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
  { store, targets: configured }: Pick<Leads, "store" | "targets">,
  now: number,
): Promise<Figures> {
  const ago = (days: number) => iso(now - days * UNITS.day).slice(0, 10);
  const days = Array.from({ length: DAYS }, (_, n) => ago(DAYS - 1 - n));
  const [counts, tallies, stranded] = await Promise.all([
    store.counts(),
    store.tallies(days[0]!),
    strandedLeads(store, configured),
  ]);
  const counted = counts.flatMap(({ states }) => Object.keys(states));
  const targets = [...new Set([...configured?.map(({ id }) => id) ?? [], ...counted])];
  const states = await targetStates(store, { targets, now });
  return {
    days,
    leads: days.map((day) => byState(counts.filter((one) => one.day === day))),
    states: byState(counts),
    refused: tallies.filter(({ what }) => what === "refused"),
    targets: states.map((state) => {
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

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

function byState(counts: readonly LeadCount[]): ByState {
  const sums: ByState = { delivered: 0, waiting: 0, dead: 0, stored: 0 };
  for (const { states, leads } of counts) sums[worstOf(Object.values(states))] += leads;
  return sums;
}

function timesOf(tallies: readonly Tally[]): Times {
  const [median, p95] = [percentile(tallies, 0.5), percentile(tallies, 0.95)];
  return median === undefined || p95 === undefined ? undefined : [median, p95];
}
