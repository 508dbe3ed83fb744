/** @module Starts programs: servers, each on a free port and in a temporary folder, and commands. */

import { CannotRun } from "./cannot_run.ts";

/** Where a server runs. */
export interface Place {
  readonly url: string;
  /** Removed in the end. */
  readonly folder: string;
}

export interface Server extends Place {
  output(): string;
  /** Stops the process and removes its folder. @throws {CannotRun} if it had to be killed */
  stop(): Promise<void>;
}

/** Milliseconds after which a process that does not start or stop is killed. */
const DEADLINES = { start: 30_000, stop: 30_000 };

export type Deadlines = Readonly<typeof DEADLINES>;

export interface Program {
  /** For messages. */
  readonly name: string;
  readonly deadlines?: Deadlines | undefined;
  /** Prepares the folder, and returns the command to run, by default in it. */
  command(place: Place): Promise<readonly [command: string, options: Deno.CommandOptions]>;
  /** Rejects until the server answers. */
  answers(place: Place): Promise<unknown>;
}

const BETWEEN_TRIES_MS = 50;

/**
 * Starts a server and waits until it answers.
 * @throws {CannotRun} with its output if it ends before, or takes too long
 */
export async function startServer(program: Program): Promise<Server> {
  const { name, deadlines = DEADLINES } = program;
  const folder = await Deno.makeTempDir({ prefix: "contract-" });
  const place = { folder, url: `http://127.0.0.1:${freePort()}` };
  const child = await program.command(place).then(([command, options]) =>
    new Deno.Command(command, {
      ...{ cwd: folder, ...options },
      ...{ stdin: "null", stdout: "piped", stderr: "piped" },
    }).spawn()
  ).catch(async (error) => {
    await Deno.remove(folder, { recursive: true });
    throw error;
  });
  let printed = "";
  let ended = false;
  async function collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) printed += chunk;
  }
  const reading = Promise.all([collect(child.stdout), collect(child.stderr)]);
  const finished = child.status.then(() => {
    ended = true;
    return reading;
  });
  function killAfter(ms: number): () => void {
    const deadline = setTimeout(() => ended || child.kill("SIGKILL"), ms);
    return () => clearTimeout(deadline);
  }
  function fault(what: string): CannotRun {
    return new CannotRun(`Cannot ${what} ${name}: ${printed.trim() || "it printed nothing"}`);
  }
  async function stop(): Promise<void> {
    const isRunning = !ended;
    const cancel = killAfter(deadlines.stop);
    if (isRunning) child.kill("SIGTERM");
    await finished;
    cancel();
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    if (isRunning && (await child.status).signal === "SIGKILL") throw fault("stop");
  }
  const cancel = killAfter(deadlines.start);
  let isUp = false;
  while (!isUp && !ended) {
    isUp = await program.answers(place).then(() => true, () => false);
    if (!isUp) await new Promise((done) => setTimeout(done, BETWEEN_TRIES_MS));
  }
  cancel();
  if (isUp) return { ...place, output: () => printed, stop };
  await stop();
  throw fault("start");
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
  const { success, stdout, stderr } = await process.output().catch(() => {
    throw new CannotRun(`${command} cannot be started`);
  });
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  if (success) return out!;
  const tail = `${out}\n${err}`.trim().split("\n").slice(-5).join("\n");
  throw new CannotRun(`${command} ${options.args.slice(0, 3).join(" ")} has failed:\n${tail}`);
}
