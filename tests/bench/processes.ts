/**
 * @module The programs that are measured, each as a process of its own on a free port of loopback.
 * Whatever is still running when the benchmark ends is ended with it.
 */

import { start as startProgram } from "../support/command.ts";
import { freePort } from "../support/service.ts";
import { startFlags } from "../support/start_task.ts";
import { ask } from "./raw_http.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const LISTENS_WITHIN_MS = 20_000;
/** Some are measured from the first round to the last. */
const MEASURED_WITHIN_MS = 3_600_000;

/** A program on a port. */
export interface Contender {
  readonly port: number;
  readonly pid: number;
  end(): Promise<void>;
}

/** What to run. */
export interface Program {
  /** Arguments of `deno`; `PORT` among them stands for the port. */
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** Handed over as JSON on standard input. */
  readonly input?: unknown;
}

const running = new Set<Contender>();

/** Ends all that still runs. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((one) => one.end()));
}

/** Ends all that runs, and removes the folder, when the benchmark is interrupted. */
export function endOnSignals(folder: string): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, async () => {
      await endAll();
      await Deno.remove(folder, { recursive: true }).catch(() => {});
      Deno.exit(130);
    });
  }
}

/** Starts a program and waits until it listens. @throws {Error} with what it said, if it does not */
export async function start(program: Program): Promise<Contender> {
  const { contender, complaint } = spawn(program);
  const deadline = performance.now() + LISTENS_WITHIN_MS;
  while (!await listens(contender.port)) {
    const said = complaint();
    if (said !== undefined || performance.now() > deadline) {
      await contender.end();
      throw new Error(`Cannot measure: a program does not listen\n${said ?? ""}`);
    }
    await new Promise((done) => setTimeout(done, 1));
  }
  return contender;
}

/** Milliseconds from spawning a program to the end of its first answer to GET `path`. */
export async function timeToAnswer(program: Program, path: string): Promise<number> {
  const began = performance.now();
  const contender = await start(program);
  try {
    const { status } = await ask(contender.port, { method: "GET", path, headers: {} });
    const took = performance.now() - began;
    if (status !== 200) throw new Error(`Cannot measure: ${path} is answered ${status}`);
    return took;
  } finally {
    await contender.end();
  }
}

/** The service: exactly the flags of its start task; KV lies in `.data` below `folder`. */
export async function serviceProgram(
  folder: string,
  env: Record<string, string> = {},
): Promise<Program> {
  const flags = await startFlags(ROOT);
  return {
    args: [...flags, `${ROOT}main.ts`],
    cwd: folder,
    env: { PORT: "PORT", ...env },
  };
}

/** A program of this folder, with a folder of its own to write to. */
export function benchProgram(
  file: string,
  { folder, args = [], input, config = false }: {
    readonly folder: string;
    readonly args?: readonly string[];
    readonly input?: unknown;
    /** Reads `deno.json`, because it has dependencies. */
    readonly config?: boolean;
  },
): Program {
  return {
    args: [
      "run",
      ...(config ? [] : ["--no-config", "--unstable-kv"]),
      "--allow-net=127.0.0.1",
      `--allow-read=${folder}`,
      `--allow-write=${folder}`,
      `${ROOT}tests/bench/${file}`,
      "PORT",
      ...args,
    ],
    cwd: folder,
    input,
  };
}

function spawn({ args, cwd, env = {}, input }: Program) {
  const port = freePort();
  const words = args.map((word) => word === "PORT" ? String(port) : word);
  const child = startProgram([Deno.execPath(), ...words], {
    ...(cwd === undefined ? {} : { cwd }),
    env: Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value === "PORT" ? `${port}` : value]),
    ),
    ...(input === undefined ? {} : { input: JSON.stringify(input) }),
    stdout: "null", // a line a lead is written, and nobody has to read it
    withinMs: MEASURED_WITHIN_MS,
  });
  const contender: Contender = {
    port,
    pid: child.pid,
    async end() {
      running.delete(contender);
      await child.end("SIGKILL");
    },
  };
  running.add(contender);
  return { contender, complaint: () => child.hasEnded() ? child.output() : undefined };
}

async function listens(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}
