/**
 * @module A proxy that lets a mutant change requests and responses. Bytes pass unchanged both ways,
 * so that service and platform answer as without it; mutants see plain requests alone
 * (`message.ts`).
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
  /** Closes every connection. Rejects with what a mutant has thrown, if it has. */
  stop(): Promise<void>;
}

/** A request that is incomplete by then has stalled. */
const GRACE_MS = 500;

/** Starts a proxy in front of a service; without a mutant it changes nothing. */
export function startProxy(upstream: string, mutant: ProxyFault = {}): Proxy {
  const { hostname, port } = new URL(upstream);
  const target: Target = { hostname, port: Number(port), host: `${hostname}:${port}` };
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const ends = new Set<Socket>();
  const passing = new Set<Promise<void>>();
  const faults: unknown[] = [];
  const memory = new Map<string, number>();
  const changed = new Set<string>();
  let isStopped = false;

  /** An end that is closed with the proxy at the latest. */
  function kept(connection: Deno.TcpConn, signal: Signal): Socket {
    connection.setNoDelay(true);
    const end = createSocket(connection, signal);
    const one: Socket = {
      ...end,
      async close() {
        await end.close();
        ends.delete(one);
      },
    };
    ends.add(one);
    if (isStopped) void one.close();
    return one;
  }
  async function connect(signal: Signal): Promise<Socket> {
    return kept(await Deno.connect(target), signal);
  }
  async function pass(connection: Deno.TcpConn): Promise<void> {
    const signal = createSignal();
    const client = kept(connection, signal);
    let service: Socket | undefined;
    try {
      service = await connect(signal);
      const way: Way = { client, service, signal, mutant, memory, changed, target, connect };
      const { request, reply, also, patience } = mutant;
      const isTunnel = [request, reply, also, patience].every((one) => one === undefined);
      if (isTunnel || await exchanges(way)) await tunnel(way);
    } catch (error) {
      // A service that has been ended refuses connections; anything else is a mutant's own fault.
      if (!(error instanceof Deno.errors.ConnectionRefused)) faults.push(error);
    } finally {
      await client.close();
      await service?.close();
    }
  }
  async function accept(): Promise<void> {
    for await (const connection of listener) {
      const one = pass(connection);
      passing.add(one);
      void one.finally(() => passing.delete(one));
    }
  }
  const accepting = accept();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    async stop() {
      isStopped = true;
      listener.close();
      await accepting;
      for (const end of ends) void end.close();
      await Promise.all(passing);
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

/** A client's connection, and the service's that belongs to it. */
interface Way {
  readonly client: Socket;
  readonly service: Socket;
  readonly signal: Signal;
  readonly mutant: ProxyFault;
  readonly memory: Map<string, number>;
  /** Targets that the mutant has changed a body of. */
  readonly changed: Set<string>;
  readonly target: Target;
  connect(signal: Signal): Promise<Socket>;
}

/**
 * Shows plain requests to the mutant, one after the other, until there comes something else.
 * @returns whether the connection goes on, with what has come and was not shown
 */
async function exchanges(way: Way): Promise<boolean> {
  const { client, service, signal, mutant } = way;
  const isOver = () => client.ended() || service.ended();
  while (true) {
    await signal.until(() => client.bytes().length > 0 || isOver());
    const isTold = () => readRequest(client.bytes()) !== "incomplete" || isOver();
    await signal.until(isTold, mutant.patience ?? GRACE_MS);
    const request = readRequest(client.bytes());
    if (typeof request === "string" || isOver()) return true;
    client.take();
    const went = await exchange(way, request);
    if (went !== "shown") return went === "odd";
  }
}

/** @returns whether the mutant was shown an answer, and if so, whether it has cut it off */
async function exchange(way: Way, request: PlainRequest): Promise<"shown" | "odd" | "cut"> {
  const { client, service, signal, mutant, changed } = way;
  const passing = { ...request, memory: way.memory };
  const change = mutant.request?.(passing) ?? {};
  const method = change.method ?? request.method;
  const answer = await ask(service, { bytes: changedRequest(request, change), method, signal });
  if (answer === undefined) return "odd";
  const asItWas = service.take();
  const reply = replyOf(answer);
  const changedReply = mutant.reply?.(reply, passing) ?? reply;
  const also = mutant.also?.(reply, passing);
  if (also !== undefined) await postAlso(way, { target: request.target, body: also });
  if (changedReply.late !== undefined) await signal.until(() => client.ended(), changedReply.late);
  if (changedReply !== reply && changedReply.body !== reply.body) changed.add(request.target);
  const length = await lengthOfGet(way, request);
  const isAsItWas = changedReply === reply && length === undefined &&
    Object.keys(change).length === 0;
  const bytes = isAsItWas
    ? asItWas
    : changedAnswer(answer, { from: reply, to: changedReply, method: request.method, length });
  await client.send(bytes.subarray(0, changedReply.cut));
  return changedReply.cut === undefined ? "shown" : "cut";
}

/** Sends a request and waits for its response, without taking it; undefined: malformed. */
async function ask(
  end: Socket,
  { bytes, method, signal }: {
    readonly bytes: Uint8Array;
    readonly method: string;
    readonly signal: Signal;
  },
): Promise<WireAnswer | undefined> {
  const read = () => readAnswers(end.bytes(), { methods: [method], ended: end.ended() });
  await end.send(bytes);
  await signal.until(() => {
    const { answers, fault, isHttp2 } = read();
    return answers.length > 0 || fault !== undefined || isHttp2 || end.ended();
  });
  const { answers: [answer, ...more], fault } = read();
  const isPlain = answer !== undefined && answer.status >= 200 && more.length === 0;
  return isPlain && fault === undefined ? answer : undefined;
}

/**
 * What a HEAD tells of a body that a mutant changes: a fault in a body must not look like one in
 * HEAD. Undefined where the request is another, or no body there has been changed so far.
 */
async function lengthOfGet(way: Way, request: PlainRequest): Promise<number | undefined> {
  const { mutant, memory, changed } = way;
  if (request.method !== "HEAD" || !changed.has(request.target)) return undefined;
  const method = "GET";
  const get = { ...request, method, memory };
  const change = { headers: { connection: "close" }, ...mutant.request?.(get) };
  const bytes = changedRequest(get, change);
  const answer = await aside(way, (end, signal) => ask(end, { bytes, method, signal }));
  if (answer === undefined) return undefined;
  const from = replyOf(answer);
  const to = mutant.reply?.(from, get) ?? from;
  return from.body === to.body ? undefined : bodyOf(answer, { from, to }).length;
}

/** Sends a lead of the mutant's own, and waits for its answer. */
function postAlso(way: Way, { target, body }: Record<"target" | "body", string>): Promise<unknown> {
  const bytes = postOf(target, { host: way.target.host, body });
  return aside(way, (end, signal) => ask(end, { bytes, method: "POST", signal }));
}

/** Uses a connection of its own. */
async function aside<T>(
  { connect }: Way,
  use: (end: Socket, signal: Signal) => Promise<T>,
): Promise<T> {
  const signal = createSignal();
  const end = await connect(signal);
  try {
    return await use(end, signal);
  } finally {
    await end.close();
  }
}

/** Hands everything on, both ways, each way until it ends. */
async function tunnel({ client, service, signal }: Way): Promise<void> {
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
