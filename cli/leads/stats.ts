/** @module `stats`: counts of leads and deliveries. */

import type { Command } from "commander";
import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import type { Context, Leads } from "./context.ts";
import { type Filter, planOf, select, stateOf, withFilter } from "./records.ts";
import { table } from "./table.ts";
import { count, iso, json, oneLine, relative } from "./text.ts";

/** Of the days, only the last. */
const MAX_ROWS = 30;

type Counts = Record<string, number>;

export function addStats(program: Command, { open, now, out, columns }: Context): void {
  withFilter(program.command("stats"), now)
    .summary("counts by state, plan, locale, target and day")
    .description(
      "Counts leads by state, plan, locale and day (UTC), and deliveries by target. " +
        `The table shows the last ${MAX_ROWS} days with leads, --json all.`,
    )
    .option("--json", "one JSON object")
    .action(async (options: Filter & { json?: true }) => {
      const leads = await open();
      const counted = await tally(select(leads.store, options), now());
      const all = { ...counted, hints: hintsOf(counted, leads) };
      out(options.json ? `${json(all)}\n` : describe(all, columns()));
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
  // Without a prototype: a target may be called `constructor`.
  const targets: Record<string, Record<Delivery["state"], number>> = Object.create(null);
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

type Tally = Awaited<ReturnType<typeof tally>>;

/** A line for each group of leads that goes nowhere, with the command that sends it. */
function hintsOf({ states: { stored }, targets }: Tally, { targets: known = [] }: Leads): string[] {
  const send = "deno task leads send";
  const go = stored === 1 ? "is stored and goes" : "are stored and go";
  const hints = stored > 0 ? [`${count(stored, "lead")} ${go} nowhere: ${send} --stored`] : [];
  const names = known.flatMap(({ id, formerId }) => [id, formerId]);
  for (const [target, { waiting, dead }] of Object.entries(targets)) {
    if (known.length === 0 || names.includes(target) || waiting + dead === 0) continue;
    const open = `${count(waiting + dead, "delivery")} to ${oneLine(target)}`;
    hints.push(`${open}, which LEAD_TARGETS does not have: ${send} --from ${oneLine(target)}`);
  }
  return hints;
}

function describe(counted: Tally & { readonly hints: readonly string[] }, columns: number): string {
  const { leads, states, plans, locales, days, targets, oldestWaiting: oldest, hints } = counted;
  if (leads === 0) return "0 leads\n";
  const groups = Object.entries({ STATE: states, PLAN: plans, LOCALE: locales, DAY: days });
  const ofTargets = Object.entries(targets)
    .map(([target, { delivered, waiting, dead }]) => [target, delivered, waiting, dead]);
  const age = oldest === null ? "" : relative(-oldest.ageSeconds * 1_000, 0);
  return [
    [count(leads, "lead")],
    ...groups.map(([title, of]) => table([title, "LEADS"], Object.entries(of).slice(-MAX_ROWS))),
    table(["TARGET", "DELIVERED", "WAITING", "DEAD"], ofTargets, { columns, long: [0] }),
    oldest === null ? [] : [`The oldest waiting lead, ${oldest.id.slice(-8)}, arrived ${age}.`],
    hints,
  ].filter((lines) => lines.length > 0).map((lines) => `${lines.join("\n")}\n`).join("\n");
}
