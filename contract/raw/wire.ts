/** @module A connection to a service of one's own, for what `fetch` will not send. */

import { reasonOf, UnreachableError } from "../client.ts";
import { createBell, type End, endOf } from "../socket.ts";

/** An open connection. What has come stays there: answers are read from the beginning. */
export interface Wire extends Omit<End, "take"> {
  /** Waits until `enough` holds, which is asked again whenever something comes; false: in vain. */
  until(enough: () => boolean, ms: number): Promise<boolean>;
}

/**
 * Opens a connection to where a base URL points, with TLS for https.
 *
 * @throws {UnreachableError} when there is nobody
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
  const bell = createBell();
  const end = endOf(connection, bell);
  return {
    ...end,
    async until(enough, ms) {
      await bell.until(() => enough() || end.ended(), ms);
      return enough();
    },
  };
}
