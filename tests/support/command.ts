/**
 * @module Programs that a test runs, to their end or beside it, and what they print. Each has a
 * deadline, after which it is killed, and whatever waits for it fails with its output.
 *
 * The only place in the tests where a process is started (`tests/architecture_test.ts`), so that no
 * test can wait for ever.
 */

/** A program that has ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A program that goes on. */
export interface Running {
  readonly pid: number;
  /** The exit code, once it has one. @throws {Error} with its output, where it had to be killed */
  readonly finished: Promise<number>;
  /** All that it has printed so far, both streams. */
  output(): string;
  hasEnded(): boolean;
  /** Its standard output, where that is left to the test: `stdout: "unread"`. */
  readonly unread: ReadableStream<Uint8Array> | undefined;
  /** Sends a signal, unless it has ended. */
  signal(signal: Deno.Signal): void;
  /** Sends a signal, unless it has ended, and waits for the end; returns the exit code. */
  end(signal?: Deno.Signal): Promise<number>;
}

/** How a program is run: without colours, and with nobody to answer it. */
export interface RunOptions {
  /** The folder to run in; that of the tests unless given. */
  readonly cwd?: string | URL;
  /** What is set beside what the tests have. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads on standard input. */
  readonly input?: string;
  /**
   * "null" throws away what it prints there: a measured service's log, say. "unread" leaves it in the
   * pipe, for the test to read or not.
   */
  readonly stdout?: "piped" | "null" | "unread";
  /** Makes it a group of its own: signals go to all that it has started, too. */
  readonly group?: boolean;
  /** When it is killed. */
  readonly withinMs?: number;
  /** How long it may take to end after {@link Running.end}. */
  readonly stopWithinMs?: number;
}

/** What a program that ends by itself takes at the most, on a busy machine. */
const RUN_WITHIN_MS = 120_000;

/** What a program that is ended lives at the most: longer than any test with one takes. */
const LIVE_WITHIN_MS = 300_000;

/** Several times what any program here takes to stop. */
const STOP_WITHIN_MS = 30_000;

/** More would hide how it ended. */
const MOST_TOLD = 20_000;

/** Runs a program, given with its arguments, to its end. */
export async function run(line: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { finished, printed } = spawn(line, { withinMs: RUN_WITHIN_MS, ...options });
  return { code: await finished, out: printed.out, err: printed.err };
}

/** Runs Deno itself, the one that runs the tests. */
export function runDeno(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return run([Deno.execPath(), ...args], options);
}

/** Starts a program that does not end by itself. Whoever starts it ends it. */
export function start(line: readonly string[], options: RunOptions = {}): Running {
  return spawn(line, { withinMs: LIVE_WITHIN_MS, ...options });
}

interface Printed {
  out: string;
  err: string;
  both: string;
}

function spawn(
  line: readonly string[],
  options: RunOptions & { readonly withinMs: number },
): Running & { readonly printed: Printed } {
  const { input, stdout = "piped", group = false, withinMs, stopWithinMs = STOP_WITHIN_MS } =
    options;
  const child = command(line, options).spawn();
  const printed: Printed = { out: "", err: "", both: "" };
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
      if (!(error instanceof Deno.errors.NotFound)) throw error; // it has ended meanwhile
    }
  }

  function killAfter(ms: number, when: string): void {
    deadlines.push(setTimeout(async () => {
      signal("SIGKILL");
      await child.status;
      // What it has started may hold its output open.
      reading.abort();
      const told = printed.both.slice(-MOST_TOLD) || "nothing";
      killed.reject(
        new Error(`Killed ${ms} ms after ${when}: ${line.join(" ")}\nIt printed ${told}`),
      );
    }, ms));
  }

  killAfter(withinMs, "its start");
  const work = Promise.all([
    child.status.finally(() => ended = true),
    stdout === "piped" ? collect(child.stdout, "out") : undefined,
    collect(child.stderr, "err"),
    input === undefined ? undefined : feed(child.stdin, input),
  ]).then(([{ code }]) => code);
  work.catch(() => {}); // reading that is cut off
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
    end(name = "SIGTERM") {
      signal(name);
      if (!over) killAfter(stopWithinMs, name);
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
    stdin: input === undefined ? "null" : "piped",
    stdout: stdout === "unread" ? "piped" : stdout,
    stderr: "piped",
  });
}

/** A program need not read to the end of what it is given. */
async function feed(stdin: WritableStream<Uint8Array>, input: string): Promise<void> {
  await new Blob([input]).stream().pipeTo(stdin).catch(() => {});
}
