/** @module `list`: leads in a table, or as JSON lines. */

import { type Command, InvalidArgumentError } from "commander";
import type { LeadRecord } from "../../leads/lead.ts";
import type { Context } from "./context.ts";
import { type Filter, select, stateOf, withFilter } from "./filter.ts";
import { plain, shortId } from "./records.ts";
import { count, json, table } from "./text.ts";
import { relative } from "./time.ts";

const ROWS = 50;

/** Adds `list`. */
export function addList(program: Command, context: Context): void {
  withFilter(program.command("list"), context.now)
    .summary("the newest leads, newest last")
    .description(
      "Lists the newest leads, newest last. The id is the end of the whole one; show and retry take it.",
    )
    .option("--limit <n>", `the newest N (default: ${ROWS}; with --json, all)`, wholeNumber)
    .option("--json", "one JSON object per line")
    .action(
      async ({ limit, json: asJson, ...filter }: Filter & { limit?: number; json?: true }) => {
        const all = select((await context.open()).store, filter);
        if (asJson) await listAsJson(context, { all, limit });
        else await listAsTable(context, { all, limit });
      },
    );
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1.");
}

interface Listing {
  readonly all: AsyncIterable<LeadRecord>;
  readonly limit: number | undefined;
}

async function listAsJson({ out }: Context, { all, limit }: Listing): Promise<void> {
  const records = limit === undefined ? all : (await newest(all, limit)).records;
  for await (const record of records) out(`${json(plain(record))}\n`);
}

async function listAsTable({ out, now }: Context, { all, limit = ROWS }: Listing): Promise<void> {
  const { records, matched } = await newest(all, limit);
  if (matched === 0) return out("No leads.\n");
  const titles = ["ID", "RECEIVED", "STATE", "PLAN", "LOCALE", "EMAIL", "COMPANY"];
  for (const line of table(titles, records.map((record) => row(record, now())))) out(`${line}\n`);
  const part = matched > records.length ? `the newest ${records.length} of ` : "";
  out(`${part}${count(matched, "lead")}\n`);
}

/** The last of many, and how many there were; no more than twice as many are held in memory. */
async function newest(
  all: AsyncIterable<LeadRecord>,
  most: number,
): Promise<{ records: LeadRecord[]; matched: number }> {
  let records: LeadRecord[] = [];
  let matched = 0;
  for await (const record of all) {
    matched++;
    records.push(record);
    if (records.length >= 2 * most) records = records.slice(-most);
  }
  return { records: records.slice(-most), matched };
}

function row(record: LeadRecord, now: number): string[] {
  const { receivedAt, lead: { plan = "–", locale, email, company } } = record;
  const received = relative(receivedAt, now);
  return [shortId(record), received, situation(record, now), plan, locale, email, company];
}

/** The state, and when the next attempt is due. */
function situation(record: LeadRecord, now: number): string {
  const state = stateOf(record);
  if (state !== "waiting") return state;
  const waiting = Object.values(record.deliveries).filter((one) => one.state === "waiting");
  const due = Math.min(...waiting.map((one) => one.due));
  return `waiting, ${due <= now ? "overdue" : relative(due, now)}`;
}
