/**
 * @module Both ends of what goes through a proxy: bytes that come in are kept until they are taken, and
 * one waits for either end at a time. Nothing that happens to a connection throws.
 */

/** One end. */
export interface End {
  /** What has come and is not taken yet. */
  bytes(): Uint8Array<ArrayBuffer>;
  /** Takes all of it. */
  take(): Uint8Array<ArrayBuffer>;
  /** Whether no more will come. */
  ended(): boolean;
  /** Sends; false: there is nobody any more. */
  send(bytes: Uint8Array): Promise<boolean>;
  /** Says that nothing more will be sent. */
  finish(): Promise<void>;
  close(): void;
  /** Settles when the connection is closed and read to its end. */
  readonly over: Promise<void>;
}

/** Rings whenever something comes or ends. */
export interface Bell {
  ring(): void;
  /** Waits until `enough` holds; false: it took longer than `ms`. Without `ms` it waits for ever. */
  until(enough: () => boolean, ms?: number): Promise<boolean>;
}

/** Creates a bell. */
export function createBell(): Bell {
  let next = Promise.withResolvers<void>();
  return {
    ring() {
      const { resolve } = next;
      next = Promise.withResolvers();
      resolve();
    },
    async until(enough, ms) {
      let late = false;
      const timer = ms === undefined ? undefined : setTimeout(() => {
        late = true;
        this.ring();
      }, ms);
      while (!enough() && !late) await next.promise;
      clearTimeout(timer);
      return enough();
    },
  };
}

/** Makes an end of a connection, and begins to read. */
export function endOf(connection: Deno.TcpConn, { ring }: Pick<Bell, "ring">): End {
  let heard = new Uint8Array();
  let ended = false;
  let closed = false;
  connection.setNoDelay(true);

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
    finish: () => connection.closeWrite().catch(() => {}),
    close() {
      if (!closed) connection.close();
      closed = true;
    },
    over: listen(),
  };
}

/** Hands everything on, both ways, each way until it ends. */
export async function tunnel(
  one: End,
  { other, bell }: { readonly other: End; readonly bell: Bell },
): Promise<void> {
  async function pump(from: End, to: End): Promise<void> {
    while (true) {
      await bell.until(() => from.bytes().length > 0 || from.ended());
      const bytes = from.take();
      if (bytes.length === 0) return await to.finish();
      // Who cannot be told anything any more is not listened to either: it would be in vain.
      if (!await to.send(bytes)) return;
    }
  }
  await Promise.all([pump(one, other), pump(other, one)]);
}
