/** @module A real HTTP server on loopback that takes leads, and fails when it is told to. */

/** One request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Answers the n-th request (from 0). */
export type Answer = (n: number, request: Request) => Response | Promise<Response>;

/** A running receiver. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Resolves when `count` requests have arrived; rejects after `withinMs`. */
  arrived(count: number, withinMs?: number): Promise<void>;
}

/** Runs a test with a receiver of its own; without `answer` it takes every lead. */
export async function withReceiver(
  test: (receiver: Receiver) => Promise<void>,
  answer: Answer = () => new Response(null, { status: 204 }),
): Promise<void> {
  const received: Received[] = [];
  let changed = Promise.withResolvers<void>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (r) => {
    const body = await r.text();
    const headers = Object.fromEntries(r.headers);
    const n = received.push({ method: r.method, path: new URL(r.url).pathname, headers, body }) - 1;
    changed.resolve();
    changed = Promise.withResolvers();
    return answer(n, r);
  });
  try {
    await test({
      url: `http://127.0.0.1:${server.addr.port}/leads`,
      received,
      async arrived(count, withinMs = 5_000) {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const late = new Promise<never>((_, reject) => {
          timer = setTimeout(
            () => reject(new Error(`${received.length} of ${count} requests after ${withinMs} ms`)),
            withinMs,
          );
        });
        try {
          while (received.length < count) await Promise.race([changed.promise, late]);
        } finally {
          clearTimeout(timer);
        }
      },
    });
  } finally {
    await server.shutdown();
  }
}

/** A receiver that keeps answers back until it is released. */
export interface HoldingReceiver extends Receiver {
  release(): void;
}

/** Runs a test with a receiver that holds its answers, or those to the requests that `holds` names. */
export function withHoldingReceiver(
  test: (receiver: HoldingReceiver) => Promise<void>,
  { answer = () => new Response(), holds = () => true }: {
    readonly answer?: Answer;
    readonly holds?: (n: number) => boolean;
  } = {},
): Promise<void> {
  const gate = Promise.withResolvers<void>();
  return withReceiver(
    (receiver) => test({ ...receiver, release: gate.resolve }).finally(gate.resolve),
    async (n, request) => {
      if (holds(n)) await gate.promise;
      return answer(n, request);
    },
  );
}
