/**
 * @module Restarts the listener after EMFILE. When file descriptors run out, Deno stops accepting for
 * good and rejects `finished`; unhandled, that ends the process. Any client can cause it by opening
 * enough connections. Open connections are served meanwhile, and answered before the stop.
 */

type Server = Pick<Deno.HttpServer<Deno.NetAddr>, "addr" | "finished" | "shutdown">;

/** Delay before a restart: meanwhile a connection may close; if none does, the restart is repeated. */
const PAUSE_MS = 200;

/** How many failed servers to keep, some 4 KB each: without descriptors, each restart adds one. */
const MOST_KEPT = 100;

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
