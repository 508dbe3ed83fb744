/**
 * @module Load on one port: 32 connections that each send the next request when the last one is
 * answered, for a number of milliseconds. By `wrk` where it is installed, else by autocannon.
 */

import { run, runDeno, start } from "../support/command.ts";
import { luaOf } from "./lua.ts";
import type { LoadOrder } from "./placeholders.ts";
import { cpuMs } from "./cpu_time.ts";
import type { RawRequest } from "./raw_http.ts";

/** What one slice of load came to. */
export interface Load {
  readonly perSecond: number;
  readonly requests: number;
  /** Bytes an answer, head included. */
  readonly bytes: number;
  /** Answers with a status of 400 and above. */
  readonly refused: number;
  /** Milliseconds of CPU that the server used for an answer, where the system tells. */
  readonly cpuMs: number | undefined;
}

/** What is sent: the requests, by turns. */
export interface Target {
  readonly server: { readonly port: number; readonly pid: number };
  readonly requests: readonly RawRequest[];
}

/** What a loading program has counted. */
interface Counted {
  readonly micros: number;
  readonly requests: number;
  readonly bytes: number;
  readonly refused: number;
  readonly failed: number;
}

const CONNECTIONS = 32;
/** A slice that is so much longer than it should be is not counted. */
const LATE_MS = 1_000;
const MOST_ATTEMPTS = 5;
/** More than any slice sends, so that no two slices send the same lead. */
const NUMBERS_A_SLICE = 2_000_000;
let slices = 0;

/** The first of numbers that no request has had. */
export function nextNumbers(): number {
  return ++slices * NUMBERS_A_SLICE % 1_000_000_000;
}

/** How load is made on this machine. */
export type Loader = "wrk" | "autocannon";

/** wrk if it is found on PATH. */
export async function findLoader(): Promise<Loader> {
  try {
    await run(["wrk", "-v"]);
    return "wrk";
  } catch {
    return "autocannon";
  }
}

/** @throws {Error} on connections that failed */
export async function load(
  target: Target,
  { loader, ms }: { readonly loader: Loader; readonly ms: number },
): Promise<Load> {
  const { server, requests } = target;
  const order = {
    port: server.port,
    requests,
    connections: CONNECTIONS,
    firstNumber: nextNumbers(),
  };
  const before = await cpuMs(server.pid);
  const counted = await (loader === "wrk" ? byWrk : byAutocannon)(order, ms);
  const after = await cpuMs(server.pid);
  const { micros, requests: answers, bytes, refused, failed } = counted;
  if (failed > 0 || answers === 0) {
    throw new Error(`Cannot measure: ${answers} answers, and ${failed} failed connections`);
  }
  return {
    perSecond: answers / micros * 1e6,
    requests: answers,
    bytes: bytes / answers,
    refused,
    cpuMs: before === undefined || after === undefined ? undefined : (after - before) / answers,
  };
}

/**
 * wrk counts in whole seconds: shorter slices are ended by SIGINT, after which it reports as usual.
 * A signal that comes before it waits is lost, and the slice is taken again.
 */
async function byWrk(order: LoadOrder, ms: number): Promise<Counted> {
  const script = await Deno.makeTempFile({ prefix: "bench-", suffix: ".lua" });
  try {
    await Deno.writeTextFile(script, luaOf(order));
    const seconds = Math.ceil((ms + LATE_MS) / 1_000) + 1;
    const { connections, port } = order;
    const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script];
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const child = start(["wrk", ...args, `http://127.0.0.1:${port}`]);
      const interrupt = setTimeout(() => child.signal("SIGINT"), ms);
      await child.finished;
      const counted = countedBy("wrk", child.output());
      clearTimeout(interrupt);
      if (counted.micros < (ms + LATE_MS) * 1_000) return counted;
    }
    throw new Error("Cannot measure: wrk does not stop when it should; the machine is too busy");
  } finally {
    await Deno.remove(script);
  }
}

async function byAutocannon(order: LoadOrder, ms: number): Promise<Counted> {
  const { out, err } = await runDeno([
    "run",
    "--allow-all", // autocannon and what it depends on look at files, environment and system
    new URL("autocannon.ts", import.meta.url).pathname,
  ], { input: JSON.stringify({ ...order, ms }) });
  return countedBy("autocannon", `${out}\n${err}`);
}

/** A loading program prints what it has counted as one line. */
function countedBy(program: Loader, text: string): Counted {
  const counted = /^counted (\{.*\})$/m.exec(text)?.[1];
  if (counted !== undefined) return JSON.parse(counted);
  throw new Error(`Cannot measure: ${program} says ${text.slice(-1_000)}`);
}
