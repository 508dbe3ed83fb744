/** @module `export`: writes leads as CSV or JSON lines, streaming. */

import { type Command, Option } from "commander";
import type { LeadRecord } from "../../leads/lead.ts";
import type { LeadStore } from "../../leads/ports.ts";
import { STORED_FIELDS } from "../../schemas/lead_fields.ts";
import type { Context } from "./context.ts";
import { csvRecord } from "./csv.ts";
import { type Filter, select, stateOf, withFilter } from "./select.ts";
import { toJson } from "./show.ts";
import { count, iso, json } from "./text.ts";

/** Characters buffered before a write: a write for each lead costs more than reading it. */
const CHUNK = 32_768;

const DESCRIPTION =
  `Writes leads as CSV or JSON lines to standard output, such as --format csv > leads.csv.

In the CSV (RFC 4180, UTF-8) an apostrophe (') precedes = + - and @ wherever a spreadsheet would run a \
formula. JSON lines contain every value as it was sent, and every attempt.`;

const CSV_COLUMNS: Readonly<Record<string, (record: LeadRecord) => string>> = {
  id: ({ id }) => id,
  received_at: ({ receivedAt }) => iso(receivedAt),
  expires_at: (record) => String(toJson(record)["expiresAt"] ?? ""),
  state: stateOf,
  ...Object.fromEntries(
    STORED_FIELDS.map(([name]) => [name, ({ lead }: LeadRecord) => lead[name] ?? ""]),
  ),
  deliveries: ({ deliveries }) =>
    Object.entries(deliveries).map(([target, { state }]) => `${target} ${state}`).join("; "),
};

export function addExport(program: Command, { open, now, out, err }: Context): void {
  const format = new Option("--format <format>", "output format").choices(["csv", "jsonl"]);
  withFilter(program.command("export").addOption(format.makeOptionMandatory()), now)
    .summary("leads as CSV or JSON lines, on standard output")
    .description(DESCRIPTION)
    .option("--bom", "start the CSV with a byte order mark, for Excel")
    .action(async (
      { format, bom, ...filter }: Filter & { format: string; bom?: true },
      command: Command,
    ) => {
      const isCsv = format === "csv";
      if (bom && !isCsv) command.error("error: option '--bom' is for CSV only");
      const { store } = await open();
      if (bom) out("\u{FEFF}");
      let exported = 0;
      for await (const text of exportOf(store, filter, { isCsv, note: () => exported++ })) {
        out(text);
      }
      err(`${count(exported, "lead")} exported\n`);
    });
}

/** The leads as CSV or JSON lines, piece by piece. */
export async function* exportOf(
  store: Pick<LeadStore, "all">,
  filter: Filter,
  { isCsv, note }: { readonly isCsv: boolean; readonly note?: () => void },
): AsyncIterable<string> {
  let text = isCsv ? csvRecord(Object.keys(CSV_COLUMNS)) : "";
  for await (const record of select(store, filter)) {
    text += isCsv
      ? csvRecord(Object.values(CSV_COLUMNS).map((cellOf) => cellOf(record)))
      : `${json(toJson(record))}\n`;
    note?.();
    if (text.length < CHUNK) continue;
    yield text;
    text = "";
  }
  yield text;
}
