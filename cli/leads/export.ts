/** @module `export`: leads for other programs, one after the other, however many there are. */

import type { LeadRecord } from "../../leads/lead.ts";
import { oneOf } from "./arguments.ts";
import { type Args, type Command, type Context, PROGRAM, UsageError } from "./command.ts";
import { csvRecord } from "./csv.ts";
import { FILTER_HELP, FILTER_OPTIONS, filterOf, select, stateOf } from "./filter.ts";
import { progressOn } from "./progress.ts";
import { iso, plain } from "./records.ts";
import { count, json } from "./text.ts";

const FORMATS = ["csv", "jsonl"] as const;

/** Characters collected before they are written: a call for each lead would cost more than reading it. */
const CHUNK = 32_768;

/** `export`, for the program. */
export const exportLeads: Command = {
  name: "export",
  summary: "leads as CSV or JSON lines, on standard output",
  usage: "export --format csv|jsonl [OPTIONS]",
  help: [
    FILTER_HELP,
    "CSV is that of RFC 4180, in UTF-8. Spreadsheets run what begins with = + - or @, and not all " +
    "of them split at commas: such a character gets a leading apostrophe (') at the start of a value, " +
    "and after a semicolon, a tab, a | or a line break in it. JSON lines have every value as it was " +
    "sent, and every try.",
    "The program may write to .data alone: redirect standard output to keep the result.",
  ],
  examples: [
    "export --format csv --bom > leads.csv",
    "export --format jsonl --since 2026-11-01 --until 2026-11-30 > november.jsonl",
  ],
  options: {
    format: { type: "string", value: "FORMAT", summary: FORMATS.join(" or ") },
    ...FILTER_OPTIONS,
    bom: { type: "boolean", summary: "begin a CSV with a byte order mark, for Excel" },
  },
  run: runExport,
};

const CSV_COLUMNS: readonly (readonly [string, (record: LeadRecord) => string])[] = [
  ["id", ({ id }) => id],
  ["received_at", ({ receivedAt }) => iso(receivedAt)],
  ["expires_at", ({ expiresAt }) => iso(expiresAt)],
  ["state", stateOf],
  ["email", ({ lead }) => lead.email],
  ["company", ({ lead }) => lead.company],
  ["plan", ({ lead }) => lead.plan ?? ""],
  ["locale", ({ lead }) => lead.locale],
  ["message", ({ lead }) => lead.message ?? ""],
  ["deliveries", ({ deliveries }) => summaryOf(deliveries)],
];

function summaryOf(deliveries: LeadRecord["deliveries"]): string {
  return Object.entries(deliveries).map(([target, { state }]) => `${target} ${state}`).join("; ");
}

async function runExport(context: Context, args: Args): Promise<void> {
  const filter = filterOf(args, context.now());
  const format = oneOf(args, "format", { known: FORMATS });
  if (format === undefined) {
    throw new UsageError(`Cannot export: --format is missing; ${PROGRAM} export --format csv`);
  }
  const bom = args.flags.has("bom");
  if (bom && format !== "csv") throw new UsageError("Cannot export: --bom is for CSV alone");

  const progress = progressOn(context);
  let exported = 0;
  let text = format === "csv"
    ? (bom ? "\u{FEFF}" : "") + csvRecord(CSV_COLUMNS.map(([name]) => name))
    : "";
  for await (const record of select(context.store, filter)) {
    text += format === "csv"
      ? csvRecord(CSV_COLUMNS.map(([, cellOf]) => cellOf(record)))
      : `${json(plain(record))}\n`;
    exported++;
    if (text.length >= CHUNK) {
      context.out(text);
      text = "";
      progress(`${count(exported, "lead")} exported`);
    }
  }
  context.out(text);
  context.err(`${count(exported, "lead")} exported\n`);
}
