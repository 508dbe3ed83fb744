/** @module `list`: leads in a table or as JSON lines. */

import { type Command, InvalidArgumentError } from "commander";
import type { LeadRecord } from "../../leads/lead.ts";
import { isChoice } from "../../schemas/lead.ts";
import { STORED_FIELDS } from "../../schemas/lead_fields.ts";
import type { Context } from "./context.ts";
import { type Filter, select, stateOf, withFilter } from "./select.ts";
import { toJson } from "./show.ts";
import { table } from "./table.ts";
import { count, json, relative } from "./text.ts";

const ROWS = 50;

/** The fields that have a column, choices first. */
const COLUMNS = STORED_FIELDS.filter(([, { column }]) => column !== undefined)
  .map(([name]) => name)
  .toSorted((one, other) => Number(isChoice(other)) - Number(isChoice(one)));

const TITLES = ["ID", "RECEIVED", "STATE", ...COLUMNS.map((name) => name.toUpperCase())];

/** On a narrow terminal the choices, the last one first, make room for the texts. */
const [optional = [], long = []] = [true, false].map((choice) =>
  COLUMNS.flatMap((name, n) => isChoice(name) === choice ? [n + 3] : [])
);
const FIT = { long, optional: optional.toReversed() };

type ListOptions = Filter & { readonly limit?: number; readonly json?: true };

export function addList(program: Command, { open, now, out, columns }: Context): void {
  withFilter(program.command("list"), now)
    .summary("the newest leads, newest last")
    .description(
      "Lists the newest leads, newest last. Ids are shortened to their end; the other commands accept it.",
    )
    .option("--limit <n>", `the newest N (default: ${ROWS}; with --json, all)`, wholeNumber)
    .option("--json", "one JSON object per line")
    .action(async ({ limit, json: asJson, ...filter }: ListOptions) => {
      const { store } = await open();
      const most = limit ?? (asJson ? Infinity : ROWS);
      const found: LeadRecord[] = [];
      for await (const record of select(store, filter, { reverse: most < Infinity })) {
        if (most === Infinity) out(`${json(toJson(record))}\n`);
        else if (found.push(record) > most) break;
      }
      const newest = found.slice(0, most).reverse();
      if (asJson) return out(newest.map((record) => `${json(toJson(record))}\n`).join(""));
      if (newest.length === 0) return out("No leads.\n");
      const rows = newest.map((record) => cells(record, now()));
      const leads = count(newest.length, "lead");
      const all = found.length > most ? `the newest ${leads}; --limit shows more` : leads;
      out(`${[...table(TITLES, rows, { ...FIT, columns: columns() }), all].join("\n")}\n`);
    });
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1.");
}

function cells(record: LeadRecord, now: number): string[] {
  const { receivedAt, lead } = record;
  // A UUIDv7 starts with the time and ends with random digits.
  const id = record.id.slice(-8);
  return [
    id,
    relative(receivedAt, now),
    progress(record, now),
    ...COLUMNS.map((name) => lead[name] ?? "–"),
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
