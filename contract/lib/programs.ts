/** @module Starts programs: commands, and servers, each on a free port and in a temporary folder. */

import { CannotRun } from "./cannot_run.ts";

export interface Place {
  readonly url: string;
  /** Removed in the end. */
  readonly folder: string;
}

export interface Server extends Place {
  /** Stops the process and removes its folder. @throws {CannotRun} if it had to be killed */
  stop(): Promise<void>;
}

/** Milliseconds after which a process that does not start or stop is killed. */
const DEADLINES = { start: 30_000, stop: 30_000 };

export type Deadlines = Readonly<typeof DEADLINES>;

export interface Program {
  readonly name: string;
  readonly deadlines?: Deadlines | undefined;
  /** Prepares the folder, and returns the command to run, by default in it. */
  command(place: Place): Promise<readonly [command: string, options: Deno.CommandOptions]>;
  /** Its path that answers, whatever the status, as soon as the server is up. */
  readonly ready: string;
}

const BETWEEN_TRIES_MS = 50;

/** Waits until it answers. @throws {CannotRun} with its output if it does not */
export async function startServer(program: Program): Promise<Server> {
  const { name, deadlines = DEADLINES } = program;
  const folder = await Deno.makeTempDir({ prefix: "contract-" });
  const removeFolder = () => Deno.remove(folder, { recursive: true }).catch(() => {});
  const place = { folder, url: `http://127.0.0.1:${freePort()}` };
  const child = await program.command(place).then(([command, options]) => {
    const streams = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
    return new Deno.Command(command, { cwd: folder, ...options, ...streams }).spawn();
  }).catch(async (error) => {
    await removeFolder();
    throw error;
  });
  const output = child.output();
  let isRunning = true;
  void child.status.then(() => isRunning = false);

  async function within<T>(ms: number, waiting: Promise<T>): Promise<T> {
    const deadline = setTimeout(() => isRunning && child.kill("SIGKILL"), ms);
    return await waiting.finally(() => clearTimeout(deadline));
  }
  async function answers(): Promise<boolean> {
    while (isRunning) {
      const answer = await fetch(place.url + program.ready).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer !== undefined) return true;
      await new Promise((done) => setTimeout(done, BETWEEN_TRIES_MS));
    }
    return false;
  }
  async function stop(): Promise<void> {
    const isStopping = isRunning;
    if (isStopping) child.kill("SIGTERM");
    const { signal } = await within(deadlines.stop, output);
    await removeFolder();
    if (isStopping && signal === "SIGKILL") throw await errorOf("stop");
  }
  async function errorOf(what: string): Promise<CannotRun> {
    const texts = textsOf(await output).join("\n").trim();
    return new CannotRun(`Cannot ${what} ${name}: ${texts || "it printed nothing"}`);
  }
  if (await within(deadlines.start, answers())) return { ...place, stop };
  await stop();
  throw await errorOf("start");
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** Runs a command to its end. @throws {CannotRun} with the end of its output if it fails */
export async function outputOf(
  command: string,
  options: Deno.CommandOptions & { readonly args: string[] },
): Promise<string> {
  const process = new Deno.Command(command, { ...options, stdin: "null" });
  const output = await process.output().catch(() => {
    throw new CannotRun(`${command} cannot be started`);
  });
  const texts = textsOf(output);
  if (output.success) return texts[0]!;
  const tail = texts.join("\n").trim().split("\n").slice(-5).join("\n");
  throw new CannotRun(`${command} ${options.args.slice(0, 3).join(" ")} has failed:\n${tail}`);
}

function textsOf({ stdout, stderr }: Deno.CommandOutput): string[] {
  return [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
}

export type Texts = Readonly<Record<string, string>>;

export interface Launcher {
  /** @param files texts by path, to replace in a copy of the project */
  start(env?: Texts, files?: Texts): Promise<Server>;
  /** Stops all instances; later starts fail. */
  stopAll(): Promise<void>;
}

/** On SIGINT and SIGTERM, stops all instances and exits with 2. */
export function endOnSignals(launcher: Pick<Launcher, "stopAll">): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => launcher.stopAll().finally(() => Deno.exit(2)));
  }
}
