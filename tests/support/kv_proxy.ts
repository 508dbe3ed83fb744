/**
 * @module A proxy between service and denokv that fails on command.
 *
 * KV Connect is HTTP: `POST /` exchanges metadata with the endpoint for `…/snapshot_read` and
 * `…/atomic_write`. Deno multiplexes the calls of a service over one HTTP/2 connection and retries failed
 * calls: one call of the service may be several here.
 */

import { pause } from "./until.ts";

export type Call = "metadata" | "read" | "commit";

export type Problem =
  /** 503 without forwarding the call. */
  | "unavailable"
  /** The call is forwarded only after {@link KvProxy.heal}. */
  | "hang"
  /** The call is forwarded, and the connection closed instead of the response. */
  | "lose";

export class TcpFront {
  to = 0;
  /** Closes a connection; by the local port of its upstream side. */
  readonly #closers = new Map<number, () => void>();
  readonly #dead = new Set<number>();
  readonly #work = new Set<Promise<void>>();
  #listener: Deno.TcpListener | undefined;
  #port = 0;

  get port(): number {
    return this.#port;
  }

  /** Accepts connections; after {@link refuse} on the same port as before. */
  accept(): void {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: this.#port });
    this.#port = listener.addr.port;
    this.#listener = listener;
    this.#track(this.#forwardAll(listener));
  }

  refuse(): void {
    this.#listener?.close();
    this.#listener = undefined;
    for (const close of this.#closers.values()) close();
  }

  /** Existing connections carry nothing more, and stay open as after a power failure. New ones work. */
  strand(): void {
    for (const port of this.#closers.keys()) this.#dead.add(port);
  }

  breakOff(port: number): void {
    this.#closers.get(port)?.();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  async end(): Promise<void> {
    this.refuse();
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  async #forwardAll(listener: Deno.TcpListener): Promise<void> {
    for await (const connection of listener) this.#track(this.#forward(connection));
  }

  async #forward(outer: Deno.TcpConn): Promise<void> {
    const inner = await Deno.connect({ hostname: "127.0.0.1", port: this.to });
    const { port } = inner.localAddr;
    function close(): void {
      for (const connection of [outer, inner]) {
        try {
          connection.close();
        } catch { /* closed already */ }
      }
    }
    this.#closers.set(port, close);
    if (this.#listener === undefined) close();
    const unlessDead = () =>
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, stream) => this.#dead.has(port) ? undefined : stream.enqueue(bytes),
      });
    await Promise.all([[outer, inner] as const, [inner, outer] as const].map(([from, to]) =>
      // HTTP cannot use a connection that is half closed.
      from.readable.pipeThrough(unlessDead()).pipeTo(to.writable).catch(() => {}).finally(close)
    ));
    this.#closers.delete(port);
    this.#dead.delete(port);
  }

  #track(work: Promise<void>): void {
    const tracked = work.catch(() => {}).finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }
}

const ALL: readonly Call[] = ["metadata", "read", "commit"];

export class KvProxy extends TcpFront {
  readonly #upstream: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #rules: { readonly problem: Problem; readonly calls: readonly Call[] }[] = [];
  #delayMs = 0;
  #healed = Promise.withResolvers<void>();

  /** @param upstream denokv's own URL */
  constructor(upstream: string) {
    super();
    this.#upstream = upstream;
    this.#server = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
      // A connection may be closed in the middle of a request.
      onError: () => new Response(null, { status: 503 }),
    }, (request, { remoteAddr }) => this.#handle(request, remoteAddr.port));
    this.to = this.#server.addr.port;
    this.accept();
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Adds a problem for some calls, until healed. The first that applies wins. */
  fail(problem: Problem, { calls = ALL }: { readonly calls?: readonly Call[] } = {}): void {
    this.#rules.push({ problem, calls });
  }

  delay(ms: number): void {
    this.#delayMs = ms;
  }

  heal(): void {
    this.#rules = [];
    this.#delayMs = 0;
    this.#healed.resolve();
    this.#healed = Promise.withResolvers();
  }

  override async end(): Promise<void> {
    this.heal();
    await super.end();
    await this.#server.shutdown();
  }

  async #handle(request: Request, from: number): Promise<Response> {
    const { pathname } = new URL(request.url);
    const call = callOf(pathname);
    // On arrival, so that a slow call keeps its problem.
    const problem = this.#rules.find(({ calls }) => calls.includes(call))?.problem;
    const healed = this.#healed.promise;
    const unavailable = new Response(null, { status: 503 });
    const body = await request.bytes();
    if (this.#delayMs > 0) await pause(this.#delayMs);
    if (problem === "hang") await healed;
    if (problem === "unavailable") return unavailable;

    const headers = new Headers(request.headers);
    headers.delete("host");
    const answer = await fetch(`${this.#upstream}${pathname}`, { method: "POST", headers, body });
    const content = await answer.bytes();
    if (problem === "lose") {
      this.breakOff(from);
      return unavailable;
    }
    if (call === "metadata" && answer.ok) {
      const metadata = JSON.parse(new TextDecoder().decode(content));
      // An absolute endpoint would bypass the proxy.
      for (const endpoint of metadata.endpoints) {
        endpoint.url = new URL(endpoint.url, this.#upstream).pathname;
      }
      return Response.json(metadata);
    }
    const type = answer.headers.get("content-type") ?? "application/octet-stream";
    return new Response(content, { status: answer.status, headers: { "content-type": type } });
  }
}

function callOf(path: string): Call {
  if (path.endsWith("/snapshot_read")) return "read";
  return path.endsWith("/atomic_write") ? "commit" : "metadata";
}
