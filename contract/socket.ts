/**
 * @module A connection that buffers what arrives until it is taken. What the other side does never
 * throws. Knows nothing of HTTP.
 */

export interface Signal {
  notify(): void;
  /**
   * Waits until `enough` returns true; false: it took longer than `ms`. Without `ms`, no deadline.
   */
  until(enough: () => boolean, ms?: number): Promise<boolean>;
}

export interface Socket {
  /** What has come and is not taken yet. */
  bytes(): Uint8Array<ArrayBuffer>;
  /** Takes all of it. */
  take(): Uint8Array<ArrayBuffer>;
  /** Whether no more will come. */
  ended(): boolean;
  /** Sends; false: the connection is closed. */
  send(bytes: Uint8Array): Promise<boolean>;
  /** Closes this side alone: nothing more will be sent. */
  halfClose(): Promise<void>;
  /** Closes both, and waits until nothing is read any more. */
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
    async until(enough, ms) {
      let late = false;
      const timer = ms === undefined ? undefined : setTimeout(() => {
        late = true;
        notify();
      }, ms);
      while (!enough() && !late) await next.promise;
      clearTimeout(timer);
      return enough();
    },
  };
}

/** Makes an end of a connection, and begins to read. */
export function createSocket(connection: Deno.Conn, { notify }: Pick<Signal, "notify">): Socket {
  let received = new Uint8Array();
  let ended = false;
  let closed = false;

  async function listen(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      while (true) {
        const length = await connection.read(buffer);
        if (length === null) break;
        const longer = new Uint8Array(received.length + length);
        longer.set(received);
        longer.set(buffer.subarray(0, length), received.length);
        received = longer;
        notify();
      }
    } catch { /* reset by the other side, or closed here */ }
    ended = true;
    notify();
  }
  const listening = listen();
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
      await listening;
    },
  };
}
