/** @module A TCP proxy on loopback whose connections can be refused, broken off or stranded. */

export class TcpFront {
  /** The port to forward to. */
  protected to = 0;
  /** Closes a connection; by the local port of its upstream side. */
  readonly #closers = new Map<number, () => void>();
  readonly #dead = new Set<number>();
  readonly #work = new Set<Promise<void>>();
  #listener: Deno.TcpListener | undefined;
  #port = 0;

  get port(): number {
    return this.#port;
  }

  /** Accepts connections; after {@link refuse} on the same port as before. */
  accept(): void {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: this.#port });
    this.#port = listener.addr.port;
    this.#listener = listener;
    this.#track(this.#forwardAll(listener));
  }

  /** Refuses connections and closes the existing ones. */
  refuse(): void {
    this.#listener?.close();
    this.#listener = undefined;
    for (const close of this.#closers.values()) close();
  }

  /** Existing connections carry nothing more, and stay open as after a power failure. New ones work. */
  strand(): void {
    for (const port of this.#closers.keys()) this.#dead.add(port);
  }

  /** Closes the connection whose upstream side has this local port. */
  breakOff(port: number): void {
    this.#closers.get(port)?.();
  }

  /** Resolves when every connection is closed. */
  async end(): Promise<void> {
    this.refuse();
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  async #forwardAll(listener: Deno.TcpListener): Promise<void> {
    for await (const connection of listener) this.#track(this.#forward(connection));
  }

  async #forward(outer: Deno.TcpConn): Promise<void> {
    const inner = await Deno.connect({ hostname: "127.0.0.1", port: this.to });
    const { port } = inner.localAddr;
    function close(): void {
      for (const connection of [outer, inner]) {
        try {
          connection.close();
        } catch { /* closed already */ }
      }
    }
    this.#closers.set(port, close);
    if (this.#listener === undefined) close();
    const unlessDead = () =>
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, stream) => this.#dead.has(port) ? undefined : stream.enqueue(bytes),
      });
    await Promise.all([[outer, inner] as const, [inner, outer] as const].map(([from, to]) =>
      // HTTP cannot use a connection that is half closed.
      from.readable.pipeThrough(unlessDead()).pipeTo(to.writable).catch(() => {}).finally(close)
    ));
    this.#closers.delete(port);
    this.#dead.delete(port);
  }

  #track(work: Promise<void>): void {
    const tracked = work.catch(() => {}).finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }
}
