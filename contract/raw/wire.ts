/** @module A connection to a service, for requests that `fetch` does not send. */

import { reasonOf, UnreachableError } from "../client.ts";
import type { Session } from "../session.ts";
import { createSignal, createSocket, type Socket } from "../socket.ts";
import { readAnswers } from "./answers.ts";
import { getMessage } from "./message.ts";

/** An open connection that keeps all received bytes. */
export interface Wire extends Omit<Socket, "take"> {
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
    async until(condition, ms) {
      await signal.until(() => condition() || socket.ended(), ms);
      return condition();
    },
  };
}

/** The headers of Deno's answer to a malformed request line. */
const DENO = "content-length,date,connection";

const TIMEOUT_MS = 5_000;

/** The platform that accepts a session's connections; undefined if it is unknown or proxied. */
export async function platformOf({ base }: Pick<Session, "base">): Promise<string | undefined> {
  const wire = await openWire(base);
  try {
    const sending = wire.send(getMessage("a target with blanks", "x"));
    const read = () => readAnswers(wire.bytes(), { methods: ["GET"], ended: wire.ended() });
    await wire.until(() => read().answers.length > 0, TIMEOUT_MS);
    await sending;
    const [answer] = read().answers;
    if (answer?.status !== 400 || answer.body.length > 0) return undefined;
    const names = answer.fields.map(([name]) => name).join();
    return names === DENO ? "deno" : undefined;
  } finally {
    await wire.close();
  }
}
