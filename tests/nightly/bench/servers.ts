/** @module The measured programs, each a process on a free port of loopback. */

import { start } from "../../support/command.ts";
import { ask } from "../../support/raw_http.ts";
import { freePort, untilListens } from "../../support/service.ts";
import { taskFlags } from "../../support/start_task.ts";
import type { Floor, FloorAnswer } from "./floor.ts";

export const ROOT = new URL("../../../", import.meta.url).pathname;
const MEASURED_WITHIN_MS = 3_600_000;

export interface Server extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

export interface Program {
  /** Arguments of `deno`; `PORT` stands for the port. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly input?: unknown;
}

export async function launch({ args, env, folder, input }: Program): Promise<Server> {
  const port = freePort();
  const words = args.map((word) => word === "PORT" ? String(port) : word);
  const child = start([Deno.execPath(), ...words], {
    cwd: folder,
    env: { PORT: String(port), ...env },
    ...(input === undefined ? {} : { input: JSON.stringify(input) }),
    stdout: "null",
    withinMs: MEASURED_WITHIN_MS,
  });
  await untilListens(port, child);
  return {
    port,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => void await child.end("SIGKILL"),
  };
}

export async function serviceProgram(folder: string, root = ROOT): Promise<Program> {
  // Behind one proxy, with the default attempt limit over a longer window.
  const env = { TRUSTED_PROXY_HOPS: "1", LEAD_ATTEMPT_LIMIT: "120/1d" };
  return { args: [...await taskFlags("service", root), `${root}main.ts`], env, folder };
}

export function floorProgram(
  how: Floor,
  { folder, answers }: { readonly folder: string; readonly answers: readonly FloorAnswer[] },
): Program {
  const flags = ["--no-config", "--unstable-kv", ...allowing(folder)];
  const file = `${ROOT}tests/nightly/bench/floor.ts`;
  return { args: ["run", ...flags, file, "PORT", how, `${folder}/kv`], folder, input: answers };
}

export async function usualProgram(folder: string, { port }: Server): Promise<Program> {
  const text = async (path: string) => new TextDecoder().decode((await ask(port, { path })).body);
  const json = async (path: string) => JSON.parse(await text(path));
  const [health, site] = [await json("/api/health"), await json("/api/site")];
  const input = { health, site, home: await text("/") };
  const file = `${ROOT}tests/nightly/bench/usual.ts`;
  const flags = ["--config", `${ROOT}tests/deno.json`, ...allowing(folder)];
  return { args: ["run", ...flags, file, "PORT", `${folder}/kv`], folder, input };
}

function allowing(folder: string): string[] {
  return ["--allow-net=127.0.0.1", `--allow-read=${folder}`, `--allow-write=${folder}`];
}
