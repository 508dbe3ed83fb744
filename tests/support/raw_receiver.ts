/** @module A TCP server on loopback that behaves as no proper server would. */

export interface RawReceiver {
  readonly port: number;
  readonly opened: number;
  readonly closed: number;
}

export type Behaviour = (connection: Deno.TcpConn) => Promise<void> | void;

export async function withRawReceiver(
  test: (receiver: RawReceiver) => Promise<void>,
  behaviour: Behaviour = untilClosed,
): Promise<void> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.TcpConn>();
  const work: Promise<void>[] = [];
  const receiver = { port: listener.addr.port, opened: 0, closed: 0 };
  async function serve(connection: Deno.TcpConn): Promise<void> {
    receiver.opened++;
    open.add(connection);
    try {
      await behaviour(connection);
    } catch {
      // the client is gone
    }
    receiver.closed++;
    if (open.delete(connection)) connection.close();
  }
  const accepting = (async () => {
    for await (const connection of listener) work.push(serve(connection));
  })();
  try {
    await test(receiver);
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

/** Reads silently until the client closes the connection. */
async function untilClosed(connection: Deno.TcpConn): Promise<void> {
  for (const buffer = new Uint8Array(4096);;) {
    if (await connection.read(buffer) === null) return;
  }
}

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

export function greets(words: string): Behaviour {
  return async (connection) => {
    await connection.write(new TextEncoder().encode(words));
    await untilClosed(connection);
  };
}
