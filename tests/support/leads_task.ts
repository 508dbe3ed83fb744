/** @module `deno task leads` as a process, with exactly the permissions of its task. */

import { type Ended, runDeno, type Running, start } from "./command.ts";
import { taskFlags } from "./start_task.ts";

const project = new URL("../../", import.meta.url).pathname;
const program = "cli/leads.ts";

/** Runs a command where a service has its KV in `.data` below `folder`. */
export async function runLeads(
  words: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: Record<string, string> },
): Promise<Ended> {
  return await runDeno(await commandLine(words), { cwd: folder, env });
}

/** Like {@link runLeads}, but does not wait for its end. */
export async function startLeads(
  words: readonly string[],
  { folder }: { readonly folder: string },
): Promise<Running> {
  return start([Deno.execPath(), ...await commandLine(words)], { cwd: folder });
}

async function commandLine(words: readonly string[]): Promise<string[]> {
  return [...await taskFlags("leads", project), `${project}${program}`, ...words];
}
