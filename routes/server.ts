/**
 * @module Restarts the listener after EMFILE. When no file descriptor is left, Deno stops accepting for
 * good and rejects `finished`, which unhandled ends the process: a client can cause that by opening
 * enough connections. Open connections are served meanwhile, and answered before the stop.
 */

type Server = Pick<Deno.HttpServer<Deno.NetAddr>, "addr" | "finished" | "shutdown">;

/** What is being served. */
export interface Serving {
  readonly port: number;
  /** Stops, once every request is answered. */
  stop(): Promise<void>;
}

/** By then some connection has closed, or the next restart will find one that has. */
const PAUSE_MS = 200;

/** Most failed servers kept, some 4 KB each: while descriptors are short, each pause adds one. */
const MOST_KEPT = 100;

/**
 * Serves until it is told to stop.
 *
 * @param serve starts a server on a port
 * @param options.port 0 for any free one
 * @param options.log gets a line each time that a server has failed
 * @throws whatever `serve` throws the first time
 */
export function keepServing(
  serve: (port: number) => Server,
  { port, log }: { readonly port: number; readonly log: { error(event: string): void } },
): Serving {
  const earlier = new EarlierServers();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let server = begin(port);
  const { port: own } = server.addr;

  function begin(at: number): Server {
    const begun = serve(at);
    const since = performance.now();
    begun.finished.catch(() => {
      log.error("server.gave_up");
      earlier.keep(begun, performance.now() - since);
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

  return {
    port: own,
    async stop() {
      clearTimeout(timer);
      await Promise.all([server.shutdown(), earlier.stop()]);
    },
  };
}

/**
 * Servers that no longer accept, but still have connections. Deno does not tell when the last one
 * closes, and a shutdown closes idle connections and cuts off bodies that are still arriving: so they are
 * shut down at the stop, or when there are too many, the one that has served the shortest first.
 */
class EarlierServers {
  /** The longest serving first. */
  #kept: { readonly server: Server; readonly servedMs: number }[] = [];
  readonly #ending = new Set<Promise<void>>();

  keep(server: Server, servedMs: number): void {
    this.#kept.push({ server, servedMs });
    this.#kept.sort((a, b) => b.servedMs - a.servedMs);
    for (const spare of this.#kept.splice(MOST_KEPT)) this.#end(spare.server);
  }

  /** Resolves when all have answered their pending requests. */
  async stop(): Promise<void> {
    for (const { server } of this.#kept.splice(0)) this.#end(server);
    await Promise.all(this.#ending);
  }

  #end(server: Server): void {
    const forget = () => void this.#ending.delete(ended);
    const ended = server.shutdown().then(forget, forget);
    this.#ending.add(ended);
  }
}
