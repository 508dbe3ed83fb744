/** @module `stats`: counts of leads and deliveries. */

import type { Command } from "commander";
import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import { strandedLeads } from "../../leads/stranded.ts";
import type { Context } from "./context.ts";
import { choiceOf, type Filter, select, stateOf, withFilter } from "./select.ts";
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
      const { store, targets } = await open();
      const counted = await tally(select(store.all(), options), now());
      const stranded = await strandedLeads(store, targets);
      const hints = stranded.map(({ message, fix }) => oneLine(`${message}: ${fix}`));
      out(options.json ? `${json({ ...counted, hints })}\n` : describe(counted, hints, columns()));
    });
}

/** @param leads in order of arrival */
async function tally(leads: AsyncIterable<LeadRecord>, now: number) {
  let total = 0;
  let oldest: LeadRecord | undefined;
  const states = { waiting: 0, delivered: 0, dead: 0, stored: 0 };
  const [plans, locales, days]: [Counts, Counts, Counts] = [{}, {}, {}];
  const targets = new Map<string, Record<Delivery["state"], number>>();
  for await (const record of leads) {
    total++;
    states[stateOf(record)]++;
    const day = iso(record.receivedAt).slice(0, 10);
    const plan = choiceOf("plan", record.lead);
    plans[plan] = (plans[plan] ?? 0) + 1;
    locales[record.lead.locale] = (locales[record.lead.locale] ?? 0) + 1;
    days[day] = (days[day] ?? 0) + 1;
    for (const [target, { state }] of Object.entries(record.deliveries)) {
      const counts = targets.get(target) ?? { waiting: 0, delivered: 0, dead: 0 };
      targets.set(target, { ...counts, [state]: counts[state] + 1 });
      if (state === "waiting") oldest ??= record;
    }
  }
  const oldestWaiting = oldest === undefined ? null : {
    id: oldest.id,
    receivedAt: iso(oldest.receivedAt),
    ageSeconds: Math.floor((now - oldest.receivedAt) / 1_000),
  };
  const byTarget = Object.fromEntries(targets);
  return { leads: total, states, plans, locales, days, targets: byTarget, oldestWaiting };
}

function describe(
  counted: Awaited<ReturnType<typeof tally>>,
  hints: readonly string[],
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
    hints,
  ].filter((lines) => lines.length > 0).map((lines) => `${lines.join("\n")}\n`).join("\n");
}
