/**
 * @module Requests at a given rate, however long the answers take: a program that takes an `OpenLoop`
 * as JSON on standard input and prints a `Latency`.
 *
 * Each request has its time beforehand, and its latency counts from that time to the last byte of the
 * answer. A server that stalls is charged for every request that should have been sent meanwhile,
 * which a loop that waits for answers leaves out (coordinated omission): all that had their time are
 * sent, however late. Where this program itself is late, that counts too: it meets floor and service
 * alike.
 */

import { filled } from "./placeholders.ts";
import { type RawRequest, wireText } from "./raw_http.ts";
import { quantile } from "./stats.ts";

/** What to send. */
export interface OpenLoop {
  readonly port: number;
  readonly request: RawRequest;
  readonly connections: number;
  /** What every answer must have. */
  readonly status: number;
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

/**
 * Bytes of the answer at the front of a buffer; 0 where the head has not come yet.
 *
 * @throws {Error} if the answer has another status, or does not tell its length
 */
export function answerLength(bytes: Uint8Array, status: number): number {
  const head = latin1.decode(bytes.subarray(0, 4096));
  const end = head.indexOf("\r\n\r\n");
  if (end < 0) return 0;
  if (!head.startsWith(`HTTP/1.1 ${status} `)) {
    throw new Error(`Cannot measure: ${head.slice(0, head.indexOf("\r\n"))}`);
  }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1];
  if (length === undefined) throw new Error("Cannot measure: an answer without Content-Length");
  return end + 4 + Number(length);
}

async function run(order: OpenLoop): Promise<Latency> {
  const { port, request, status, connections, perSecond, ms, firstNumber } = order;
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
      if (whole === 0) whole = answerLength(on.buffer.subarray(0, held), status);
    }
    latencies.push(performance.now() - due);
    idle.push(on);
  }

  const same = bytesOf(0);
  const varied = JSON.stringify(filled(request, 1)) !== JSON.stringify(filled(request, 2));
  const began = performance.now();
  const total = perSecond === null ? Infinity : Math.ceil(ms * perSecond / 1_000);
  const isOver = (now: number) => perSecond === null ? now >= began + ms : sent === total;
  const timeOf = (nth: number, now: number) =>
    perSecond === null ? now : began + nth * 1_000 / perSecond;
  let sent = 0;
  for (let now = began; !isOver(now); now = performance.now()) {
    while (idle.length > 0 && sent < total && timeOf(sent, now) <= now) {
      const bytes = varied ? bytesOf(sent) : same;
      send(idle.pop()!, bytes, timeOf(sent++, now)).catch((error) => failure ??= error);
    }
    if (failure !== undefined) throw failure;
    if (now > began + 2 * ms) throw new Error("Cannot measure: the answers stay far behind");
    await new Promise((done) => setImmediate(done)); // timers are too coarse
  }
  const deadline = performance.now() + ms;
  while (latencies.length < sent && failure === undefined && performance.now() < deadline) {
    await new Promise((done) => setTimeout(done, 1));
  }
  if (failure !== undefined) throw failure;
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
