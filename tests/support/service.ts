/** @module The real service as a process of its own, with exactly the permissions of its start task. */

import { until } from "./until.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** A running service. */
export interface Service {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** All that it has printed so far, both streams. */
  output(): string;
  /** Sends a signal and waits for the end; returns the exit code. */
  end(signal?: Deno.Signal): Promise<number>;
}

/** A port that was free a moment ago. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** A folder that is gone after the test. */
export async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "frontdoor-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Starts the service and waits until it answers; KV lies in `.data` below `folder`. */
export async function startService(
  folder: string,
  env: Record<string, string> = {},
  { args = [] }: { readonly args?: readonly string[] } = {},
): Promise<Service> {
  const port = Number(env["PORT"] ?? freePort());
  const url = `http://127.0.0.1:${port}`;
  const { pid, output, end, ended } = await spawn(folder, {
    env: { PORT: String(port), SITE_URL: url, ...env },
    args,
  });
  await until("the service answers", async () => {
    if (ended()) throw new Error(`The service ended: ${output()}`);
    try {
      await (await fetch(`${url}/api/health`)).body?.cancel();
      return true;
    } catch {
      return false;
    }
  }, 20_000);
  return { url, port, pid, output, end };
}

/** Starts the service where it is not going to stay up. */
export async function runToItsEnd(
  folder: string,
  env: Record<string, string>,
  { args = [] }: { readonly args?: readonly string[] } = {},
): Promise<{ code: number; output: string }> {
  const { output, finished } = await spawn(folder, { env, args });
  return { code: await finished, output: output() };
}

async function spawn(
  folder: string,
  { env, args }: { readonly env: Record<string, string>; readonly args: readonly string[] },
) {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...await startArguments(), `${ROOT}main.ts`, ...args],
    cwd: folder,
    env: { NO_COLOR: "1", ...env },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  let code: number | undefined;
  async function collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) text += chunk;
  }
  const read = Promise.all([collect(child.stdout), collect(child.stderr)]);
  const finished = (async () => {
    const status = await child.status;
    await read;
    return code = status.code;
  })();
  return {
    pid: child.pid,
    finished,
    output: () => text,
    ended: () => code !== undefined,
    end: (signal: Deno.Signal = "SIGTERM") => {
      child.kill(signal);
      return finished;
    },
  };
}

/** `run` and the permissions of the start task; only where the program stands is spelled out. */
async function startArguments(): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const [deno, ...words] = String(tasks.start.command).split(" ");
  if (deno !== "deno" || words.at(-1) !== "main.ts") throw new Error("Cannot read the start task");
  return words.slice(0, -1).map((word) =>
    word.startsWith("--allow-read=")
      ? word.replace(/[^=,]+(?=,|$)/g, (path) => path === ".data" ? path : ROOT + path)
      : word
  );
}
