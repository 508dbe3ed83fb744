/** @module A target whose behaviour each lead selects. */

/** What a target does with a lead; `stopped` resolves when the target stops. */
const RESPONSES = {
  take: () => new Response(null, { status: 204 }),
  refuse: () => new Response(null, { status: 503 }),
  reject: () => new Response(null, { status: 410 }),
  redirect: () => new Response(null, { status: 307, headers: { location: "/other" } }),
  hang: (stopped: Promise<void>) => stopped.then(() => new Response(null, { status: 503 })),
} as const;

/** A lead selects one by `does-take`, `does-refuse` and so on. */
export const BEHAVIOURS = Object.keys(RESPONSES) as (keyof typeof RESPONSES)[];

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  count(text: string): number;
}

export function startReceiver(): Receiver {
  const received: string[] = [];
  const stopped = Promise.withResolvers<void>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const text = await request.text();
      received.push(text);
      const behaviour = BEHAVIOURS.find((word) => text.includes(`does-${word}`)) ?? "refuse";
      return await RESPONSES[behaviour](stopped.promise);
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/leads`,
    count: (text) => received.filter((one) => one.includes(text)).length,
    async [Symbol.asyncDispose]() {
      stopped.resolve();
      await server.shutdown();
    },
  };
}
