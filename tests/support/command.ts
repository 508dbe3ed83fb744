/**
 * @module Runs programs with deadlines, and collects their output. Nothing else in tests starts a process.
 */

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly pid: number;
  /** The exit code. @throws {Error} with the output if the deadline killed it */
  readonly finished: Promise<number>;
  output(): string;
  hasEnded(): boolean;
  readonly unread: ReadableStream<Uint8Array> | undefined;
  /** Sends a signal, unless it has ended. */
  signal(signal: Deno.Signal): void;
  end(signal?: Deno.Signal): Promise<number>;
}

export interface RunOptions {
  readonly cwd?: string | URL;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** "null" discards standard output; "unread" leaves it in the pipe for the test. */
  readonly stdout?: "piped" | "null" | "unread";
  /** Starts a process group: signals reach its children too. */
  readonly group?: boolean;
  readonly withinMs?: number;
}

/** The deadline of {@link run}, on a busy machine. */
const RUN_WITHIN_MS = 120_000;

/** The deadline of {@link start}: longer than any test. */
const LIVE_WITHIN_MS = 300_000;
const STOP_WITHIN_MS = 30_000;

/** How much of the output, from its end, a failure quotes. */
const MAX_QUOTED = 20_000;

export async function run(line: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { finished, printed } = spawn(line, { withinMs: RUN_WITHIN_MS, ...options });
  return { code: await finished, out: printed.out, err: printed.err };
}

/** A task is a group, so that the deadline also ends what it has started. */
export function runDeno(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return run([Deno.execPath(), ...args], { group: args[0] === "task", ...options });
}

export function start(line: readonly string[], options: RunOptions = {}): Running {
  return spawn(line, { withinMs: LIVE_WITHIN_MS, ...options });
}

function spawn(line: readonly string[], options: RunOptions & { readonly withinMs: number }) {
  const { input, stdout = "piped", group = false, withinMs } = options;
  const child = command(line, options).spawn();
  const printed = { out: "", err: "", both: "" };
  const reading = new AbortController();
  const killed = Promise.withResolvers<never>();
  const deadlines: ReturnType<typeof setTimeout>[] = [];
  let ended = false;
  let over = false;

  async function collect(stream: ReadableStream<Uint8Array>, name: "out" | "err"): Promise<void> {
    const { signal } = reading;
    for await (const text of stream.pipeThrough(new TextDecoderStream(), { signal })) {
      printed[name] += text;
      printed.both += text;
    }
  }

  function signal(name: Deno.Signal): void {
    if (over || (ended && !group)) return;
    try {
      group ? Deno.kill(-child.pid, name) : child.kill(name);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // ended meanwhile
    }
  }

  function killAfter(ms: number, when: string): void {
    deadlines.push(setTimeout(async () => {
      signal("SIGKILL");
      await child.status;
      reading.abort(); // its children may hold the output open
      const output = printed.both.slice(-MAX_QUOTED) || "nothing";
      const killedAt = `Killed ${ms} ms after ${when}: ${line.join(" ")}`;
      killed.reject(new Error(`${killedAt}\nIt printed ${output}`));
    }, ms));
  }

  killAfter(withinMs, "its start");
  const work = Promise.all([
    child.status.finally(() => ended = true),
    stdout === "piped" ? collect(child.stdout, "out") : undefined,
    collect(child.stderr, "err"),
    // A program need not read all of its input.
    input && new Blob([input]).stream().pipeTo(child.stdin).catch(() => {}),
  ]).then(([{ code }]) => code);
  work.catch(() => {}); // aborted reading
  const finished = Promise.race([work, killed.promise]).finally(() => {
    over = true;
    for (const deadline of deadlines) clearTimeout(deadline);
    if (stdout === "unread" && !child.stdout.locked) child.stdout.cancel().catch(() => {});
  });
  return {
    pid: child.pid,
    finished,
    printed,
    output: () => printed.both,
    unread: stdout === "unread" ? child.stdout : undefined,
    hasEnded: () => ended,
    signal,
    end(name: Deno.Signal = "SIGTERM") {
      signal(name);
      if (!over) killAfter(STOP_WITHIN_MS, name);
      return finished;
    },
  };
}

function command(
  [program, ...args]: readonly string[],
  { cwd, env, input, stdout = "piped", group = false }: RunOptions,
): Deno.Command {
  return new Deno.Command(program!, {
    args,
    ...(cwd === undefined ? {} : { cwd }),
    env: { NO_COLOR: "1", ...env },
    detached: group,
    stdin: input ? "piped" : "null",
    stdout: stdout === "unread" ? "piped" : stdout,
    stderr: "piped",
  });
}
