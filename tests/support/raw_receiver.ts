/** @module A bare TCP server on loopback, for what no proper server would do. */

/** A running server. */
export interface RawReceiver {
  readonly port: number;
  /** How many connections there have been. */
  readonly opened: number;
  /** How many of them the other side has ended, or the server itself. */
  readonly closed: number;
}

/** What the server does with a connection; when it returns, the connection is closed. */
export type Behaviour = (connection: Deno.TcpConn) => Promise<void> | void;

/** Runs a test with a server of its own. */
export async function withRawReceiver(
  test: (receiver: RawReceiver) => Promise<void>,
  behaviour: Behaviour = untilClosed,
): Promise<void> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.TcpConn>();
  const work: Promise<void>[] = [];
  let opened = 0;
  let closed = 0;
  async function serve(connection: Deno.TcpConn): Promise<void> {
    opened++;
    open.add(connection);
    try {
      await behaviour(connection);
    } catch {
      // the other side has gone
    }
    closed++;
    if (open.delete(connection)) connection.close();
  }
  const accepting = (async () => {
    for await (const connection of listener) work.push(serve(connection));
  })();
  try {
    await test({
      port: listener.addr.port,
      get opened() {
        return opened;
      },
      get closed() {
        return closed;
      },
    });
  } finally {
    listener.close();
    await accepting;
    for (const connection of open) {
      open.delete(connection);
      connection.close();
    }
    await Promise.all(work);
  }
}

/** Takes everything and says nothing, until the other side ends the connection. */
async function untilClosed(connection: Deno.TcpConn): Promise<void> {
  for (const buffer = new Uint8Array(4096);;) {
    if (await connection.read(buffer) === null) return;
  }
}

/** Waits for something to arrive and answers it with these words, then with silence or by closing. */
export function answers(
  words: string,
  { thenCloses = true }: { readonly thenCloses?: boolean } = {},
): Behaviour {
  return async (connection) => {
    await connection.read(new Uint8Array(65_536));
    await connection.write(new TextEncoder().encode(words));
    if (!thenCloses) await untilClosed(connection);
  };
}

/** Says these words without waiting to be spoken to, and then takes everything. */
export function greets(words: string): Behaviour {
  return async (connection) => {
    await connection.write(new TextEncoder().encode(words));
    await untilClosed(connection);
  };
}
