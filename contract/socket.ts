/**
 * @module One end of a connection: what comes is kept until it is taken, and one can wait until
 * there is enough of it. Nothing that happens to a connection throws: what the other side does is
 * what is looked at. Knows nothing of HTTP.
 */

export interface Bell {
  ring(): void;
  /**
   * Waits until `enough` holds; false: it took longer than `ms`. Without `ms` it waits for ever.
   */
  until(enough: () => boolean, ms?: number): Promise<boolean>;
}

export interface End {
  /** What has come and is not taken yet. */
  bytes(): Uint8Array<ArrayBuffer>;
  /** Takes all of it. */
  take(): Uint8Array<ArrayBuffer>;
  /** Whether no more will come. */
  ended(): boolean;
  /** Sends; false: there is nobody any more. */
  send(bytes: Uint8Array): Promise<boolean>;
  /** Closes this side alone: nothing more will be sent. */
  halfClose(): Promise<void>;
  /** Closes both, and waits until nothing is read any more. */
  close(): Promise<void>;
}

export function createBell(): Bell {
  let next = Promise.withResolvers<void>();
  function ring(): void {
    const { resolve } = next;
    next = Promise.withResolvers();
    resolve();
  }
  return {
    ring,
    async until(enough, ms) {
      let late = false;
      const timer = ms === undefined ? undefined : setTimeout(() => {
        late = true;
        ring();
      }, ms);
      while (!enough() && !late) await next.promise;
      clearTimeout(timer);
      return enough();
    },
  };
}

/** Makes an end of a connection, and begins to read. */
export function endOf(connection: Deno.Conn, { ring }: Pick<Bell, "ring">): End {
  let heard = new Uint8Array();
  let ended = false;
  let closed = false;

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
        ring();
      }
    } catch { /* reset by the other side, or closed here */ }
    ended = true;
    ring();
  }
  const listening = listen();
  return {
    bytes: () => heard,
    take() {
      const taken = heard;
      heard = new Uint8Array();
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
