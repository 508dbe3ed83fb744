/**
 * @module A proxy that lets a mutant change requests and answers. Mutants see plain requests only
 * (`message.ts`); all other bytes pass unchanged both ways.
 */

import { readAnswers, type WireAnswer } from "../raw/answers.ts";
import type { Launcher } from "../service.ts";
import { createSignal, createSocket, type Signal, type Socket } from "../socket.ts";
import {
  bodyOf,
  bytesOfAnswer,
  bytesOfRequest,
  type PlainRequest,
  readRequest,
  replyOf,
} from "./message.ts";
import type { Mutant, ProxyFault } from "./mutant.ts";

interface Proxy {
  readonly url: string;
  /** Closes every connection. Rejects with the first error that a mutant has thrown. */
  stop(): Promise<void>;
}

/** How long an incomplete request is withheld from the service. */
const GRACE_MS = 500;

/** Starts a proxy in front of a service; without a mutant it changes nothing. */
export function startProxy(upstream: string, mutant: ProxyFault = {}): Proxy {
  const { hostname, port } = new URL(upstream);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const sockets = new Set<Socket>();
  const connections = new Set<Promise<void>>();
  const faults: unknown[] = [];
  const shared = { upstream, mutant, memory: new Map(), changed: new Set<string>() };
  let isStopped = false;

  /** Reads from a connection, which is closed with the proxy at the latest. */
  function track(connection: Deno.TcpConn, signal: Signal): Socket {
    connection.setNoDelay(true);
    const socket = createSocket(connection, signal);
    sockets.add(socket);
    if (isStopped) void socket.close();
    return socket;
  }
  async function connect(signal: Signal): Promise<Socket> {
    return track(await Deno.connect({ hostname, port: Number(port) }), signal);
  }
  async function serve(connection: Deno.TcpConn): Promise<void> {
    const signal = createSignal();
    const client = track(connection, signal);
    let service: Socket | undefined;
    try {
      service = await connect(signal);
      const link: Link = { ...shared, client, service, signal, connect };
      const { request, reply, also, patience } = mutant;
      const isTunnel = [request, reply, also, patience].every((one) => one === undefined);
      if (isTunnel || await exchanges(link)) await tunnel(link);
    } catch (error) {
      // A stopped service refuses connections; anything else is an error of the mutant.
      if (!(error instanceof Deno.errors.ConnectionRefused)) faults.push(error);
    } finally {
      await client.close();
      await service?.close();
    }
  }
  async function accept(): Promise<void> {
    for await (const connection of listener) {
      const one = serve(connection);
      connections.add(one);
      void one.finally(() => connections.delete(one));
    }
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

/** A client's connection and its connection to the service. */
interface Link {
  readonly upstream: string;
  readonly client: Socket;
  readonly service: Socket;
  readonly signal: Signal;
  readonly mutant: ProxyFault;
  readonly memory: Map<string, number>;
  /** Targets with a body that the mutant has changed. */
  readonly changed: Set<string>;
  connect(signal: Signal): Promise<Socket>;
}

/**
 * Shows plain requests to the mutant, one after the other, until another kind of request arrives.
 * @returns whether to tunnel the rest of the connection
 */
async function exchanges(link: Link): Promise<boolean> {
  const { client, service, signal, mutant, memory } = link;
  const isOver = () => client.ended() || service.ended();
  while (true) {
    await signal.until(() => client.bytes().length > 0 || isOver());
    const isReadable = () => readRequest(client.bytes(), memory) !== "incomplete" || isOver();
    await signal.until(isReadable, mutant.patience ?? GRACE_MS);
    const request = readRequest(client.bytes(), memory);
    if (typeof request === "string" || isOver()) return true;
    client.take();
    const outcome = await exchange(link, request);
    if (outcome !== "shown") return outcome === "odd";
  }
}

/** @returns whether the mutant was shown the answer, and whether it cut it off */
async function exchange(link: Link, request: PlainRequest): Promise<"shown" | "odd" | "cut"> {
  const { client, service, signal, mutant, changed } = link;
  const sent = mutant.request?.(request) ?? request;
  const answer = await roundTrip(link, { ...sent, bytes: bytesOfRequest(request, sent) });
  if (answer === undefined) return "odd";
  const original = service.take();
  const from = replyOf(answer);
  const to = mutant.reply?.(from, request) ?? from;
  const also = mutant.also?.(from, request);
  if (also !== undefined) await post(link.upstream + request.target, also);
  if (to.late !== undefined) await signal.until(() => client.ended(), to.late);
  if (to !== from && to.body !== from.body) changed.add(request.target);
  const length = await lengthOfGet(link, request);
  const isUnchanged = to === from && length === undefined && sent === request;
  const bytes = isUnchanged
    ? original
    : bytesOfAnswer(answer, { from, to, method: request.method, length });
  await client.send(bytes.subarray(0, to.cut));
  return to.cut === undefined ? "shown" : "cut";
}

/** Sends a request and waits for its answer, which stays buffered; undefined if it is malformed. */
async function roundTrip(
  { service, signal }: Pick<Link, "service" | "signal">,
  { bytes, method }: Pick<PlainRequest, "bytes" | "method">,
): Promise<WireAnswer | undefined> {
  const read = () => readAnswers(service, [method]);
  await service.send(bytes);
  await signal.until(() => {
    const { answers, fault } = read();
    return answers.length > 0 || fault !== undefined || service.ended();
  });
  const { answers: [answer, ...more], fault } = read();
  const isPlain = answer !== undefined && answer.status >= 200 && more.length === 0;
  return isPlain && fault === undefined ? answer : undefined;
}

/** Sends a lead over another connection. */
async function post(url: string, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const { body: answer } = await fetch(url, { method: "POST", headers, body });
  await answer?.cancel();
}

/**
 * The Content-Length for HEAD if the mutant changes the body of GET: a fault in a body must not look
 * like a fault in HEAD. Undefined for other methods, and for bodies without a change so far.
 */
async function lengthOfGet(link: Link, request: PlainRequest): Promise<number | undefined> {
  const { mutant, changed, connect } = link;
  if (request.method !== "HEAD" || !changed.has(request.target)) return undefined;
  const get = { ...request, method: "GET" };
  const sent = mutant.request?.(get) ?? get;
  const signal = createSignal();
  const service = await connect(signal);
  try {
    const bytes = bytesOfRequest(request, sent);
    const answer = await roundTrip({ service, signal }, { bytes, method: sent.method });
    if (answer === undefined) return undefined;
    const from = replyOf(answer);
    const to = mutant.reply?.(from, get) ?? from;
    return from.body === to.body ? undefined : bodyOf(answer, { from, to }).length;
  } finally {
    await service.close();
  }
}

/** A launcher whose services have a fault. Their proxies end with the run. */
export function mutatedLauncher(launcher: Launcher, mutant: Partial<Mutant>): Launcher {
  const proxies: Proxy[] = [];
  return {
    async start(env = {}, files = {}) {
      const service = await launcher.start(mutant.env?.(env) ?? env, files);
      const proxy = startProxy(service.url, mutant);
      proxies.push(proxy);
      return { ...service, url: proxy.url };
    },
    async stopAll() {
      await launcher.stopAll().finally(() => Promise.all(proxies.map((proxy) => proxy.stop())));
    },
  };
}

/** Forwards bytes both ways until both sides have ended. */
async function tunnel({ client, service, signal }: Link): Promise<void> {
  async function pump(from: Socket, to: Socket): Promise<void> {
    while (true) {
      await signal.until(() => from.bytes().length > 0 || from.ended());
      const bytes = from.take();
      if (bytes.length === 0) return await to.halfClose();
      if (!await to.send(bytes)) return;
    }
  }
  await Promise.all([pump(client, service), pump(service, client)]);
}
