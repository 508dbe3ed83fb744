/**
 * @module Requests at a given rate, however long the answers take: a program that takes an `OpenLoop`
 * as JSON on standard input and prints a `Latency`.
 *
 * Each request has its time beforehand, and its latency counts from that time to the last byte of the
 * answer. A server that stalls is charged for every request that should have been sent meanwhile,
 * which a loop that waits for answers leaves out (coordinated omission). Where this program itself is
 * late, that counts too: it meets floor and service alike.
 */

import { wireText } from "./lua.ts";
import { filled } from "./placeholders.ts";
import type { RawRequest } from "./raw_http.ts";
import { quantile } from "./stats.ts";

/** What to send. */
export interface OpenLoop {
  readonly port: number;
  readonly request: RawRequest;
  readonly connections: number;
  /** `null`: as many as the connections take. */
  readonly perSecond: number | null;
  readonly ms: number;
  /** The first of the numbers that no other request has. */
  readonly firstNumber: number;
}

/** What came of it. */
export interface Latency {
  readonly answers: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const LARGEST_ANSWER = 256 * 1024;
const latin1 = new TextDecoder("latin1");

/** Bytes of the answer at the front of a buffer; 0 where the head has not come yet. */
export function answerLength(bytes: Uint8Array): number {
  const head = latin1.decode(bytes.subarray(0, 4096));
  const end = head.indexOf("\r\n\r\n");
  if (end < 0) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1];
  if (length === undefined) throw new Error("Cannot measure: an answer without Content-Length");
  return end + 4 + Number(length);
}

async function run(order: OpenLoop): Promise<Latency> {
  const { port, request, connections, perSecond, ms, firstNumber } = order;
  const encoder = new TextEncoder();
  const idle = await Promise.all(Array.from({ length: connections }, async () => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    connection.setNoDelay(true);
    return { connection, buffer: new Uint8Array(LARGEST_ANSWER) };
  }));
  const all = [...idle];
  const latencies: number[] = [];
  let failure: unknown;
  const bytesOf = (n: number) => encoder.encode(wireText(filled(request, firstNumber + n), port));

  async function send(on: typeof idle[number], bytes: Uint8Array, due: number): Promise<void> {
    await on.connection.write(bytes);
    let held = 0;
    for (let whole = 0; whole === 0 || held < whole;) {
      const more = await on.connection.read(on.buffer.subarray(held));
      if (more === null) throw new Error("Cannot measure: the server has hung up");
      held += more;
      if (whole === 0) whole = answerLength(on.buffer.subarray(0, held));
    }
    latencies.push(performance.now() - due);
    idle.push(on);
  }

  const same = bytesOf(0);
  const varied = JSON.stringify(filled(request, 1)) !== JSON.stringify(filled(request, 2));
  const began = performance.now();
  let sent = 0;
  for (let now = began; now < began + ms; now = performance.now()) {
    const isDue = () => perSecond === null || began + sent * 1_000 / perSecond <= now;
    while (idle.length > 0 && isDue()) {
      const due = perSecond === null ? now : began + sent * 1_000 / perSecond;
      const bytes = varied ? bytesOf(sent) : same;
      sent++;
      send(idle.pop()!, bytes, due).catch((error) => failure ??= error);
    }
    if (failure !== undefined) throw failure;
    await new Promise((done) => setImmediate(done)); // timers are too coarse
  }
  const deadline = performance.now() + ms;
  while (latencies.length < sent && performance.now() < deadline) {
    await new Promise((done) => setTimeout(done, 1));
  }
  if (latencies.length < sent) {
    throw new Error(`Cannot measure: ${sent - latencies.length} of ${sent} requests unanswered`);
  }
  const took = performance.now() - began;
  for (const { connection } of all) connection.close();
  return {
    answers: latencies.length,
    perSecond: latencies.length / took * 1_000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

if (import.meta.main) {
  const order: OpenLoop = await new Response(Deno.stdin.readable).json();
  // deno-lint-ignore no-console -- what its parent reads
  console.log(JSON.stringify(await run(order)));
  Deno.exit(0);
}
