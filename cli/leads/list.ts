/** @module `list`: leads in a table or as JSON lines; with `--watch` it goes on with what happens. */

import { type Command, InvalidArgumentError } from "commander";
import { attemptCount, type Deliveries, type LeadRecord } from "../../leads/lead.ts";
import { safeReason } from "../../lib/log.ts";
import { isChoice } from "../../schemas/lead.ts";
import { STORED_FIELDS } from "../../schemas/lead_fields.ts";
import type { LeadStore } from "../../leads/ports.ts";
import type { Context } from "./context.ts";
import { toJson } from "./json.ts";
import { type Filter, select, stateOf, withFilter } from "./select.ts";
import { rowFormat } from "./table.ts";
import { count, json, relative } from "./text.ts";

const ROWS = 50;

/** How many of the newest leads are watched. */
const WATCHED = 100;

const INTERVAL_MS = 2_000;

/** The fields that have a column, choices first. */
const COLUMNS = STORED_FIELDS.filter(([, { column }]) => column !== undefined)
  .toSorted(([one], [other]) => Number(isChoice(other)) - Number(isChoice(one)));

const TITLES = ["ID", "RECEIVED", "STATE", ...COLUMNS.map(([name]) => name.toUpperCase())];

/** A row as wide as those of leads that are yet to come. */
const USUAL = [8, 8, 16, ...COLUMNS.map(([, { column = 0 }]) => column)]
  .map((width) => "x".repeat(width));

/** On a narrow terminal the choices, the last one first, make room for the texts. */
const [optional = [], long = []] = [true, false].map((choice) =>
  COLUMNS.flatMap(([name], n) => isChoice(name) === choice ? [n + 3] : [])
);
const FIT = { long, optional: optional.toReversed() };

interface ListOptions extends Filter {
  readonly limit?: number;
  readonly json?: true;
  readonly watch?: true;
}

export function addList(program: Command, context: Context): void {
  const { now, out } = context;
  withFilter(program.command("list"), now)
    .summary("the newest leads, newest last")
    .description(
      "Lists the newest leads, newest last. Ids are shortened to their end; the other commands accept it.",
    )
    .option("--limit <n>", `the newest N (default: ${ROWS}; with --json, all)`, wholeNumber)
    .option("--json", "one JSON object per line")
    .option("--watch", `go on with new leads and changes of the newest ${WATCHED}, until Ctrl-C`)
    .action(async ({ limit, json: asJson, watch, ...filter }: ListOptions) => {
      const { store } = await context.open();
      const news = watch && await createNews(store);
      const most = limit ?? (asJson ? Infinity : ROWS);
      let format = (record: LeadRecord) => `${json(toJson(record))}\n`;
      const found: LeadRecord[] = [];
      for await (const record of select(store, filter, { reverse: most < Infinity })) {
        if (most === Infinity) out(format(record));
        else if (found.push(record) > most) break;
      }
      const newest = found.slice(0, most).reverse();
      if (!asJson) {
        const rows = newest.map((record) => cells(record, now()));
        const fit = { ...FIT, columns: context.columns() };
        const row = rowFormat(TITLES, watch ? [...rows, USUAL] : rows, fit);
        format = (record) => `${row(cells(record, now()))}\n`;
        out(found.length === 0 && !watch ? "No leads.\n" : `${row(TITLES)}\n`);
      }
      out(newest.map(format).join(""));
      const leads = count(newest.length, "lead");
      const all = found.length > most ? `the newest ${leads}; --limit shows more` : leads;
      if (!asJson && found.length > 0) out(`${all}\n`);
      if (!news) return;
      for (let isDown = false; await context.wait(INTERVAL_MS);) {
        const changed: LeadRecord[] = [];
        try {
          for await (const record of select({ all: news }, filter)) changed.push(record);
          isDown = false;
        } catch (error) {
          const state = `Cannot read KV: ${safeReason(error)}. Trying until it responds.`;
          if (!isDown) context.err(`${state}\n`);
          isDown = true;
        }
        out(changed.map(format).join(""));
      }
    });
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1.");
}

/** A function that reads the newest leads that are new or have changed since the call before. */
async function createNews(
  store: Pick<LeadStore, "all">,
): Promise<() => AsyncIterable<LeadRecord>> {
  let seen: Map<string, string> | undefined;
  async function* news(): AsyncIterable<LeadRecord> {
    const newest: LeadRecord[] = [];
    for await (const record of store.all({ reverse: true, most: WATCHED })) {
      newest.unshift(record);
      // Those that have come meanwhile may be more.
      if (newest.length >= WATCHED && (seen?.has(record.id) ?? true)) break;
    }
    const before = seen;
    const now = new Map(newest.map(({ id, deliveries }) => [id, progressIn(deliveries)]));
    seen = now;
    yield* newest.filter(({ id }) => now.get(id) !== before?.get(id));
  }
  await Array.fromAsync(news());
  return news;
}

/** Equal for deliveries in the same states after as many attempts. */
export function progressIn(deliveries: Deliveries): string {
  return Object.entries(deliveries)
    .map(([target, one]) => `${target} ${one.state} ${attemptCount(one)}`).join();
}

function cells(record: LeadRecord, now: number): string[] {
  const { receivedAt, lead } = record;
  // A UUIDv7 starts with the time and ends with random digits.
  const id = record.id.slice(-8);
  const values = COLUMNS.map(([name]) => lead[name] ?? "–");
  return [id, relative(receivedAt, now), progress(record, now), ...values];
}

/** The state, and when the next attempt is due. */
function progress(record: LeadRecord, now: number): string {
  const state = stateOf(record);
  if (state !== "waiting") return state;
  const waiting = Object.values(record.deliveries).filter((one) => one.state === "waiting");
  const due = Math.min(...waiting.map((one) => one.due));
  return `waiting, ${due <= now ? "overdue" : relative(due, now)}`;
}
