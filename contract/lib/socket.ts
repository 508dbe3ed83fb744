/**
 * @module A connection that buffers received bytes. Actions of the other side never throw. Knows
 * nothing of HTTP.
 */

import { Buffer } from "node:buffer";

export interface Signal {
  notify(): void;
  /** Waits until a condition is true, at most `ms` if given. */
  until(condition: () => boolean, ms?: number): Promise<void>;
}

export interface Socket {
  bytes(): Uint8Array<ArrayBuffer>;
  take(): Uint8Array<ArrayBuffer>;
  ended(): boolean;
  /** Waits until a condition is true or the connection has ended, at most `ms`. */
  until(condition: () => boolean, ms: number): Promise<void>;
  /** Sends bytes; false if the connection is closed. */
  send(bytes: Uint8Array): Promise<boolean>;
  halfClose(): Promise<void>;
  close(): Promise<void>;
}

export function createSignal(): Signal {
  let next = Promise.withResolvers<void>();
  function notify(): void {
    next.resolve();
    next = Promise.withResolvers();
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
    },
  };
}

/** Starts to read from a connection; several may share a signal. */
export function createSocket(connection: Deno.Conn, signal: Signal = createSignal()): Socket {
  let received = new Uint8Array();
  let ended = false;
  let closed = false;

  async function read(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      for (let size: number | null = 0; size !== null; size = await connection.read(buffer)) {
        received = new Uint8Array(Buffer.concat([received, buffer.subarray(0, size)]));
        signal.notify();
      }
    } catch { /* reset by the other side, or closed here */ }
    ended = true;
    signal.notify();
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
    until: (condition, ms) => signal.until(() => condition() || ended, ms),
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
