/** @module `list`: leads in a table, or as JSON lines. */

import { type Command, InvalidArgumentError } from "commander";
import type { LeadRecord } from "../../leads/lead.ts";
import type { Context } from "./context.ts";
import { type Filter, select, stateOf, toJson, withFilter } from "./records.ts";
import { type Fit, rowFormat } from "./table.ts";
import { count, json, relative } from "./text.ts";
import { createWatch } from "./watch.ts";

const ROWS = 50;

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
    .option("--watch", "go on with new leads, attempts and changes of state, until Ctrl-C")
    .action(async ({ limit, json: asJson, watch, ...filter }: ListOptions) => {
      const leads = await context.open();
      const watching = watch && createWatch(leads, { filter, context });
      const all = watching?.selected() ?? select(leads.store, filter);
      let format = (record: LeadRecord) => json(toJson(record));
      if (asJson && limit === undefined) {
        for await (const record of all) out(`${format(record)}\n`);
      } else {
        const { records, matched } = await newest(all, limit ?? ROWS);
        let lines = records.map(format);
        if (!asJson) {
          const least = watch ? WATCHED : [];
          const row = rowFormat(TITLES, records.map((each) => cells(each, now())), {
            ...FIT,
            least,
            columns: context.columns(),
          });
          format = (record) => row(cells(record, now()));
          const part = matched > records.length ? `the newest ${records.length} of ` : "";
          lines = [row(TITLES), ...records.map(format), `${part}${count(matched, "lead")}`];
          if (matched === 0) lines = watch ? [row(TITLES)] : ["No leads."];
        }
        out(lines.map((line) => `${line}\n`).join(""));
      }
      await watching?.run((record) => out(`${format(record)}\n`));
    });
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1.");
}

interface Newest {
  readonly records: readonly LeadRecord[];
  /** How many leads the filter matches. */
  readonly matched: number;
}

/** Buffers at most twice the wanted number of leads. */
async function newest(all: AsyncIterable<LeadRecord>, most: number): Promise<Newest> {
  let records: LeadRecord[] = [];
  let matched = 0;
  for await (const record of all) {
    matched++;
    records.push(record);
    if (records.length >= 2 * most) records = records.slice(-most);
  }
  return { records: records.slice(-most), matched };
}

const TITLES = ["ID", "RECEIVED", "STATE", "PLAN", "LOCALE", "EMAIL", "COMPANY"];

/** On a narrow terminal the locale and the plan make room for the address and the company. */
const FIT: Fit = { long: [5, 6], optional: [4, 3] };

/** The widths of the columns for leads that are yet to come. */
const WATCHED = [8, 8, 16, 11, 6, 32, 24];

function cells(record: LeadRecord, now: number): string[] {
  const { id, receivedAt, lead: { plan = "–", locale, email, company } } = record;
  // A UUIDv7 starts with the time and ends with random digits.
  const shortId = id.slice(-8);
  return [
    shortId,
    relative(receivedAt, now),
    progress(record, now),
    plan,
    locale,
    email,
    company,
  ];
}

/** The state, and when the next attempt is due. */
function progress(record: LeadRecord, now: number): string {
  const state = stateOf(record);
  if (state !== "waiting") return state;
  const waiting = Object.values(record.deliveries).filter((one) => one.state === "waiting");
  const due = Math.min(...waiting.map((one) => one.due));
  return `waiting, ${due <= now ? "overdue" : relative(due, now)}`;
}
