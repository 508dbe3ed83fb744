/**
 * @module `--workers N`: N threads that take requests at one address, to use more than one core.
 *
 * The first is the process's own (`main.ts`). It starts the others (`worker.ts`) and alone has the
 * leads, the signals and the exit code. The kernel shares connections out among all of them
 * (SO_REUSEPORT, which does so on Linux only); all count attempts in the same memory.
 *
 * A thread that fails ends the process, in order and with exit code 1, as an error that nobody
 * catches ends a single thread: to start it anew is for whoever runs the service.
 */

import { parseArgs } from "node:util";
import { sharedAttempts } from "./leads/attempts.ts";
import type { Leads } from "./leads/leads.ts";
import { consoleLog as log } from "./leads/log.ts";
import { serveIntake } from "./leads/remote_intake.ts";
import { EXIT_CONFIG, EXIT_START } from "./start.ts";

/** What a worker is told first. */
export interface WorkerOrder {
  /** The environment's variables: a worker parses them again, rather than reading them. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly port: number;
  readonly attempts: SharedArrayBuffer;
  /** Where valid leads go. */
  readonly line: MessagePort;
}

/** What a worker reports, in this order. */
export type WorkerReport = "here" | "ready" | "stopped";

/** The word on which a worker stops. */
export const STOP = "stop";

/** More threads than cores are of little use; far more are a slip. */
const MOST = 4 * navigator.hardwareConcurrency;

const USAGE = `Usage: deno task start [--workers N]

Runs the service. What it is set to do is in environment variables: see README.md.

  --workers N   threads that take requests at one address, 1 to ${MOST} on this machine (default: 1);
                more than 1 needs Linux
  --help        this text
`;

/**
 * The threads that the command asks for; undefined where that is one. Ends the process where there is
 * nothing to run.
 */
export function workersOf(args: readonly string[]): Workers | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { workers: { type: "string", default: "1" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) return leave(USAGE);
    const count = countOf(values.workers);
    return count > 1 ? new Workers(count) : undefined;
  } catch (error) {
    return leave(`${(error as Error).message}\n\n${USAGE}`, EXIT_CONFIG);
  }
}

function leave(text: string, code = 0): never {
  // deno-lint-ignore no-console -- for whoever typed the command
  console[code === 0 ? "log" : "error"](text.trimEnd());
  return Deno.exit(code);
}

function countOf(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (!(count >= 1 && count <= MOST)) {
    throw new Error(`Cannot use --workers: it must be a whole number from 1 to ${MOST}`);
  }
  if (count > 1 && Deno.build.os !== "linux") {
    throw new Error("Cannot use --workers: only Linux shares connections out among threads");
  }
  return count;
}

/** All threads, as the first one sees them. */
export class Workers {
  /** The first thread included. */
  readonly count: number;
  readonly attempts: SharedArrayBuffer = sharedAttempts();
  readonly #atWork = new Set<Worker>();
  /** From then on it is the own threads that hold the address. */
  #shared = false;

  constructor(count: number) {
    this.count = count;
  }

  /**
   * How to listen so that others can as well; not where another process does, by accident, which is
   * looked for the first time only.
   *
   * @throws {Deno.errors.AddrInUse}
   */
  share<T extends Deno.ListenOptions>(address: T): T & { reusePort: true } {
    if (!this.#shared) Deno.listen(address).close();
    this.#shared = true;
    return { ...address, reusePort: true };
  }

  /**
   * Starts the other threads and waits until they take requests.
   *
   * @param options.program what they run
   * @param options.failed called when one of them has failed
   */
  async start(
    { program = new URL("./worker.ts", import.meta.url), leads, failed, ...common }:
      & Pick<WorkerOrder, "env" | "port">
      & {
        readonly program?: URL;
        readonly leads: () => Promise<Pick<Leads, "intake">>;
        readonly failed: () => void;
      },
  ): Promise<void> {
    const names = Array.from({ length: this.count - 1 }, (_, n) => `worker ${n + 2}`);
    await Promise.all(names.map(async (name) => {
      const worker = new Worker(program, { type: "module", name });
      worker.addEventListener("error", (event) => {
        event.preventDefault(); // Deno has told what it was, by now
        log.error("server.worker_failed", { worker: name });
        this.#atWork.delete(worker);
        Deno.exitCode = EXIT_START;
        failed();
      });
      await reported(worker, "here");
      const { port1, port2: line } = new MessageChannel();
      serveIntake(port1, leads);
      const order: WorkerOrder = { ...common, attempts: this.attempts, line };
      worker.postMessage(order, [line]);
      await reported(worker, "ready");
      this.#atWork.add(worker);
    }));
  }

  /** Has the others take no more requests, and waits until they have answered those they have. */
  async stop(): Promise<void> {
    await Promise.all([...this.#atWork].map((worker) => {
      worker.postMessage(STOP);
      return reported(worker, "stopped");
    }));
  }
}

function reported(worker: Worker, report: WorkerReport): Promise<void> {
  return new Promise((resolve) =>
    worker.addEventListener("message", function heard({ data }) {
      if (data !== report) return;
      worker.removeEventListener("message", heard);
      resolve();
    })
  );
}
