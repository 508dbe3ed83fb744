/**
 * @module A target for leads that does with each what the lead itself says: a word in it. And a
 * database that takes connections and never says anything.
 */

/** What a target does with a lead; `over` ends with the target. */
const BEHAVIOURS = {
  take: () => new Response(null, { status: 204 }),
  refuse: () => new Response(null, { status: 503 }),
  reject: () => new Response(null, { status: 410 }),
  redirect: () => new Response(null, { status: 307, headers: { location: "/other" } }),
  hang: (over: Promise<void>) => over.then(() => new Response(null, { status: 503 })),
} as const;

/** What a lead tells its target to do, by having `does-take` in it, `does-refuse` and so on. */
export type Behaviour = keyof typeof BEHAVIOURS;

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** How many requests it has had that hold this text. */
  count(text: string): number;
}

export function startReceiver(): Receiver {
  const received: string[] = [];
  const over = Promise.withResolvers<void>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const text = await request.text();
      received.push(text);
      const [, behave] =
        Object.entries(BEHAVIOURS).find(([word]) => text.includes(`does-${word}`)) ??
          [];
      return await behave?.(over.promise) ?? new Response(null, { status: 500 });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/leads`,
    count: (text) => received.filter((one) => one.includes(text)).length,
    async [Symbol.asyncDispose]() {
      over.resolve();
      await server.shutdown();
    },
  };
}

/** A server that accepts connections and never answers. */
export function startSilence(): AsyncDisposable & { readonly url: string } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections: Deno.Conn[] = [];
  const listening = (async () => {
    for await (const connection of listener) connections.push(connection);
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}/`,
    async [Symbol.asyncDispose]() {
      listener.close();
      await listening;
      for (const connection of connections) connection.close();
    },
  };
}
