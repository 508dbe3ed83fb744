/** @module The command line of `deno task leads`. A new command is one file and one line here. */

import { runProgram } from "../terminal.ts";
import type { Context } from "./context.ts";
import { addErase } from "./erase.ts";
import { addExport } from "./export.ts";
import { addList } from "./list.ts";
import { addRetry } from "./retry.ts";
import { addShow } from "./show.ts";
import { addStats } from "./stats.ts";
import { addUpkeep } from "./upkeep.ts";

const COMMANDS = [addList, addShow, addStats, addExport, addRetry, addErase, addUpkeep];

const HELP = `
Environment:
  KV_PATH               as for the service: a file below .data, or a KV Connect URL
  DENO_KV_ACCESS_TOKEN  for a URL
  LEAD_ENCRYPTION_KEYS  as for the service, if leads are sealed
  LEAD_RETENTION        as for the service; if unset, each lead has its own expiry

Examples:
  deno task leads list --since 2d
  deno task leads help export

Exit codes: 0 done, 1 failed, 2 invalid command line or configuration.`;

/** Runs a command line. Never rejects. @returns the exit code */
export function runLeads(words: readonly string[], context: Context): Promise<number> {
  const { out, err } = context;
  const line = words.length === 0 ? ["--help"] : words;
  return runProgram({ name: "deno task leads", words: line, out, err }, (program) => {
    program
      .description("View, export, retry and erase leads, whether or not the service is running.")
      .addHelpText("after", HELP);
    for (const add of COMMANDS) add(program, context);
  });
}
