/** @module The command line of `deno task leads`. A new command is one file and one line here. */

import { EXIT_FAILED, runProgram } from "../terminal.ts";
import type { Context, Environment } from "./context.ts";
import { addErase } from "./erase.ts";
import { addExport } from "./export.ts";
import { addFind } from "./find.ts";
import { addList } from "./list.ts";
import { addRetry } from "./retry.ts";
import { addSend } from "./send.ts";
import { addShow } from "./show.ts";
import { addStats } from "./stats.ts";
import { UnusableLeads } from "./unusable.ts";
import { addUpkeep } from "./upkeep.ts";

const COMMANDS = [
  addList,
  addShow,
  addFind,
  addStats,
  addExport,
  addSend,
  addRetry,
  addErase,
  addUpkeep,
];

const HELP = `
Environment:
  KV_PATH               as for the service: a file below .data, or a KV Connect URL
  DENO_KV_ACCESS_TOKEN  for a URL
  LEAD_ENCRYPTION_KEYS  as for the service, if leads are sealed
  LEAD_TARGETS          as for the service, to send leads to its targets
  LEAD_RETENTION        as for the service; if unset, each lead has its own expiry

Examples:
  deno task leads list --since 2d
  deno task leads help export

Exit codes: 0 done, 1 failed or leads skipped, 2 invalid command line or configuration.`;

/** Runs a command line. Never rejects. @returns the exit code */
export async function runLeads(
  words: readonly string[],
  environment: Environment,
): Promise<number> {
  const { out, err } = environment;
  const line = words.length === 0 ? ["--help"] : words;
  const unusable = new UnusableLeads();
  const context: Context = {
    ...environment,
    open: async () => ({ ...await environment.open(unusable.add), skip: unusable.skip }),
  };
  const code = await runProgram({ name: "deno task leads", words: line, out, err }, (program) => {
    program
      .description("View, export, send and erase leads, whether or not the service is running.")
      .addHelpText("after", HELP);
    for (const add of COMMANDS) add(program, context);
  });
  const report = unusable.report();
  for (const line of report) err(line);
  return report.length > 0 ? Math.max(EXIT_FAILED, code) : code;
}
