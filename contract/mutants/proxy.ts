/** @module A proxy whose mutant changes plain requests and answers; other bytes pass unchanged. */

import { readAnswers, type WireAnswer } from "../tiers/raw/answers.ts";
import type { Launcher } from "../lib/programs.ts";
import { Signal, Socket } from "../lib/socket.ts";
import { bytesOfAnswer, bytesOfRequest, readRequest, replyOf } from "./message.ts";
import type { PlainRequest, ProxiedRequest, Reply } from "./message.ts";

/** A fault in front of a running service or in its settings, never in its code. */
export interface Fault {
  readonly request?: (request: ProxiedRequest) => ProxiedRequest;
  readonly reply?: (reply: Reply, request: ProxiedRequest) => Reply;
  /** How long to withhold an incomplete request from the service, in milliseconds. */
  readonly patience?: number;
  readonly env?: (given: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

interface Proxy {
  readonly url: string;
  /** Closes every connection. Rejects with the first error that a mutant has thrown. */
  stop(): Promise<void>;
}

const GRACE_MS = 500;

/** Starts a proxy in front of a service, which writes also messages anew that no fault changes. */
export function startProxy(upstream: string, mutant: Fault): Proxy {
  const { hostname, port } = new URL(upstream);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const sockets = new Set<Socket>();
  const connections: Promise<void>[] = [];
  const faults: unknown[] = [];
  const shared = { mutant, memory: new Map(), changed: new Set<string>() };
  let isStopped = false;

  async function serve(accepted: Deno.TcpConn): Promise<void> {
    const signal = new Signal();
    /** Reads from a connection, which is closed with the proxy at the latest. */
    function track(connection: Deno.TcpConn): Socket {
      connection.setNoDelay(true);
      const socket = new Socket(connection, signal);
      sockets.add(socket);
      if (isStopped) void socket.close();
      return socket;
    }
    try {
      await using client = track(accepted);
      await using service = track(await Deno.connect({ hostname, port: Number(port) }));
      const link: Link = { ...shared, client, service, signal };
      if (await exchanges(link)) await tunnel(link);
    } catch (error) {
      // A stopped service refuses connections; anything else is an error of the mutant.
      if (!(error instanceof Deno.errors.ConnectionRefused)) faults.push(error);
    }
  }
  async function accept(): Promise<void> {
    for await (const connection of listener) connections.push(serve(connection));
  }
  const accepting = accept();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    async stop() {
      if (!isStopped) listener.close();
      isStopped = true;
      await accepting;
      for (const socket of sockets) void socket.close();
      await Promise.all(connections);
      if (faults.length > 0) throw faults[0];
    },
  };
}

interface Link {
  readonly client: Socket;
  readonly service: Socket;
  readonly signal: Signal;
  readonly mutant: Fault;
  readonly memory: Map<string, number>;
  /** Targets with a body that the mutant has changed. */
  readonly changed: Set<string>;
}

/** Until another kind of request arrives. @returns whether to tunnel the rest of the connection */
async function exchanges(link: Link): Promise<boolean> {
  const { client, service, signal, mutant, memory } = link;
  const isOver = () => client.ended || service.ended;
  while (true) {
    await signal.until(() => client.bytes.length > 0 || isOver());
    const isReadable = () => readRequest(client.bytes, memory) !== "incomplete" || isOver();
    await signal.until(isReadable, mutant.patience ?? GRACE_MS);
    const request = readRequest(client.bytes, memory);
    if (typeof request === "string" || isOver()) return true;
    client.take();
    const outcome = await exchange(link, request);
    if (outcome !== "shown") return outcome === "odd";
  }
}

/** @returns whether the mutant was shown the answer, and whether it cut it off */
async function exchange(link: Link, request: PlainRequest): Promise<"shown" | "odd" | "cut"> {
  const { client, service, signal, mutant, changed } = link;
  const { method, target } = request;
  const sent = mutant.request?.(request) ?? request;
  await service.send(bytesOfRequest(request, sent));
  const answer = await answerTo(sent, link);
  if (answer === undefined) return "odd";
  service.take();
  const from = replyOf(answer);
  let to = mutant.reply?.(from, request) ?? from;
  if (to.late !== undefined) await signal.until(() => client.ended, to.late);
  if (to !== from && to.body !== from.body) changed.add(target);
  if (method === "HEAD" && changed.has(target)) {
    // A fault in a body must not look like a fault in HEAD, which may leave its length out.
    const { "content-length": _, ...headers } = to.headers;
    to = { ...to, headers };
  }
  const bytes = bytesOfAnswer(answer, { from, to, method });
  await client.send(bytes.subarray(0, to.cut));
  return to.cut === undefined ? "shown" : "cut";
}

/** Waits for the answer to a request, which stays buffered; undefined if it is malformed. */
async function answerTo(
  { method }: ProxiedRequest,
  { service, signal }: Link,
): Promise<WireAnswer | undefined> {
  const read = () => readAnswers(service, [method]);
  await signal.until(() => {
    const { answers, problem } = read();
    return answers.length > 0 || problem !== undefined || service.ended;
  });
  const { answers: [answer, ...more], problem } = read();
  const isPlain = answer !== undefined && answer.status >= 200 && more.length === 0;
  return isPlain && problem === undefined ? answer : undefined;
}

async function tunnel({ client, service, signal }: Link): Promise<void> {
  async function pump(from: Socket, to: Socket): Promise<void> {
    while (true) {
      await signal.until(() => from.bytes.length > 0 || from.ended);
      const bytes = from.take();
      if (bytes.length === 0) return await to.halfClose();
      if (!await to.send(bytes)) return;
    }
  }
  await Promise.all([pump(client, service), pump(service, client)]);
}

/** A launcher whose services have a fault; it stops these alone. */
export function mutatedLauncher(launcher: Pick<Launcher, "start">, mutant: Fault): Launcher {
  const running: { stop(): Promise<void> }[] = [];
  return {
    async start(env = {}, files = {}) {
      const service = await launcher.start(mutant.env?.(env) ?? env, files);
      const proxy = startProxy(service.url, mutant);
      running.push(service, proxy);
      return { ...service, url: proxy.url };
    },
    async stopAll() {
      await Promise.all(running.map((one) => one.stop()));
    },
  };
}
