/**
 * @module A connection that buffers received bytes. Actions of the other side never throw. Knows
 * nothing of HTTP.
 */

import { Buffer } from "node:buffer";

export interface Signal {
  notify(): void;
  /** Waits until a condition is true, at most `ms` if given; returns whether it is. */
  until(condition: () => boolean, ms?: number): Promise<boolean>;
}

export interface Socket {
  /** The received bytes that were not taken yet. */
  bytes(): Uint8Array<ArrayBuffer>;
  /** Returns and removes these bytes. */
  take(): Uint8Array<ArrayBuffer>;
  /** Whether the other side has closed the connection. */
  ended(): boolean;
  /** Sends bytes; false if the connection is closed. */
  send(bytes: Uint8Array): Promise<boolean>;
  /** Closes the sending side. */
  halfClose(): Promise<void>;
  /** Closes the connection and waits until reading has ended. */
  close(): Promise<void>;
}

export function createSignal(): Signal {
  let next = Promise.withResolvers<void>();
  function notify(): void {
    const { resolve } = next;
    next = Promise.withResolvers();
    resolve();
  }
  return {
    notify,
    async until(condition, ms) {
      let late = false;
      const timer = ms === undefined ? undefined : setTimeout(() => {
        late = true;
        notify();
      }, ms);
      while (!condition() && !late) await next.promise;
      clearTimeout(timer);
      return condition();
    },
  };
}

/** Starts to read from a connection. */
export function createSocket(connection: Deno.Conn, { notify }: Pick<Signal, "notify">): Socket {
  let received = new Uint8Array();
  let ended = false;
  let closed = false;

  async function read(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      while (true) {
        const length = await connection.read(buffer);
        if (length === null) break;
        received = new Uint8Array(Buffer.concat([received, buffer.subarray(0, length)]));
        notify();
      }
    } catch { /* reset by the other side, or closed here */ }
    ended = true;
    notify();
  }
  const reading = read();
  return {
    bytes: () => received,
    take() {
      const taken = received;
      received = new Uint8Array();
      return taken;
    },
    ended: () => ended,
    async send(bytes) {
      try {
        for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
        return true;
      } catch {
        return false;
      }
    },
    halfClose: () => connection.closeWrite().catch(() => {}),
    async close() {
      if (!closed) connection.close();
      closed = true;
      await reading;
    },
  };
}
