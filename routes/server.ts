/**
 * @module Goes on serving where a server gives up. Deno stops accepting for good, and a promise that
 * nobody looks at ends the process, when no file descriptor is left: anybody can bring that about who
 * opens connections enough. Whoever is connected already is served all the while, and is answered
 * before the stop.
 *
 * Does not know what is served, nor how.
 */

type Server = Pick<Deno.HttpServer<Deno.NetAddr>, "addr" | "finished" | "shutdown">;

/** What is being served. */
export interface Serving {
  readonly port: number;
  /** Stops, once every request is answered. */
  stop(): Promise<void>;
}

/** Somebody has hung up by then, or will have the next time. */
const PAUSE_MS = 200;

/**
 * How many servers are kept that have given up: some 4 KB each, and as long as a crowd stays there is
 * another one after every pause.
 */
const MOST_KEPT = 100;

/**
 * Serves until it is told to stop.
 *
 * @param serve begins to serve at a port
 * @param options.port 0 for any that is free
 * @param options.log is told each time that a server has given up
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
 * Servers that have given up. Nothing tells when the last of their connections is closed, and a
 * shutdown closes all that have no request under way and cuts off bodies that are still coming in: it
 * is for the stop, and for the one that has served the shortest where there are too many.
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

  /** Resolves when all have answered the requests that they had. */
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
