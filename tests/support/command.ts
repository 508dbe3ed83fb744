/** @module Programs that a test runs, to their end or beside it, and what they print. */

/** A program that has ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A program that goes on. */
export interface Running {
  readonly pid: number;
  /** The exit code, once it has one. */
  readonly finished: Promise<number>;
  /** All that it has printed so far, both streams. */
  output(): string;
  hasEnded(): boolean;
  /** Sends a signal, unless it has ended, and waits for the end; returns the exit code. */
  end(signal?: Deno.Signal): Promise<number>;
}

/** How a program is run: without colours, and with nobody to answer it. */
export interface RunOptions {
  /** The folder to run in; that of the tests unless given. */
  readonly cwd?: string | URL;
  /** What is set beside what the tests have. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program, given with its arguments, to its end. */
export async function run(line: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { code, stdout, stderr } = await command(line, options).output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

/** Runs Deno itself, the one that runs the tests. */
export function runDeno(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return run([Deno.execPath(), ...args], options);
}

/** Starts a program that does not end by itself. Whoever starts it ends it. */
export function start(line: readonly string[], options: RunOptions = {}): Running {
  const child = command(line, options).spawn();
  let text = "";
  let ended = false;
  async function collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) text += chunk;
  }
  const status = child.status.finally(() => ended = true);
  const finished = Promise.all([status, collect(child.stdout), collect(child.stderr)])
    .then(([{ code }]) => code);
  return {
    pid: child.pid,
    finished,
    output: () => text,
    hasEnded: () => ended,
    end(signal = "SIGTERM") {
      if (!ended) child.kill(signal);
      return finished;
    },
  };
}

function command([program, ...args]: readonly string[], { cwd, env }: RunOptions): Deno.Command {
  return new Deno.Command(program!, {
    args,
    ...(cwd === undefined ? {} : { cwd }),
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}
