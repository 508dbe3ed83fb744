/** @module `stats`: how many leads there are of each kind, and how many came each day. */

import type { Args, Command, Context } from "./command.ts";
import { FILTER_HELP, FILTER_OPTIONS, filterOf, select } from "./filter.ts";
import { iso, shortId } from "./records.ts";
import { table } from "./table.ts";
import { type Counts, type Tally, tally } from "./tally.ts";
import { count, json, numeral, type Paint, paintFor } from "./text.ts";
import { DAY, day, days, relative } from "./time.ts";

/** Days in the chart. */
const MOST_DAYS = 30;

/** Columns of the longest bar: where there is no terminal, and at the most. */
const BAR_WIDTH = 50;

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** `stats`, for the program. */
export const stats: Command = {
  name: "stats",
  summary: "counts by state, plan, locale, target and day",
  usage: "stats [OPTIONS]",
  help: [
    FILTER_HELP,
    `Days are those of UTC; the chart shows the last ${MOST_DAYS} at most, --json has all.`,
  ],
  examples: ["stats", "stats --since 7d --json"],
  options: {
    ...FILTER_OPTIONS,
    json: { type: "boolean", summary: "a JSON object in one line" },
  },
  run: runStats,
};

async function runStats(context: Context, args: Args): Promise<void> {
  const now = context.now();
  const filter = filterOf(args, now);
  const counted = await tally(select(context.store, filter));
  if (args.flags.has("json")) return context.out(`${json(forPrograms(counted, now))}\n`);
  const paint = paintFor(context);
  context.out(`${paint.bold(count(counted.leads, "lead"))}\n`);
  if (counted.leads === 0) return;
  const { states, plans, locales, oldestWaiting } = counted;
  for (const [title, counts] of Object.entries({ STATE: states, PLAN: plans, LOCALE: locales })) {
    writeCounts(context, { title, counts, leads: counted.leads, paint });
  }
  writeTargets(context, { counted, paint });
  if (oldestWaiting !== undefined) {
    const age = relative(oldestWaiting.receivedAt, now);
    context.out(`\nThe oldest that waits came ${age}: ${shortId(oldestWaiting)}\n`);
  }
  writeDays(context, { counts: counted.days, end: Math.min(now, filter.until - 1), paint });
}

function forPrograms({ oldestWaiting, ...counted }: Tally, now: number): Record<string, unknown> {
  return {
    ...counted,
    oldestWaiting: oldestWaiting === undefined ? null : {
      id: oldestWaiting.id,
      receivedAt: iso(oldestWaiting.receivedAt),
      ageSeconds: Math.floor((now - oldestWaiting.receivedAt) / 1_000),
    },
  };
}

function writeCounts(
  { out, columns }: Context,
  { title, counts, leads, paint }: { title: string; counts: Counts; leads: number; paint: Paint },
): void {
  const rows = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => [name, numeral(n), `${Math.round(100 * n / leads)} %`]);
  const layout = [
    { title, least: 11 },
    { title: "LEADS", align: "right" },
    { title: "SHARE", align: "right" },
  ] as const;
  out(`\n${table(layout, rows, { paint, width: columns }).join("\n")}\n`);
}

function writeTargets(
  { out, columns }: Context,
  { counted: { targets }, paint }: { counted: Tally; paint: Paint },
): void {
  const rows = Object.entries(targets)
    .map(([target, counts]) => {
      const { delivered, waiting, dead } = counts;
      return [target, ...[delivered, waiting, dead].map(numeral)];
    });
  if (rows.length === 0) return;
  const layout = [
    { title: "TARGET" },
    { title: "DELIVERED", align: "right" },
    { title: "WAITING", align: "right" },
    { title: "DEAD", align: "right" },
  ] as const;
  out(`\n${table(layout, rows, { paint, width: columns }).join("\n")}\n`);
}

function writeDays(
  { out, columns }: Context,
  { counts, end, paint }: { counts: Counts; end: number; paint: Paint },
): void {
  const first = Date.parse(Object.keys(counts)[0] ?? day(end));
  const shown = days(Math.max(first, end - (MOST_DAYS - 1) * DAY), end);
  const most = Math.max(1, ...shown.map((one) => counts[one] ?? 0));
  const digits = Math.max("LEADS".length, numeral(most).length);
  const width = Math.min(BAR_WIDTH, Math.max(10, columns - `2026-11-21  `.length - digits - 2));
  const hidden = Object.keys(counts).some((one) => one < shown[0]!)
    ? paint.dim(`  (the last ${MOST_DAYS} days)`)
    : "";
  out(`\n${paint.dim(`DAY         ${"LEADS".padStart(digits)}`)}${hidden}\n`);
  for (const one of shown) {
    const n = counts[one] ?? 0;
    const figure = numeral(n).padStart(digits);
    out(`${one}  ${figure}  ${bar(n / most, width)}`.trimEnd() + "\n");
  }
}

/** A bar of a share of `width` columns, to an eighth of a column. */
function bar(share: number, width: number): string {
  const eighths = Math.round(share * width * 8);
  return "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
