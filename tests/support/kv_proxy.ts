/**
 * @module A proxy between service and denokv that fails on command, and counts what passes.
 *
 * KV Connect is HTTP: `POST /` exchanges metadata, which name the endpoint for `…/snapshot_read` and
 * `…/atomic_write`. Deno speaks HTTP/2 to it, so that all calls of a service share a connection, and
 * repeats each failed call by itself: one call of the service may be several here.
 */

import { TcpFront } from "./tcp_front.ts";
import { pause } from "./until.ts";

/** The kinds of calls. */
export type Call = "metadata" | "read" | "commit";

/** What can become of a call. */
export type Fault =
  /** Not passed on; the connection is broken off. */
  | "cut"
  /** Not passed on; answered 503. */
  | "unavailable"
  /** Held until healed, and only then passed on. */
  | "hang"
  /** Passed on; the connection is broken off in place of the answer. */
  | "lose"
  /** Passed on; answered 503 in place of the answer. */
  | "deny";

/** Which calls a fault befalls; without limits every call until healed. */
export interface Scope {
  readonly calls?: readonly Call[];
  readonly times?: number;
}

interface Rule {
  readonly fault: Fault;
  readonly calls: readonly Call[];
  left: number;
}

const ALL: readonly Call[] = ["metadata", "read", "commit"];

/** A running proxy. */
export class KvProxy {
  /** Calls that came in, whatever became of them. */
  readonly seen: Record<Call, number> = { metadata: 0, read: 0, commit: 0 };
  readonly #upstream: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #front: TcpFront;
  #rules: Rule[] = [];
  #delayMs = 0;
  #healed = Promise.withResolvers<void>();

  /** @param upstream denokv's own URL */
  constructor(upstream: string) {
    this.#upstream = upstream;
    const options = {
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
      // A connection that breaks off in the middle of a request is what a test may be about.
      onError: () => new Response(null, { status: 503 }),
    };
    this.#server = Deno.serve(
      options,
      (request, { remoteAddr }) => this.#handle(request, remoteAddr.port),
    );
    this.#front = new TcpFront(this.#server.addr.port);
    this.accept();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#front.port}`;
  }

  /** Refuses connections, and breaks off those that there are. */
  refuse(): void {
    this.#front.refuse();
  }

  /** Lets the connections that there are go dead, without telling anybody; new ones work. */
  strand(): void {
    this.#front.strand();
  }

  /** Lets connections in again. */
  accept(): void {
    this.#front.accept();
  }

  /** From now on. Of several faults the one that was set first befalls a call. */
  fail(fault: Fault, { calls = ALL, times = Infinity }: Scope = {}): void {
    this.#rules.push({ fault, calls, left: times });
  }

  /** Every call takes at least so long. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Ends all faults and delays. */
  heal(): void {
    this.#rules = [];
    this.#delayMs = 0;
    this.#healed.resolve();
    this.#healed = Promise.withResolvers();
  }

  /** Ends the proxy. */
  async end(): Promise<void> {
    this.heal();
    await this.#front.end();
    await this.#server.shutdown();
  }

  async #handle(request: Request, from: number): Promise<Response> {
    const { pathname } = new URL(request.url);
    const call = callOf(pathname);
    this.seen[call]++;
    // Determined on arrival: what happens to a call is not changed by how long it takes.
    const fault = this.#faultOf(call);
    const healed = this.#healed.promise;
    const body = await request.bytes();
    if (this.#delayMs > 0) await pause(this.#delayMs);
    if (fault === "hang") await healed;
    if (fault === "cut") return this.#breakOff(from);
    if (fault === "unavailable") return new Response(null, { status: 503 });

    const headers = new Headers(request.headers);
    headers.delete("host");
    const answer = await fetch(`${this.#upstream}${pathname}`, { method: "POST", headers, body });
    const content = await answer.bytes();
    if (fault === "lose") return this.#breakOff(from);
    if (fault === "deny") return new Response(null, { status: 503 });
    if (call === "metadata" && answer.ok) {
      return Response.json(
        leadingHere(JSON.parse(new TextDecoder().decode(content)), this.#upstream),
      );
    }
    const type = answer.headers.get("content-type") ?? "application/octet-stream";
    return new Response(content, { status: answer.status, headers: { "content-type": type } });
  }

  #faultOf(call: Call): Fault | undefined {
    const rule = this.#rules.find(({ calls, left }) => left > 0 && calls.includes(call));
    if (rule !== undefined) rule.left--;
    return rule?.fault;
  }

  /** The response is for nobody. */
  #breakOff(from: number): Response {
    this.#front.breakOff(from);
    return new Response(null, { status: 503 });
  }
}

/** Runs a test with a proxy of its own in front of denokv. */
export async function withKvProxy(
  upstream: string,
  test: (proxy: KvProxy) => Promise<void>,
): Promise<void> {
  const proxy = new KvProxy(upstream);
  try {
    await test(proxy);
  } finally {
    await proxy.end();
  }
}

function callOf(path: string): Call {
  if (path.endsWith("/snapshot_read")) return "read";
  return path.endsWith("/atomic_write") ? "commit" : "metadata";
}

/** Endpoints may be relative already; an absolute one would lead past the proxy. */
function leadingHere(
  metadata: { readonly endpoints: readonly { readonly url: string }[] },
  upstream: string,
): unknown {
  const endpoints = metadata.endpoints.map((endpoint) => ({
    ...endpoint,
    url: new URL(endpoint.url, upstream).pathname,
  }));
  return { ...metadata, endpoints };
}
