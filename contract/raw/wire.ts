/** @module A connection of one's own, for what `fetch` will not send: bytes out, bytes in. */

import { UnreachableError } from "../client.ts";

/** An open connection. Nothing that happens to it throws: what a server does is what is looked at. */
export interface Wire {
  /** All that has come so far. */
  bytes(): Uint8Array<ArrayBuffer>;
  /** Whether the server has closed its side. */
  ended(): boolean;
  /** Sends; a server that has closed meanwhile does not matter. */
  send(bytes: Uint8Array): Promise<void>;
  /** Closes this side alone: nothing more will be sent. */
  halfClose(): Promise<void>;
  /** Waits until `enough` holds, which is asked again whenever something comes; false: in vain. */
  until(enough: () => boolean, ms: number): Promise<boolean>;
  /** Ends it. */
  close(): Promise<void>;
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
  let connection: Deno.Conn & { closeWrite(): Promise<void> };
  try {
    connection = secure ? await Deno.connectTls(place) : await Deno.connect(place);
  } catch (error) {
    const call = { method: "GET", path: "/" };
    throw new UnreachableError(`Cannot reach ${base}: ${(error as Error).message}`, call);
  }
  let heard = new Uint8Array();
  let ended = false;
  let closed = false;
  const waiting = new Set<() => void>();
  const wake = () => waiting.forEach((one) => one());

  async function listen(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      while (true) {
        const length = await connection.read(buffer);
        if (length === null) break;
        const longer = new Uint8Array(heard.length + length);
        longer.set(heard);
        longer.set(buffer.subarray(0, length), heard.length);
        heard = longer;
        wake();
      }
    } catch { /* reset by the server, or closed here */ }
    ended = true;
    wake();
  }
  const listening = listen();
  return {
    bytes: () => heard,
    ended: () => ended,
    async send(bytes) {
      try {
        for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
      } catch { /* closed by the server */ }
    },
    halfClose: () => connection.closeWrite().catch(() => {}),
    async until(enough, ms) {
      const deadline = performance.now() + ms;
      while (!enough()) {
        const left = deadline - performance.now();
        if (left <= 0 || ended) return false;
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, left);
        waiting.add(resolve);
        await promise;
        waiting.delete(resolve);
        clearTimeout(timer);
      }
      return true;
    },
    async close() {
      if (!closed) {
        closed = true;
        connection.close();
      }
      await listening;
    },
  };
}
