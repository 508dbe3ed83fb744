/** @module The operator's program as a process, with exactly the permissions of its task. */

import { type Ended, runDeno, type Running, start } from "./command.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Runs a command line where a service has its KV in `.data` below `folder`. */
export async function runLeads(
  words: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: Record<string, string> },
): Promise<Ended> {
  return await runDeno(await commandLine(words), { cwd: folder, env });
}

/** Starts one that is looked at while it runs. */
export async function startLeads(
  words: readonly string[],
  { folder }: { readonly folder: string },
): Promise<Running> {
  return start([Deno.execPath(), ...await commandLine(words)], { cwd: folder });
}

async function commandLine(words: readonly string[]): Promise<string[]> {
  return [...await taskArguments(), `${ROOT}cli/leads.ts`, ...words];
}

/** `run` and the permissions of the leads task. */
async function taskArguments(): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const [deno, ...words] = String(tasks.leads.command).split(" ");
  if (deno !== "deno" || words.at(-1) !== "cli/leads.ts") {
    throw new Error("Cannot read the leads task");
  }
  return words.slice(0, -1);
}
