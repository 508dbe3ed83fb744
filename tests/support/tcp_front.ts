/** @module A port whose connections go on to another port, and can be refused or broken off. */

/** A listener on loopback that forwards bytes. */
export class TcpFront {
  readonly #to: number;
  /** Breaks off a connection; by the port from which it goes on. */
  readonly #breakers = new Map<number, () => void>();
  readonly #dead = new Set<number>();
  readonly #underWay = new Set<Promise<void>>();
  #listener: Deno.TcpListener | undefined;
  #port = 0;

  /** @param to the port to forward to */
  constructor(to: number) {
    this.#to = to;
  }

  get port(): number {
    return this.#port;
  }

  /** Lets connections in; after {@link refuse} at the same port as before. */
  accept(): void {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: this.#port });
    this.#port = listener.addr.port;
    this.#listener = listener;
    this.#track(this.#forwardAll(listener));
  }

  /** Refuses connections, and breaks off those that there are. */
  refuse(): void {
    this.#listener?.close();
    this.#listener = undefined;
    for (const breakOff of this.#breakers.values()) breakOff();
  }

  /**
   * Lets the connections that there are go dead: nothing comes through any more, and neither side is
   * told, as when a machine loses its power. New ones work.
   */
  strand(): void {
    for (const port of this.#breakers.keys()) this.#dead.add(port);
  }

  /** Breaks off the connection that goes on from this port. */
  breakOff(port: number): void {
    this.#breakers.get(port)?.();
  }

  /** Resolves when nothing is open any more. */
  async end(): Promise<void> {
    this.refuse();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #forwardAll(listener: Deno.TcpListener): Promise<void> {
    for await (const connection of listener) this.#track(this.#forward(connection));
  }

  async #forward(outer: Deno.TcpConn): Promise<void> {
    const inner = await Deno.connect({ hostname: "127.0.0.1", port: this.#to });
    const { port } = inner.localAddr;
    function breakOff(): void {
      for (const connection of [outer, inner]) {
        try {
          connection.close();
        } catch { /* the other side has */ }
      }
    }
    this.#breakers.set(port, breakOff);
    if (this.#listener === undefined) breakOff();
    const ways = [[outer, inner], [inner, outer]] as const;
    await Promise.all(ways.map(([from, to]) =>
      // One way without the other is of no use to HTTP.
      from.readable.pipeThrough(this.#unlessDead(port)).pipeTo(to.writable).catch(() => {}).finally(
        breakOff,
      )
    ));
    this.#breakers.delete(port);
    this.#dead.delete(port);
  }

  #unlessDead(port: number): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream({
      transform: (bytes, controller) => {
        if (!this.#dead.has(port)) controller.enqueue(bytes);
      },
    });
  }

  #track(work: Promise<void>): void {
    const tracked = work.catch(() => {}).finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }
}
