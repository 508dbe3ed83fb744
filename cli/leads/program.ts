/** @module The program behind `deno task leads`: a new command is one file and one line here. */

import { createProgram, runProgram } from "../terminal.ts";
import type { AddCommand, Context } from "./context.ts";
import { addErase } from "./erase.ts";
import { addExport } from "./export.ts";
import { addList } from "./list.ts";
import { addRetry } from "./retry.ts";
import { addShow } from "./show.ts";
import { addStats } from "./stats.ts";
import { addUpkeep } from "./upkeep.ts";

/** In the order of the help. */
const COMMANDS: readonly AddCommand[] = [
  addList,
  addShow,
  addStats,
  addExport,
  addRetry,
  addErase,
  addUpkeep,
];

const HELP = `
Environment:
  KV_PATH               as for the service: a file below .data, or a KV Connect URL
  DENO_KV_ACCESS_TOKEN  for a URL
  LEAD_ENCRYPTION_KEYS  as for the service, if leads are sealed
  LEAD_RETENTION        as for the service; without it each lead has its own expiry

Examples:
  deno task leads list --since 2d
  deno task leads help export

Exit codes: 0 done, 1 failed, 2 the command line or the environment makes no sense.`;

/** Runs a command line to its end. Never rejects. @returns the exit code */
export async function runLeads(words: readonly string[], context: Context): Promise<number> {
  const program = createProgram("deno task leads", context)
    .description("See, export, retry and erase the leads of the service, while it runs or not.")
    .addHelpText("after", HELP);
  for (const add of COMMANDS) add(program, context);
  return await runProgram(program, words.length === 0 ? ["--help"] : words, context);
}
