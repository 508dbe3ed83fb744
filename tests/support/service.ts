/** @module The real service as a process of its own, with exactly the permissions of its start task. */

import { type Running, type RunOptions, start } from "./command.ts";
import { startFlags } from "./start_task.ts";
import { until } from "./until.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** A running service. */
export interface Service extends Pick<Running, "pid" | "output" | "unread" | "end"> {
  readonly url: string;
  readonly port: number;
  /** Where it runs: KV lies in `.data` below. */
  readonly folder: string;
}

/** How the service is started. */
export interface ServiceOptions {
  /** What is added to its command line. */
  readonly args?: readonly string[];
  /** What becomes of its standard output. */
  readonly stdout?: RunOptions["stdout"];
  /** When it is killed, where a test takes longer than {@link start} allows, or less. */
  readonly withinMs?: number;
}

/** A port that was free a moment ago. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** Runs a test with a folder that is gone after it. */
export async function withFolder<T>(test: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "frontdoor-" });
  try {
    return await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs a test with a service in a folder of its own, which is ended behind it; `env` is what is set. */
export function withRunningService(
  test: (service: Service) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  return withFolder(async (folder) => {
    const service = await startService(folder, env);
    try {
      await test(service);
    } finally {
      await service.end();
    }
  });
}

/** Starts the service and waits until it answers. Whoever starts it ends it. */
export async function startService(
  folder: string,
  env: Record<string, string> = {},
  { withinMs, stdout }: Pick<ServiceOptions, "withinMs" | "stdout"> = {},
): Promise<Service> {
  const port = Number(env["PORT"] ?? freePort());
  const url = `http://127.0.0.1:${port}`;
  const { pid, output, unread, end, hasEnded } = await startMain(folder, {
    env: { PORT: String(port), SITE_URL: url, ...env },
    withinMs,
    stdout,
  });
  await until("the service answers", async () => {
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

/** Starts the service where it is not going to stay up; `project` is a copy of it, if need be. */
export async function runToItsEnd(
  folder: string,
  env: Record<string, string>,
  { args = [], project = ROOT, withinMs = 60_000 }: ServiceOptions & {
    readonly project?: string;
  } = {},
): Promise<{ code: number; output: string }> {
  const { output, finished } = await startMain(folder, { env, args, project, withinMs });
  return { code: await finished, output: output() };
}

async function startMain(
  folder: string,
  { env, args = [], project = ROOT, withinMs, stdout }: {
    readonly env: Record<string, string>;
    readonly args?: readonly string[];
    readonly project?: string;
    readonly withinMs: number | undefined;
    readonly stdout?: RunOptions["stdout"];
  },
): Promise<Running> {
  const line = [Deno.execPath(), ...await startFlags(project), `${project}main.ts`, ...args];
  return start(line, {
    cwd: folder,
    env,
    ...(withinMs === undefined ? {} : { withinMs }),
    ...(stdout === undefined ? {} : { stdout }),
  });
}
