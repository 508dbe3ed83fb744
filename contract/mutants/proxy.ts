/**
 * @module A proxy that lets a mutant change requests and answers. Mutants see plain requests only
 * (`message.ts`); all other bytes pass unchanged both ways.
 */

import { readAnswers, type WireAnswer } from "../raw/answers.ts";
import { createSignal, createSocket, type Signal, type Socket } from "../socket.ts";
import {
  bodyOf,
  changedAnswer,
  changedRequest,
  type PlainRequest,
  postOf,
  readRequest,
  replyOf,
} from "./message.ts";
import type { ProxyFault } from "./mutant.ts";

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
  const target: Target = { hostname, port: Number(port), host: `${hostname}:${port}` };
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const sockets = new Set<Socket>();
  const connections = new Set<Promise<void>>();
  const faults: unknown[] = [];
  const memory = new Map<string, number>();
  const changed = new Set<string>();
  let isStopped = false;

  /** Wraps a connection, to close it with the proxy at the latest. */
  function track(connection: Deno.TcpConn, signal: Signal): Socket {
    connection.setNoDelay(true);
    const socket = createSocket(connection, signal);
    const one: Socket = {
      ...socket,
      async close() {
        await socket.close();
        sockets.delete(one);
      },
    };
    sockets.add(one);
    if (isStopped) void one.close();
    return one;
  }
  async function connect(signal: Signal): Promise<Socket> {
    return track(await Deno.connect(target), signal);
  }
  async function serve(connection: Deno.TcpConn): Promise<void> {
    const signal = createSignal();
    const client = track(connection, signal);
    let service: Socket | undefined;
    try {
      service = await connect(signal);
      const link: Link = { client, service, signal, mutant, memory, changed, target, connect };
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
      isStopped = true;
      listener.close();
      await accepting;
      for (const socket of sockets) void socket.close();
      await Promise.all(connections);
      if (faults.length > 0) throw faults[0];
    },
  };
}

interface Target {
  readonly hostname: string;
  readonly port: number;
  /** As in the Host field. */
  readonly host: string;
}

/** A client's connection and its connection to the service. */
interface Link {
  readonly client: Socket;
  readonly service: Socket;
  readonly signal: Signal;
  readonly mutant: ProxyFault;
  readonly memory: Map<string, number>;
  /** Targets with a body that the mutant has changed. */
  readonly changed: Set<string>;
  readonly target: Target;
  connect(signal: Signal): Promise<Socket>;
}

/**
 * Shows plain requests to the mutant, one after the other, until another kind of request arrives.
 * @returns whether to tunnel the rest of the connection
 */
async function exchanges(link: Link): Promise<boolean> {
  const { client, service, signal, mutant } = link;
  const isOver = () => client.ended() || service.ended();
  while (true) {
    await signal.until(() => client.bytes().length > 0 || isOver());
    const isReadable = () => readRequest(client.bytes()) !== "incomplete" || isOver();
    await signal.until(isReadable, mutant.patience ?? GRACE_MS);
    const request = readRequest(client.bytes());
    if (typeof request === "string" || isOver()) return true;
    client.take();
    const outcome = await exchange(link, request);
    if (outcome !== "shown") return outcome === "odd";
  }
}

/** @returns whether the mutant was shown the answer, and whether it cut it off */
async function exchange(link: Link, request: PlainRequest): Promise<"shown" | "odd" | "cut"> {
  const { client, service, signal, mutant, changed } = link;
  const proxied = { ...request, memory: link.memory };
  const change = mutant.request?.(proxied) ?? {};
  const method = change.method ?? request.method;
  const answer = await roundTrip(service, {
    bytes: changedRequest(request, change),
    method,
    signal,
  });
  if (answer === undefined) return "odd";
  const original = service.take();
  const reply = replyOf(answer);
  const changedReply = mutant.reply?.(reply, proxied) ?? reply;
  const also = mutant.also?.(reply, proxied);
  if (also !== undefined) {
    const bytes = postOf(request.target, { host: link.target.host, body: also });
    await roundTripApart(link, { bytes, method: "POST" });
  }
  if (changedReply.late !== undefined) await signal.until(() => client.ended(), changedReply.late);
  if (changedReply !== reply && changedReply.body !== reply.body) changed.add(request.target);
  const length = await lengthOfGet(link, request);
  const isUnchanged = changedReply === reply && length === undefined &&
    Object.keys(change).length === 0;
  const bytes = isUnchanged
    ? original
    : changedAnswer(answer, { from: reply, to: changedReply, method: request.method, length });
  await client.send(bytes.subarray(0, changedReply.cut));
  return changedReply.cut === undefined ? "shown" : "cut";
}

/** Sends a request and waits for its answer, which stays buffered; undefined if it is malformed. */
async function roundTrip(
  socket: Socket,
  { bytes, method, signal }: {
    readonly bytes: Uint8Array;
    readonly method: string;
    readonly signal: Signal;
  },
): Promise<WireAnswer | undefined> {
  const read = () => readAnswers(socket.bytes(), { methods: [method], ended: socket.ended() });
  await socket.send(bytes);
  await signal.until(() => {
    const { answers, fault, isHttp2 } = read();
    return answers.length > 0 || fault !== undefined || isHttp2 || socket.ended();
  });
  const { answers: [answer, ...more], fault } = read();
  const isPlain = answer !== undefined && answer.status >= 200 && more.length === 0;
  return isPlain && fault === undefined ? answer : undefined;
}

/**
 * The Content-Length for HEAD if the mutant changes the body of GET: a fault in a body must not look
 * like a fault in HEAD. Undefined for other methods, and for bodies without a change so far.
 */
async function lengthOfGet(link: Link, request: PlainRequest): Promise<number | undefined> {
  const { mutant, memory, changed } = link;
  if (request.method !== "HEAD" || !changed.has(request.target)) return undefined;
  const method = "GET";
  const get = { ...request, method, memory };
  const change = { headers: { connection: "close" }, ...mutant.request?.(get) };
  const bytes = changedRequest(get, change);
  const answer = await roundTripApart(link, { bytes, method });
  if (answer === undefined) return undefined;
  const from = replyOf(answer);
  const to = mutant.reply?.(from, get) ?? from;
  return from.body === to.body ? undefined : bodyOf(answer, { from, to }).length;
}

/** A round trip on another connection to the service. */
async function roundTripApart(
  { connect }: Link,
  request: { readonly bytes: Uint8Array; readonly method: string },
): Promise<WireAnswer | undefined> {
  const signal = createSignal();
  const socket = await connect(signal);
  try {
    return await roundTrip(socket, { ...request, signal });
  } finally {
    await socket.close();
  }
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
