/** @module A connection to a service, for requests that `fetch` does not send. */

import { reasonOf, UnreachableError } from "../client.ts";
import type { Session } from "../session.ts";
import { createSignal, createSocket, type Socket } from "../socket.ts";
import { readAnswers, type Reading, type WireAnswer } from "./answers.ts";
import { getMessage } from "./message.ts";

/** An open connection that keeps all received bytes. */
export interface Wire extends Omit<Socket, "take"> {
  /** The answers to requests with these methods. */
  read(methods: readonly string[]): Reading;
  /** Waits until a condition is true, at most `ms`; returns whether it is. */
  until(condition: () => boolean, ms: number): Promise<boolean>;
}

/**
 * Connects to the service at a base URL, with TLS for https.
 * @throws {UnreachableError} if the service is unreachable
 */
export async function openWire(base: string): Promise<Wire> {
  const { protocol, hostname: named, port } = new URL(base);
  const secure = protocol === "https:";
  const hostname = named.replace(/^\[|\]$/g, "");
  const place = { hostname, port: port === "" ? (secure ? 443 : 80) : Number(port) };
  let connection: Deno.Conn;
  try {
    connection = secure ? await Deno.connectTls(place) : await Deno.connect(place);
  } catch (error) {
    const call = { method: "GET", path: "/" };
    throw new UnreachableError(`Cannot reach ${base}: ${reasonOf(error)}`, call);
  }
  const signal = createSignal();
  const socket = createSocket(connection, signal);
  return {
    ...socket,
    read: (methods) => readAnswers(socket.bytes(), { methods, ended: socket.ended() }),
    async until(condition, ms) {
      await signal.until(() => condition() || socket.ended(), ms);
      return condition();
    },
  };
}

/** The headers of Deno's answer to a malformed request line. */
const DENO = "content-length,date,connection";

const TIMEOUT_MS = 3_000;

/** Longer answers are not read. */
const LONGEST = 262_144;

/** A complete answer to a GET, and its milliseconds. */
export interface Asked {
  readonly answer: WireAnswer;
  readonly ms: number;
}

/** Sends a GET over its own connection; undefined without a complete answer in time. */
export async function ask(base: string, message: Uint8Array): Promise<Asked | undefined> {
  const wire = await openWire(base);
  const started = performance.now();
  try {
    const sending = wire.send(message);
    const read = () => wire.read(["GET"]).answers[0];
    await wire.until(() => wire.bytes().length > LONGEST || read() !== undefined, TIMEOUT_MS);
    await sending;
    const answer = read();
    return answer === undefined ? undefined : { answer, ms: performance.now() - started };
  } finally {
    await wire.close();
  }
}

/** The platform that accepts a session's connections; undefined if it is unknown or proxied. */
export async function platformOf({ base }: Pick<Session, "base">): Promise<string | undefined> {
  const answer = (await ask(base, getMessage("a target with blanks", "x")))?.answer;
  if (answer?.status !== 400 || answer.body.length > 0) return undefined;
  return answer.fields.map(([name]) => name).join() === DENO ? "deno" : undefined;
}
