/**
 * @module Goes on serving where a server gives up. Deno stops accepting for good, and a promise that
 * nobody looks at ends the process, when no file descriptor is left: anybody can bring that about who
 * opens connections enough. Whoever is connected already is served all the while.
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
  let server = serve(port);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { port: own } = server.addr;

  function watch(): void {
    server.finished.catch(() => {
      log.error("server.gave_up");
      timer = setTimeout(again, PAUSE_MS);
    });
  }
  function again(): void {
    try {
      server = serve(own);
      watch();
    } catch {
      timer = setTimeout(again, PAUSE_MS);
    }
  }

  watch();
  return {
    port: own,
    stop() {
      clearTimeout(timer);
      return server.shutdown();
    },
  };
}
