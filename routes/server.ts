/**
 * @module Serves until a signal, and restarts the listener after EMFILE.
 *
 * When file descriptors run out, Deno stops accepting for good and rejects `finished`; unhandled, that ends
 * the process. Any client can cause it by opening enough connections. Open connections are served meanwhile,
 * and answered before the stop.
 */

import type { Config } from "../config/config.ts";
import { summarise } from "../config/summary.ts";
import type { Leads } from "../leads/pipeline.ts";
import type { Log, Output } from "../lib/log.ts";
import { orExit, stopOnSignal, within } from "../lib/process.ts";

type Server = Pick<Deno.HttpServer<Deno.NetAddr>, "addr" | "finished" | "shutdown">;

/** Delay before a restart: meanwhile a connection may close; if none does, the restart is repeated. */
const PAUSE_MS = 200;

/** How many failed servers to keep, some 4 KB each: without descriptors, each restart adds one. */
const MOST_KEPT = 100;

interface ServeOptions {
  readonly config: Config;
  /** Begins to listen. */
  readonly listen: (port: number) => Server;
  readonly leads: () => Promise<Leads>;
  readonly log: Log;
  readonly output: Output;
  /** Aborted when the server stops. */
  readonly abort: AbortController;
  /** For the summary that is printed. */
  readonly envFile: string | undefined;
  readonly term: string | undefined;
  readonly isDev?: boolean;
  readonly isDeployed?: boolean;
  /** The exit code if it cannot listen. */
  readonly code?: number;
}

/** Serves until SIGINT or SIGTERM. Returns when it listens; ends the process if it cannot. */
export async function serve(
  { config, listen, leads, log, output, abort, ...rest }: ServeOptions,
): Promise<void> {
  const { host, port } = config;
  const what = `Cannot listen on ${host}:${port} (HOST, PORT)`;
  const server = await orExit(() => keepServing(listen, { port, log }), { ...rest, what });
  // Platforms send SIGKILL after 5 s: requests get most of that, deliveries the rest or the queue.
  stopOnSignal(async () => {
    log.info("server.stopping");
    abort.abort();
    await within(3_000, server.stop());
    await within(1_000, leads().then(({ stop }) => stop(800)));
    await within(200, output.flush());
  });
  const isColoured = Deno.stdout.isTerminal() && !Deno.noColor && rest.term !== "dumb";
  output.info(summarise(config, { ...rest, denoVersion: Deno.version.deno, isColoured }));
}

/** @throws whatever `serve` throws the first time */
export function keepServing(
  serve: (port: number) => Server,
  { port, log }: { readonly port: number; readonly log: { error(event: string): void } },
): { readonly port: number; stop(): Promise<void> } {
  /**
   * Servers that no longer accept, but may still have connections, the longest serving first. Deno
   * does not report when the last one closes, and a shutdown closes idle connections and cuts off
   * arriving bodies: so they are shut down at the stop, or when there are too many.
   */
  const earlier: { readonly server: Server; readonly servedMs: number }[] = [];
  const ending = new Set<Promise<void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let server = begin(port);
  const { port: own } = server.addr;

  function begin(at: number): Server {
    const begun = serve(at);
    const since = performance.now();
    begun.finished.catch(() => {
      log.error("server.gave_up");
      earlier.push({ server: begun, servedMs: performance.now() - since });
      earlier.sort((a, b) => b.servedMs - a.servedMs);
      earlier.splice(MOST_KEPT).forEach(end);
      timer = setTimeout(again, PAUSE_MS);
    });
    return begun;
  }

  function again(): void {
    try {
      server = begin(own);
    } catch {
      timer = setTimeout(again, PAUSE_MS);
    }
  }

  function end({ server }: { readonly server: Server }): void {
    const ended = server.shutdown().catch(() => {}).finally(() => ending.delete(ended));
    ending.add(ended);
  }

  return {
    port: own,
    async stop() {
      clearTimeout(timer);
      earlier.splice(0).forEach(end);
      await Promise.all([server.shutdown(), ...ending]);
    },
  };
}
