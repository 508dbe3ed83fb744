/** @module `stats`: counts of leads and deliveries. */

import type { Command } from "commander";
import { dayOf, hourOf } from "../../lib/clock.ts";
import type { LeadRecord } from "../../leads/lead.ts";
import { idAt } from "../../leads/lead_id.ts";
import type { LeadCount, Tally } from "../../leads/ports.ts";
import { strandedLeads } from "../../leads/target_state.ts";
import type { Context } from "./context.ts";
import { choiceOf, type Filter, select, type State, withFilter, worstOf } from "./select.ts";
import { iso, json, relative, UNITS, yaml } from "./text.ts";

const MAX_ROWS = 30;

type Counts = Record<string, number>;

export type States = Readonly<Record<State, number>>;

export const NO_LEADS: States = { waiting: 0, delivered: 0, dead: 0, stored: 0 };

export function addStats(program: Command, { open, now, out }: Context): void {
  withFilter(program.command("stats"), now)
    .summary("counts by state, plan, locale, target and day")
    .description(
      "Counts leads by state, plan, locale and day (UTC), and deliveries by target. " +
        `The last ${MAX_ROWS} days with leads are shown, with --json all. Without a filter no lead is read: ` +
        "those past their retention count until they are purged; and requests that were refused are " +
        "counted by reason and hour, as far as the service has written them: once a minute.",
    )
    .option("--json", "one JSON object")
    .action(async ({ json: asJson, ...filter }: Filter & { json?: true }) => {
      const { store, targets: configured } = await open();
      const isFiltered = Object.keys(filter).length > 0;
      const counted = isFiltered ? countsOf(select(store, filter)) : await store.counts();
      const { leads, states, plans, locales, days, targets, firstWaiting } = await tally(counted);
      const oldest = firstWaiting === undefined
        ? undefined
        : await oldestIn(select(store, filter, { from: idAt(Date.parse(firstWaiting)) }));
      const oldestWaiting = oldest === undefined ? null : {
        id: oldest.id,
        receivedAt: iso(oldest.receivedAt),
        ageSeconds: Math.floor((now() - oldest.receivedAt) / 1_000),
      };
      const paused: Record<string, string> = {};
      for (const target of targets.keys()) {
        const { value } = await store.pause(target);
        if (value !== null && value.until > now()) paused[target] = iso(value.until);
      }
      const hints = [
        ...Object.entries(paused).map(([target, until]) =>
          `${target} is paused until ${until}: its last attempts failed`
        ),
        ...(await strandedLeads(store, configured)).map(({ message, fix }) => `${message}: ${fix}`),
      ];
      const tallies = isFiltered ? [] : await store.tallies("");
      const refused = tallies.filter(({ what }) => what === "refused");
      const byDay = [...days].map(([day, all]) => [day, totalOf(all)] as const);
      const byTarget = [...targets].map(([target, { stored: _, ...all }]) =>
        [target, all] as const
      );
      const stats = {
        leads,
        states,
        plans,
        locales,
        days: Object.fromEntries(byDay),
        targets: Object.fromEntries(byTarget),
        paused,
        oldestWaiting,
        refused: byHour(refused),
        hints,
      };
      if (asJson) return out(`${json(stats)}\n`);
      const reasons = refusalRows(refused, now())
        .map(([reason, day, all]) => [reason, { "24 hours": day, [`${MAX_ROWS} days`]: all }]);
      out(yaml({
        ...stats,
        days: Object.fromEntries(byDay.slice(-MAX_ROWS)),
        oldestWaiting: oldest ? `${oldest.id}, ${relative(oldest.receivedAt, now())}` : null,
        refused: Object.fromEntries(reasons),
      }));
    });
}

async function* countsOf(records: AsyncIterable<LeadRecord>): AsyncIterable<LeadCount> {
  for await (const { receivedAt, lead: choices, deliveries } of records) {
    const states = Object.entries(deliveries).map(([target, { state }]) => [target, state]);
    yield { day: dayOf(receivedAt), choices, states: Object.fromEntries(states), leads: 1 };
  }
}

/** Counts leads by state and choice; by day in the order of the counts; and deliveries by target. */
async function tally(counts: AsyncIterable<LeadCount> | Iterable<LeadCount>) {
  let total = 0;
  let firstWaiting: string | undefined;
  let states = NO_LEADS;
  const [plans, locales]: [Counts, Counts] = [{}, {}];
  const [days, targets] = [new Map<string, States>(), new Map<string, States>()];
  const add = (to: Counts, name: string, leads: number) => to[name] = (to[name] ?? 0) + leads;
  for await (const { day, choices, states: byTarget, leads } of counts) {
    const added = (before = NO_LEADS, state: State) => ({
      ...before,
      [state]: before[state] + leads,
    });
    const state = worstOf(Object.values(byTarget));
    total += leads;
    states = added(states, state);
    days.set(day, added(days.get(day), state));
    add(plans, choiceOf("plan", choices), leads);
    add(locales, choiceOf("locale", choices), leads);
    for (const [target, state] of Object.entries(byTarget)) {
      targets.set(target, added(targets.get(target), state));
      if (state === "waiting") firstWaiting ??= day;
    }
  }
  return { leads: total, states, plans, locales, days, targets, firstWaiting };
}

export { tally }; // with its inferred type

export function totalOf(states: States): number {
  return Object.values(states).reduce((sum, leads) => sum + leads, 0);
}

/** The first lead that waits for a target. */
async function oldestIn(records: AsyncIterable<LeadRecord>): Promise<LeadRecord | undefined> {
  for await (const record of records) {
    if (Object.values(record.deliveries).some(({ state }) => state === "waiting")) return record;
  }
  return undefined;
}

function byHour(refused: readonly Tally[]): Record<string, Counts> {
  const hours: Record<string, Counts> = {};
  for (const { period, name, times } of refused) (hours[period] ??= {})[name] = times;
  return hours;
}

/** By reason, how many in the last day and in the last days. */
export function refusalRows(refused: readonly Tally[], now: number): [string, number, number][] {
  const rows = new Map<string, [string, number, number]>();
  const since = (days: number) => hourOf(now - days * UNITS.day);
  for (const { period, name, times } of refused) {
    const [, day, all] = rows.get(name) ?? [name, 0, 0];
    if (period < since(MAX_ROWS)) continue;
    rows.set(name, [name, day + (period >= since(1) ? times : 0), all + times]);
  }
  return [...rows.values()].sort((a, b) => b[2] - a[2]);
}
