/** @module An HTTP server on loopback that receives leads, or fails as a test asks. */

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export type Answer = (n: number, request: Received) => Response | Promise<Response>;

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  readonly acknowledged: Received[];
  /** Resolves when `count` requests have arrived; rejects after `withinMs`. */
  arrived(count: number, withinMs?: number): Promise<void>;
}

export function startReceiver(
  answer: Answer = () => new Response(null, { status: 204 }),
): Receiver {
  const received: Received[] = [];
  const acknowledged: Received[] = [];
  let changed = Promise.withResolvers<void>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (r) => {
    const body = await r.text();
    const headers = Object.fromEntries(r.headers);
    const one = { method: r.method, path: new URL(r.url).pathname, headers, body };
    const n = received.push(one) - 1;
    changed.resolve();
    changed = Promise.withResolvers();
    const response = await answer(n, one);
    if (response.ok) acknowledged.push(one);
    return response;
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/leads`,
    received,
    acknowledged,
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
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

export function startHoldingReceiver(
  { answer = () => new Response() }: { readonly answer?: Answer } = {},
): Receiver & { release(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const receiver = startReceiver((n, request) => promise.then(() => answer(n, request)));
  return {
    ...receiver,
    release: resolve,
    [Symbol.asyncDispose]() {
      resolve();
      return receiver[Symbol.asyncDispose]();
    },
  };
}

export async function withReceiver(
  test: (receiver: Receiver) => Promise<void>,
  answer?: Answer,
): Promise<void> {
  await using receiver = startReceiver(answer);
  await test(receiver);
}
