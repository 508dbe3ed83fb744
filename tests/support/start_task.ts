/**
 * @module The permission sets of deno.json as flags, for programs in another folder, and `deno task
 * leads`.
 */

import { type Ended, run, runDeno, type Running, type RunOptions, start } from "./command.ts";
import { until } from "./until.ts";

const PROJECT = new URL("../../", import.meta.url).pathname;

interface Permissions {
  readonly net: boolean;
  readonly env: readonly string[] | true;
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly run?: readonly string[];
}

/** `run` and the flags of a task. Readable paths become absolute, except `.data` and `.env`. */
export async function taskFlags(
  set: "service" | "leads" | "inbox" | "doctor",
  project: string,
): Promise<string[]> {
  const { permissions } = JSON.parse(await Deno.readTextFile(`${project}deno.json`));
  const { net, env, read, write, run }: Permissions = permissions[set];
  const paths = read.map((path) => path.startsWith(".") ? path : project + path);
  return [
    "run",
    ...(net ? ["--allow-net"] : []),
    `--allow-env${env === true ? "" : `=${env.join(",")}`}`,
    `--allow-read=${paths.join(",")}`,
    `--allow-write=${write.join(",")}`,
    ...(run === undefined ? [] : [`--allow-run=${run.join(",")}`]),
  ];
}

/** Runs a task of the project in `cwd` as `deno task` does, without a process of its own for that. */
export async function runTask(
  words: string,
  { cwd = PROJECT, ...options }: RunOptions & { readonly cwd?: string } = {},
): Promise<Ended> {
  const [name, ...rest] = words.split(" ");
  const { tasks } = JSON.parse(await Deno.readTextFile(`${cwd}/deno.json`));
  const command = tasks[name!].command.replace(/\bdeno\b/, Deno.execPath());
  const line = ["sh", "-c", `${command} "$@"`, "sh", ...rest];
  return await run(line, { cwd, group: true, ...options });
}

export async function runLeads(
  words: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: Record<string, string> },
): Promise<Ended> {
  return await runDeno(await commandLine(words), { cwd: folder, env });
}

export async function startLeads(
  words: readonly string[],
  { folder }: { readonly folder: string },
): Promise<Running> {
  return start([Deno.execPath(), ...await commandLine(words)], { cwd: folder });
}

/** Starts `deno task inbox` without a browser. @returns it with the address that it has printed */
export async function startInbox(
  folder: string,
  env: Record<string, string> = {},
): Promise<Running & { readonly url: string }> {
  const line = [...await taskFlags("inbox", PROJECT), `${PROJECT}cli/inbox.ts`, "--no-open"];
  const inbox = start([Deno.execPath(), ...line], { cwd: folder, env });
  await until("the inbox prints its address", () => {
    if (inbox.hasEnded()) throw new Error(`The inbox ended: ${inbox.output()}`);
    return Promise.resolve(inbox.output().includes("?key="));
  }, 20_000);
  return { ...inbox, url: /http:\S+/.exec(inbox.output())![0] };
}

async function commandLine(words: readonly string[]): Promise<string[]> {
  return [...await taskFlags("leads", PROJECT), `${PROJECT}cli/leads.ts`, ...words];
}
