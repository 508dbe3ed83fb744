/** @module An HTTP server on loopback that receives leads, or fails as a test asks. */

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Answers the n-th request (from 0). */
export type Answer = (n: number, request: Request) => Response | Promise<Response>;

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Resolves when `count` requests have arrived; rejects after `withinMs`. */
  arrived(count: number, withinMs?: number): Promise<void>;
}

/** Without `answer` the receiver accepts every lead. */
export async function withReceiver(
  test: (receiver: Receiver) => Promise<void>,
  answer: Answer = () => new Response(null, { status: 204 }),
): Promise<void> {
  const received: Received[] = [];
  let changed = Promise.withResolvers<void>();
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (r) => {
    const body = await r.text();
    const headers = Object.fromEntries(r.headers);
    const n = received.push({ method: r.method, path: new URL(r.url).pathname, headers, body }) - 1;
    changed.resolve();
    changed = Promise.withResolvers();
    return answer(n, r);
  });
  await test({
    url: `http://127.0.0.1:${server.addr.port}/leads`,
    received,
    async arrived(count, withinMs = 5_000) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        late.reject(new Error(`${received.length} of ${count} requests after ${withinMs} ms`));
      }, withinMs);
      try {
        while (received.length < count) await Promise.race([changed.promise, late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  });
}

/** A receiver that holds back its answers until `release`. */
export function withHoldingReceiver(
  test: (receiver: Receiver & { release(): void }) => Promise<void>,
  { answer = () => new Response() }: { readonly answer?: Answer } = {},
): Promise<void> {
  const gate = Promise.withResolvers<void>();
  return withReceiver(
    (receiver) => test({ ...receiver, release: gate.resolve }).finally(gate.resolve),
    (n, request) => gate.promise.then(() => answer(n, request)),
  );
}
