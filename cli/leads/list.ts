/** @module `list`: leads in a table, or as JSON lines. */

import { LEASE_MS } from "../../leads/outbox.ts";
import type { Delivery, LeadRecord } from "../../leads/lead.ts";
import { type Args, type Command, type Context, UsageError } from "./command.ts";
import { FILTER_HELP, FILTER_OPTIONS, filterOf, select, stateOf } from "./filter.ts";
import { plain, shortId } from "./records.ts";
import { type Column, table } from "./table.ts";
import { count, json, paintFor } from "./text.ts";
import { relative, span } from "./time.ts";

/** Lines of a table that somebody reads. */
const MOST_ROWS = 50;

/** `list`, for the program. */
export const list: Command = {
  name: "list",
  summary: "the newest leads, newest last",
  usage: "list [OPTIONS]",
  help: [
    FILTER_HELP,
    "The id is the end of the whole one; show and retry take it.",
  ],
  examples: ["list --since 2d", "list --state dead --json"],
  options: {
    ...FILTER_OPTIONS,
    limit: {
      type: "string",
      value: "N",
      summary: `the newest N (without it ${MOST_ROWS} in a table, all as JSON)`,
    },
    json: { type: "boolean", summary: "a JSON object a line" },
  },
  run: runList,
};

const COLUMNS: readonly Column[] = [
  { title: "ID" },
  { title: "AGE", align: "right" },
  { title: "STATE", emphasis: (cell) => cell.startsWith("dead") ? "bold" : undefined },
  { title: "PLAN" },
  { title: "LOC" },
  { title: "EMAIL", flexible: 19 },
  { title: "COMPANY", flexible: 9 },
];

async function runList(context: Context, args: Args): Promise<void> {
  const { store, out, columns: width } = context;
  const filter = filterOf(args, context.now());
  const asJson = args.flags.has("json");
  const limit = limitOf(args) ?? (asJson ? Infinity : MOST_ROWS);
  if (asJson && limit === Infinity) {
    for await (const record of select(store, filter)) out(`${json(plain(record))}\n`);
    return;
  }
  const { records, matched } = await newest(select(store, filter), limit);
  if (asJson) {
    for (const record of records) out(`${json(plain(record))}\n`);
    return;
  }
  const paint = paintFor(context);
  if (matched === 0) {
    out(
      `${paint.dim(Object.keys(args.values).length > 0 ? "No lead is like that." : "No leads.")}\n`,
    );
    return;
  }
  const rows = records.map((record) => row(record, context.now()));
  for (const line of table(COLUMNS, rows, { paint, width })) out(`${line}\n`);
  const rest = matched > records.length ? `the newest ${records.length} of ` : "";
  out(`${paint.dim(`${rest}${count(matched, "lead")}`)}\n`);
}

function limitOf({ values: { limit } }: Args): number | undefined {
  if (limit === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit);
  throw new UsageError(`Cannot use --limit ${limit}: it is a whole number from 1`);
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
  return [
    shortId(record),
    span(Math.max(0, now - receivedAt)),
    situation(record, now),
    plan,
    locale,
    email,
    company,
  ];
}

/** The state, and when something will happen next. */
function situation(record: LeadRecord, now: number): string {
  const state = stateOf(record);
  if (state !== "waiting") return state;
  const waiting = Object.values(record.deliveries).filter((one) => one.state === "waiting");
  const next = waiting.reduce((first, one) => one.due < first.due ? one : first);
  return `waiting, ${nextTry(next, now)}`;
}

/** When a delivery is tried next; the first try is under way, or comes up when its lease has run out. */
function nextTry({ due, tries }: Delivery, now: number): string {
  if (due <= now) return "overdue";
  const isFirst = tries.length === 0 && due - now <= LEASE_MS;
  return isFirst ? `within ${span(LEASE_MS)}` : relative(due, now);
}
