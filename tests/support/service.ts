/** @module Runs the service as a process, with exactly the permissions of its start task. */

import { type Running, type RunOptions, start } from "./command.ts";
import { taskFlags } from "./start_task.ts";
import { until } from "./until.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

export interface Service extends Pick<Running, "pid" | "output" | "unread" | "end"> {
  readonly url: string;
  readonly port: number;
  /** The working directory, with KV in `.data`. */
  readonly folder: string;
}

export interface ServiceOptions {
  readonly args?: readonly string[];
  /** Goes before the command line, such as `setpriv` with its options. */
  readonly prefix?: readonly string[];
  /** Changes `run` and the permissions of the start task. */
  readonly flags?: (words: readonly string[]) => readonly string[];
  /** The folder of the project, ending in a slash; by default this one. */
  readonly project?: string;
  readonly stdout?: NonNullable<RunOptions["stdout"]>;
  /** The deadline, if not that of {@link start}. */
  readonly withinMs?: number;
}

export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  return listener.addr.port;
}

export function untilListens(
  port: number,
  { hasEnded, output }: Pick<Running, "hasEnded" | "output">,
): Promise<void> {
  return until(`port ${port} accepts connections`, async () => {
    if (hasEnded()) throw new Error(`The program ended: ${output()}`);
    const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => undefined);
    connection?.close();
    return connection !== undefined;
  }, 20_000);
}

export async function withFolder<T>(test: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "frontdoor-" });
  try {
    return await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

export function withRunningService(
  test: (service: Service) => Promise<void>,
  env: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<void> {
  return withFolder(async (folder) => {
    const service = await startService(folder, env, options);
    try {
      await test(service);
    } finally {
      await service.end();
    }
  });
}

export async function startService(
  folder: string,
  env: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<Service> {
  const port = Number(env["PORT"] ?? freePort());
  const url = `http://127.0.0.1:${port}`;
  const all = { PORT: String(port), SITE_URL: url, ...env };
  const { pid, output, unread, end, hasEnded } = await startMain(folder, all, options);
  await until("the service responds", async () => {
    if (hasEnded()) throw new Error(`The service ended: ${output()}`);
    try {
      await (await fetch(`${url}/api/health`)).body?.cancel();
      return true;
    } catch {
      return false;
    }
  }, 20_000);
  return { url, port, pid, folder, output, unread, end };
}

export async function runToItsEnd(
  folder: string,
  env: Record<string, string>,
  options: ServiceOptions = {},
): Promise<{ code: number; output: string }> {
  const { output, finished } = await startMain(folder, env, { withinMs: 60_000, ...options });
  return { code: await finished, output: output() };
}

async function startMain(folder: string, env: Record<string, string>, options: ServiceOptions) {
  const { args = [], prefix = [], flags = (words) => words, project = ROOT, ...others } = options;
  const words = flags(await taskFlags("service", project));
  const line = [...prefix, Deno.execPath(), ...words, `${project}main.ts`, ...args];
  return start(line, { cwd: folder, env, ...others });
}
