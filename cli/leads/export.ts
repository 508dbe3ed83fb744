/** @module `export`: leads for other programs, one after the other, however many there are. */

import { type Command, Option } from "commander";
import type { LeadRecord } from "../../leads/lead.ts";
import type { Context } from "./context.ts";
import { csvRecord } from "./csv.ts";
import { type Filter, select, stateOf, withFilter } from "./filter.ts";
import { plain } from "./records.ts";
import { count, json } from "./text.ts";
import { iso } from "./time.ts";

const FORMATS = ["csv", "jsonl"] as const;

/** Characters collected before they are written: a write for each lead costs more than reading it. */
const CHUNK = 32_768;

const DESCRIPTION = `Writes leads as CSV or JSON lines to standard output; redirect it to keep them.

CSV is that of RFC 4180, in UTF-8. Spreadsheets run what begins with = + - or @, and not all of them \
split at commas: such a character gets a leading apostrophe (') at the start of a value, and after a \
semicolon, a tab, a | or a line break in it. JSON lines have every value as it was sent, and every \
attempt.`;

const HELP = `
Examples:
  deno task leads export --format csv --bom > leads.csv
  deno task leads export --format jsonl --since 2026-11-01 --until 2026-11-30 > november.jsonl`;

interface ExportOptions extends Filter {
  readonly format: typeof FORMATS[number];
  readonly bom?: true;
}

/** Adds `export`. */
export function addExport(program: Command, context: Context): void {
  const format = new Option("--format <format>", "of the output").choices(FORMATS);
  withFilter(program.command("export").addOption(format.makeOptionMandatory()), context.now)
    .summary("leads as CSV or JSON lines, on standard output")
    .description(DESCRIPTION)
    .option("--bom", "begin a CSV with a byte order mark, for Excel")
    .addHelpText("after", HELP)
    .action(async (options: ExportOptions, command: Command) => {
      if (options.bom && options.format !== "csv") {
        command.error("error: option '--bom' is for CSV alone");
      }
      await exportLeads(context, options);
    });
}

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

async function exportLeads(context: Context, options: ExportOptions): Promise<void> {
  const { store } = await context.open();
  const isCsv = options.format === "csv";
  let exported = 0;
  let text = options.bom ? "\u{FEFF}" : "";
  if (isCsv) text += csvRecord(CSV_COLUMNS.map(([name]) => name));
  for await (const record of select(store, options)) {
    text += isCsv
      ? csvRecord(CSV_COLUMNS.map(([, cellOf]) => cellOf(record)))
      : `${json(plain(record))}\n`;
    exported++;
    if (text.length >= CHUNK) {
      context.out(text);
      text = "";
    }
  }
  context.out(text);
  context.err(`${count(exported, "lead")} exported\n`);
}
