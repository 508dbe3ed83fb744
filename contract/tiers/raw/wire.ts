/** @module Sends to a service over connections of their own what `fetch` does not send. */

import { reasonOf, UnreachableError } from "../../run/client.ts";
import type { Answer } from "../../lib/exchange.ts";
import type { Session } from "../../run/session.ts";
import { Socket } from "../../lib/socket.ts";
import { readAnswers, type WireAnswer } from "./answers.ts";
import { getMessage, type Message, type RawRow, type Want, type Words } from "./rows.ts";
import { isWanted, namedAnswer, possibleWants, type Received, type Turn } from "./outcome.ts";

/** Connects, with TLS for https. @throws {UnreachableError} if the service is unreachable */
export async function openSocket(base: string): Promise<Socket> {
  const { protocol, hostname: named, port } = new URL(base);
  const secure = protocol === "https:";
  const hostname = named.replace(/^\[|\]$/g, "");
  const place = { hostname, port: Number(port || (secure ? 443 : 80)) };
  try {
    return new Socket(secure ? await Deno.connectTls(place) : await Deno.connect(place));
  } catch (error) {
    const call = { method: "GET", path: "/" };
    throw new UnreachableError(`Cannot reach ${base}: ${reasonOf(error)}`, call);
  }
}

/** The deadline for answers, unless a row names another. */
const TIMEOUT_MS = 4_000;

/** Longer answers are not read. */
const LONGEST = 262_144;

export async function ask(
  base: string,
  message: Uint8Array,
): Promise<WireAnswer & Answer | undefined> {
  await using socket = await openSocket(base);
  const started = performance.now();
  const sending = socket.send(message);
  const read = () => readAnswers(socket, ["GET"]).answers[0];
  const isEnough = () => socket.bytes.length > LONGEST || read() !== undefined;
  await socket.until(isEnough, TIMEOUT_MS);
  await sending;
  const answer = read();
  return answer && { ...answer, ms: performance.now() - started };
}

/** Sends bytes over one connection, and returns what comes back until it is silent. */
export async function converse(base: string, parts: readonly Uint8Array[]): Promise<string> {
  await using socket = await openSocket(base);
  for (const part of parts) {
    await socket.send(part);
    await socket.until(() => false, PAUSE_MS);
  }
  await socket.until(() => false, TIMEOUT_MS / 4);
  return new TextDecoder("latin1").decode(socket.bytes) || "(no answer)";
}

/** Whether Deno, and no proxy, answers a malformed request line: by its headers. */
export async function isOnDeno({ base }: Pick<Session, "base">): Promise<boolean> {
  const answer = await ask(base, getMessage("a target with blanks", "x"));
  const names = answer?.fields.map(([name]) => name).join();
  return answer?.status === 400 && names === "content-length,date,connection";
}

export interface Place {
  readonly base: string;
  /** `probe` is the path of the request after a row. */
  readonly words: Words;
  readonly ms: number;
  readonly code: string | undefined;
}

const PAUSE_MS = 100;

/** How long a connection is watched that should stay open or silent; others may close at once. */
const STILL_MS = 300;
const AT_ONCE_MS = 1;

/** Sends a row, then another request on the same connection if it should still be good. */
export async function sendRow(
  row: RawRow,
  { message, place }: { readonly message: Message; readonly place: Place },
): Promise<Received> {
  const { probe = "", host } = place.words;
  const socket = await openSocket(place.base);
  const sending: Promise<unknown>[] = [];
  try {
    const methods = message.calls.map(({ method }) => method);
    const started = performance.now();
    sending.push(sendAll(socket, row, message));
    // For any service a shorter one: a worker that serves one connection keeps others waiting.
    const short = Math.min(TIMEOUT_MS, 1_000 + 20 * place.ms);
    const usual = row.rfc === undefined ? TIMEOUT_MS : short;
    const timeout = row.seconds === undefined ? usual : row.seconds[1] * 1_000;
    const first = await receive(socket, { wants: row.want, methods, timeout, place });
    const ms = performance.now() - started;
    const good = row.want.filter(({ ending }) => ending === "good");
    if (!isWanted(good, first)) return { ...first, ms, next: undefined };
    sending.push(socket.send(getMessage(probe, host)));
    const after = first.answers.length;
    const asked = { wants: row.next, methods: [...methods, "GET"], after, timeout: usual };
    return { ...first, ms, next: await receive(socket, { ...asked, place }) };
  } finally {
    await socket.close();
    await Promise.all(sending);
  }
}

async function sendAll(socket: Socket, row: RawRow, { parts }: Message): Promise<void> {
  for (const [index, part] of parts.entries()) {
    const waitsFor100 = row.want.every(({ answers }) => answers[0] === "100");
    const hasAnswer = () => waitsFor100 && socket.bytes.length > 0;
    if (index > 0) await socket.until(hasAnswer, waitsFor100 ? TIMEOUT_MS : PAUSE_MS);
    await socket.send(part);
  }
  if (row.half_close) await socket.halfClose();
}

/** Reads until the outcome is one of `wants`, or no longer can be. */
async function receive(socket: Socket, { wants, methods, timeout, place, after = 0 }: {
  readonly wants: readonly Want[];
  readonly methods: readonly string[];
  readonly timeout: number;
  readonly place: Place;
  /** How many answers were to earlier requests. */
  readonly after?: number;
}): Promise<Turn> {
  function read() {
    const reading = readAnswers(socket, methods);
    const answers = reading.answers.slice(after).map((one) => namedAnswer(one, place.code));
    const possible = possibleWants(wants, answers);
    const whole = possible.filter((want) => want.answers.length === answers.length);
    return { ...reading, answers, possible, whole };
  }
  function isDecided(): boolean {
    const { problem, possible, whole } = read();
    return problem !== undefined || possible.length === 0 ||
      whole.some(({ ending }) => ending !== "closed");
  }
  await socket.until(isDecided, timeout);
  // Check that the connection stays open, or that no further answer follows.
  const isWatched = wants.some(({ ending }) => ending !== "good");
  const still = isWatched ? Math.max(STILL_MS, 3 * place.ms) : AT_ONCE_MS;
  await socket.until(() => socket.ended, still);
  const { answers, problem, whole } = read();
  // An open connection counts as good; the next request proves it.
  const stays = whole.some(({ ending }) => ending === "open") ? "open" : "good";
  return { answers, problem, ending: socket.ended ? "closed" : stays };
}
