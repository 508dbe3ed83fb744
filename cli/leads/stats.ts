/** @module `stats`: counts of leads and deliveries. */

import type { Command } from "commander";
import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import type { Context } from "./context.ts";
import { type Filter, planOf, select, stateOf, withFilter } from "./records.ts";
import { count, iso, json, relative, table } from "./text.ts";

/** Of the days, only the last. */
const MAX_ROWS = 30;

type Counts = Record<string, number>;

export function addStats(program: Command, { open, now, out }: Context): void {
  withFilter(program.command("stats"), now)
    .summary("counts by state, plan, locale, target and day")
    .description(
      "Counts leads by state, plan, locale and day (UTC), and deliveries by target. " +
        `The table shows the last ${MAX_ROWS} days with leads, --json all.`,
    )
    .option("--json", "one JSON object")
    .action(async (options: Filter & { json?: true }) => {
      const { store } = await open();
      const counted = await tally(select(store, options), now());
      out(options.json ? `${json(counted)}\n` : describe(counted));
    });
}

/** @param leads in order of arrival */
async function tally(leads: AsyncIterable<LeadRecord>, now: number) {
  let total = 0;
  let oldest: LeadRecord | undefined;
  const states = { waiting: 0, delivered: 0, dead: 0, stored: 0 };
  const plans: Counts = {};
  const locales: Counts = {};
  const days: Counts = {};
  const targets: Record<string, Record<Delivery["state"], number>> = {};
  for await (const record of leads) {
    total++;
    states[stateOf(record)]++;
    add(plans, planOf(record));
    add(locales, record.lead.locale);
    add(days, iso(record.receivedAt).slice(0, 10));
    for (const [target, { state }] of Object.entries(record.deliveries)) {
      (targets[target] ??= { waiting: 0, delivered: 0, dead: 0 })[state]++;
      if (state === "waiting") oldest ??= record;
    }
  }
  const oldestWaiting = oldest === undefined ? null : {
    id: oldest.id,
    receivedAt: iso(oldest.receivedAt),
    ageSeconds: Math.floor((now - oldest.receivedAt) / 1_000),
  };
  return { leads: total, states, plans, locales, days, targets, oldestWaiting };
}

function add(counts: Counts, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

function describe(counted: Awaited<ReturnType<typeof tally>>): string {
  const { leads, states, plans, locales, days, targets, oldestWaiting: oldest } = counted;
  if (leads === 0) return "0 leads\n";
  const groups = Object.entries({ STATE: states, PLAN: plans, LOCALE: locales, DAY: days });
  const ofTargets = Object.entries(targets)
    .map(([target, { delivered, waiting, dead }]) => [target, delivered, waiting, dead]);
  const age = oldest === null ? "" : relative(-oldest.ageSeconds * 1_000, 0);
  return [
    [count(leads, "lead")],
    ...groups.map(([title, of]) => table([title, "LEADS"], Object.entries(of).slice(-MAX_ROWS))),
    table(["TARGET", "DELIVERED", "WAITING", "DEAD"], ofTargets),
    oldest === null ? [] : [`The oldest waiting lead, ${oldest.id}, arrived ${age}.`],
  ].filter((lines) => lines.length > 0).map((lines) => `${lines.join("\n")}\n`).join("\n");
}
