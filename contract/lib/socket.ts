/** @module A connection that buffers received bytes. What the other side does never throws. */

import { Buffer } from "node:buffer";

export class Signal {
  #next = Promise.withResolvers<void>();

  notify(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Waits until a condition is true, at most `ms` if given. */
  async until(condition: () => boolean, ms?: number): Promise<void> {
    let late = false;
    const timer = ms === undefined ? undefined : setTimeout(() => {
      late = true;
      this.notify();
    }, ms);
    while (!condition() && !late) await this.#next.promise;
    clearTimeout(timer);
  }
}

/** Reads from a connection until it ends; several may share a signal. */
export class Socket {
  bytes = new Uint8Array();
  ended = false;
  #closed = false;
  readonly #reading: Promise<void>;

  constructor(readonly connection: Deno.Conn, readonly signal: Signal = new Signal()) {
    this.#reading = this.#read();
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      for (let size: number | null = 0; size !== null; size = await this.connection.read(buffer)) {
        this.bytes = new Uint8Array(Buffer.concat([this.bytes, buffer.subarray(0, size)]));
        this.signal.notify();
      }
    } catch { /* reset by the other side, or closed here */ }
    this.ended = true;
    this.signal.notify();
  }

  /** Returns and removes the received bytes. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes;
    this.bytes = new Uint8Array();
    return taken;
  }

  /** Waits until a condition is true or the connection has ended, at most `ms`. */
  until(condition: () => boolean, ms: number): Promise<void> {
    return this.signal.until(() => condition() || this.ended, ms);
  }

  /** Sends bytes; false if the connection is closed. */
  async send(bytes: Uint8Array): Promise<boolean> {
    try {
      for (let at = 0; at < bytes.length;) at += await this.connection.write(bytes.subarray(at));
      return true;
    } catch {
      return false;
    }
  }

  halfClose(): Promise<void> {
    return this.connection.closeWrite().catch(() => {});
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    if (!this.#closed) this.connection.close();
    this.#closed = true;
    await this.#reading;
  }
}
