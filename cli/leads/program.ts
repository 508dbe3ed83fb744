/** @module The command line of `deno task leads`: its commands, and which leads they skipped. */

import { UnusableLead } from "../../leads/ports.ts";
import { EXIT_FAILED, runProgram } from "../terminal.ts";
import type { Context, Environment } from "./context.ts";
import { addExport } from "./export.ts";
import { addList } from "./list.ts";
import { addRemoval } from "./remove.ts";
import { addSend } from "./send.ts";
import { addShow } from "./show.ts";
import { addStats } from "./stats.ts";
import { count, oneLine } from "./text.ts";

const COMMANDS = [addList, addShow, addStats, addExport, addSend, addRemoval];

const HELP = `
Environment:
  KV_PATH               as for the service: a file below .data, or a KV Connect URL
  DENO_KV_ACCESS_TOKEN  for a URL
  LEAD_ENCRYPTION_KEYS  as for the service, if leads are sealed
  LEAD_TARGETS          as for the service, to send leads to its targets
  LEAD_RETENTION        as for the service; if unset, each lead has its own expiry

Exit codes: 0 done, 1 failed or leads skipped, 2 invalid command line or configuration.`;

/** Ids named for each reason why leads are unusable. */
const NAMED = 10;

/** Runs a command line, and names the leads that it skipped. Never rejects. @returns the exit code */
export async function runLeads(words: readonly string[], env: Environment): Promise<number> {
  const { out, err } = env;
  const unusable = new Map<string, Set<string>>();
  function add({ id, message }: UnusableLead): void {
    unusable.set(message, (unusable.get(message) ?? new Set()).add(id));
  }
  const context: Context = {
    ...env,
    open: () => env.open(add),
    skip: (work) =>
      work.catch((error: unknown) => {
        if (!(error instanceof UnusableLead)) throw error;
        add(error);
        return null;
      }),
  };
  const line = words.length === 0 ? ["--help"] : words;
  const code = await runProgram({ name: "deno task leads", words: line, out, err }, (program) => {
    program
      .description("View, export, send and erase leads, whether or not the service is running.")
      .addHelpText("after", HELP);
    for (const add of COMMANDS) add(program, context);
  });
  for (const [reason, ids] of unusable) {
    const named = [...ids].slice(0, NAMED).join(" ") + (ids.size > NAMED ? " …" : "");
    err(`${oneLine(`${count(ids.size, "lead")} skipped (${reason}): ${named}`)}\n`);
  }
  return unusable.size > 0 ? Math.max(EXIT_FAILED, code) : code;
}
