/** @module `stats`: counts of leads and deliveries. */

import type { Command } from "commander";
import { dayOf, hourOf } from "../../lib/clock.ts";
import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import { idAt } from "../../leads/lead_id.ts";
import type { LeadCount, LeadStore, Tally } from "../../leads/ports.ts";
import { strandedLeads } from "../../leads/target_state.ts";
import type { Context } from "./context.ts";
import { choiceOf, type Filter, select, withFilter, worstOf } from "./select.ts";
import { table } from "./table.ts";
import { count, iso, json, oneLine, relative, UNITS } from "./text.ts";

/** Of the days, only the last. */
const MAX_ROWS = 30;

type Counts = Record<string, number>;

/** The oldest lead that waits for a target. */
interface Oldest {
  readonly id: string;
  readonly receivedAt: string;
  readonly ageSeconds: number;
}

export function addStats(program: Command, { open, now, out, columns }: Context): void {
  withFilter(program.command("stats"), now)
    .summary("counts by state, plan, locale, target and day")
    .description(
      "Counts leads by state, plan, locale and day (UTC), and deliveries by target. " +
        `The table shows the last ${MAX_ROWS} days with leads, --json all. Without a filter no lead is read: ` +
        "those past their retention count until they are purged; and requests that were refused are " +
        "counted by reason and hour, as far as the service has written them: once a minute.",
    )
    .option("--json", "one JSON object")
    .action(async ({ json: asJson, ...filter }: Filter & { json?: true }) => {
      const { store, targets } = await open();
      const isFiltered = Object.keys(filter).length > 0;
      const counts = isFiltered ? countsOf(select(store, filter)) : await store.counts();
      const { firstWaiting, ...counted } = await tally(counts);
      const oldestWaiting = firstWaiting === undefined
        ? null
        : await oldestIn(select(store, filter, { from: idAt(Date.parse(firstWaiting)) }), now());
      const stranded = await strandedLeads(store, targets);
      const paused: Record<string, string> = {};
      for (const target of Object.keys(counted.targets)) {
        const { value } = await store.pause(target);
        if (value !== null && value.until > now()) paused[target] = iso(value.until);
      }
      const hints = [
        ...Object.entries(paused).map(([target, until]) =>
          oneLine(`${target} is paused until ${until}: its last attempts failed`)
        ),
        ...stranded.map(({ message, fix }) => oneLine(`${message}: ${fix}`)),
      ];
      const refused = isFiltered ? [] : await refusals(store);
      const stats = { ...counted, paused, oldestWaiting };
      const tables = [
        table(["REFUSED", "24 HOURS", `${MAX_ROWS} DAYS`], refusalRows(refused, now())),
      ];
      out(
        asJson
          ? `${json({ ...stats, refused: byHour(refused), hints })}\n`
          : describe(stats, [...tables, hints], columns()),
      );
    });
}

async function* countsOf(records: AsyncIterable<LeadRecord>): AsyncIterable<LeadCount> {
  for await (const { receivedAt, lead: choices, deliveries } of records) {
    const states = Object.entries(deliveries).map(([target, { state }]) => [target, state]);
    yield { day: dayOf(receivedAt), choices, states: Object.fromEntries(states), leads: 1 };
  }
}

/** The requests that were refused, by hour and reason. */
export async function refusals(store: Pick<LeadStore, "tallies">, from = ""): Promise<Tally[]> {
  return (await store.tallies(from)).filter(({ what }) => what === "refused");
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

/** @param counts by day */
async function tally(counts: AsyncIterable<LeadCount> | Iterable<LeadCount>) {
  let total = 0;
  let firstWaiting: string | undefined;
  const states = { waiting: 0, delivered: 0, dead: 0, stored: 0 };
  const [plans, locales, days]: [Counts, Counts, Counts] = [{}, {}, {}];
  const targets = new Map<string, Record<Delivery["state"], number>>();
  const add = (to: Counts, name: string, leads: number) => to[name] = (to[name] ?? 0) + leads;
  for await (const { day, choices, states: byTarget, leads } of counts) {
    total += leads;
    states[worstOf(Object.values(byTarget))] += leads;
    add(plans, choiceOf("plan", choices), leads);
    add(locales, choiceOf("locale", choices), leads);
    add(days, day, leads);
    for (const [target, state] of Object.entries(byTarget)) {
      const of = targets.get(target) ?? { waiting: 0, delivered: 0, dead: 0 };
      targets.set(target, { ...of, [state]: of[state] + leads });
      if (state === "waiting") firstWaiting ??= day;
    }
  }
  const byTarget = Object.fromEntries(targets);
  return { leads: total, states, plans, locales, days, targets: byTarget, firstWaiting };
}

async function oldestIn(records: AsyncIterable<LeadRecord>, now: number): Promise<Oldest | null> {
  for await (const { id, receivedAt, deliveries } of records) {
    if (Object.values(deliveries).every(({ state }) => state !== "waiting")) continue;
    const ageSeconds = Math.floor((now - receivedAt) / 1_000);
    return { id, receivedAt: iso(receivedAt), ageSeconds };
  }
  return null;
}

function describe(
  counted: Omit<Awaited<ReturnType<typeof tally>>, "firstWaiting"> & {
    readonly oldestWaiting: Oldest | null;
  },
  others: readonly (readonly string[])[],
  columns: number,
): string {
  const { leads, states, plans, locales, days, targets, oldestWaiting: oldest } = counted;
  const groups = Object.entries({ STATE: states, PLAN: plans, LOCALE: locales, DAY: days });
  const ofTargets = Object.entries(targets)
    .map(([target, { delivered, waiting, dead }]) => [target, delivered, waiting, dead]);
  const age = oldest === null ? "" : relative(-oldest.ageSeconds * 1_000, 0);
  return [
    [count(leads, "lead")],
    ...groups.map(([title, of]) =>
      leads === 0 ? [] : table([title, "LEADS"], Object.entries(of).slice(-MAX_ROWS))
    ),
    table(["TARGET", "DELIVERED", "WAITING", "DEAD"], ofTargets, { columns, long: [0] }),
    oldest === null ? [] : [`The oldest waiting lead, ${oldest.id.slice(-8)}, arrived ${age}.`],
    ...others,
  ].filter((lines) => lines.length > 0).map((lines) => `${lines.join("\n")}\n`).join("\n");
}
