/** @module The client where the service does not answer, or something else answers in its place. */

import {
  deepStrictEqual as deepEqual,
  ok,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import { ApiError, createClient } from "../../../site/client/client.ts";
import { answers, withRawReceiver } from "../../support/raw_receiver.ts";
import { type Answer, withReceiver } from "../../support/receiver.ts";
import { freePort } from "../../support/service.ts";
import { until } from "../../support/until.ts";

/** Runs a test where something else answers, with what it has been asked for. */
function withStranger(
  answer: Answer,
  test: (baseUrl: string, received: readonly unknown[]) => Promise<void>,
): Promise<void> {
  return withReceiver(({ url, received }) => test(new URL(url).origin, received), answer);
}

/** Runs a test with waits that end at once, and notes how long they would have been. */
async function withoutWaiting(test: (waits: number[]) => Promise<void>): Promise<void> {
  const real = globalThis.setTimeout;
  const waits: number[] = [];
  globalThis.setTimeout = ((end: () => void, ms: number) => {
    waits.push(ms);
    return real(end, 0);
  }) as typeof setTimeout;
  try {
    await test(waits);
  } finally {
    globalThis.setTimeout = real;
  }
}

const REFUSAL = { error: { code: "rate_limited", message: "Wait.", hint: "Wait.", docs: "" } };

Deno.test("with a closed port, the error of fetch is thrown after all attempts", () =>
  withoutWaiting(async (waits) => {
    const client = createClient({ baseUrl: `http://127.0.0.1:${freePort()}`, retries: 3 });
    await rejects(client.getHealth(), TypeError);
    equal(waits.length, 3);
    // Twice as long each time, and up to half as much again.
    for (const [at, wait] of waits.entries()) {
      const least = 500 * 2 ** at;
      ok(wait >= least && wait < least * 1.5, `${waits}`);
    }
  }));

Deno.test("a try that takes too long is given up, and sent again", () =>
  withRawReceiver(async (receiver) => {
    const client = createClient({
      baseUrl: `http://127.0.0.1:${receiver.port}`,
      retries: 1,
      timeout: 50,
    });
    await rejects(client.getHealth(), { name: "TimeoutError" });
    await until("both connections are closed", () => receiver.closed === 2);
    equal(receiver.opened, 2);
  }));

Deno.test("the time of a try covers the body of its answer", () =>
  withRawReceiver(async ({ port }) => {
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, retries: 0, timeout: 50 });
    await rejects(client.getHealth(), { name: "TimeoutError" });
  }, answers("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{", { thenCloses: false })));

Deno.test("a call that has been ended before it began sends nothing", () =>
  withStranger(() => Response.json({}), async (baseUrl, received) => {
    const signal = AbortSignal.abort(new Error("ended"));
    await rejects(createClient({ baseUrl }).getHealth({ signal }), { message: "ended" });
    equal(received.length, 0);
  }));

Deno.test("a signal ends a call that waits for its answer, and there is no wait after it", () =>
  withRawReceiver((receiver) =>
    withoutWaiting(async (waits) => {
      const controller = new AbortController();
      const client = createClient({ baseUrl: `http://127.0.0.1:${receiver.port}` });
      const call = rejects(client.getHealth(controller), { message: "ended" });
      await until("the request is there", () => receiver.opened === 1);
      controller.abort(new Error("ended"));
      await call;
      await until("the connection is closed", () => receiver.closed === 1);
      // The test itself waits for milliseconds only.
      deepEqual(waits.filter((wait) => wait >= 500), []);
    })
  ));

Deno.test("a signal ends the wait before the next try", () =>
  withStranger(
    () => Response.json(REFUSAL, { status: 429, headers: { "retry-after": "60" } }),
    async (baseUrl, received) => {
      const controller = new AbortController();
      const call = rejects(createClient({ baseUrl }).getHealth(controller), { message: "ended" });
      await until("the request is there", () => received.length === 1);
      // Time for the answer to arrive: then it is the wait that is ended, else the request.
      await new Promise((resolve) => setTimeout(resolve, 20));
      controller.abort(new Error("ended"));
      await call;
      equal(received.length, 1);
    },
  ));

Deno.test("a signal that goes on after the call is let go of", () =>
  withoutWaiting(async () => {
    const { signal } = new AbortController();
    const held = new Set<unknown>();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      held.add(args[1]);
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      held.delete(args[1]);
      removeEventListener.apply(signal, args);
    };
    const client = createClient({ baseUrl: `http://127.0.0.1:${freePort()}` });
    await rejects(client.getHealth({ signal }), TypeError);
    equal(held.size, 0);
  }));

for (
  const [field, wait] of [
    ["0", 0],
    ["7", 7],
    ["60", 60],
    ["soon", undefined],
    [new Date(Date.now() - 60_000).toUTCString(), 0],
  ] as const
) {
  Deno.test(`Retry-After: ${field.length > 4 ? "a date gone by" : field} is understood`, () =>
    withStranger(
      (n) =>
        n > 0 ? Response.json({ ok: true }) : new Response("<h1>Busy</h1>", {
          status: 503,
          headers: { "retry-after": field, "content-type": "text/html" },
        }),
      (baseUrl, received) =>
        withoutWaiting(async (waits) => {
          deepEqual({ ...await createClient({ baseUrl }).getHealth() }, { ok: true });
          equal(received.length, 2);
          if (wait === undefined) ok(waits[0]! >= 500 && waits[0]! < 750, String(waits));
          else deepEqual(waits, [wait * 1_000]);
        }),
    ));
}

Deno.test("Retry-After may be a date to come", () =>
  withStranger(
    () => {
      const at = new Date(Date.now() + 3_600_000).toUTCString();
      return Response.json(REFUSAL, { status: 429, headers: { "retry-after": at } });
    },
    async (baseUrl, received) => {
      let seconds: number | undefined;
      await rejects(
        createClient({ baseUrl }).getHealth(),
        (error) => error instanceof ApiError && (seconds = error.retryAfter, true),
      );
      ok(seconds !== undefined && seconds > 3_500 && seconds <= 3_600, String(seconds));
      equal(received.length, 1);
    },
  ));

for (
  const [what, answer, status] of [
    [
      "a page",
      () => new Response("<h1>Hi</h1>", { headers: { "content-type": "text/html" } }),
      200,
    ],
    [
      "half a body",
      () => new Response('{"ok":', { headers: { "content-type": "application/json" } }),
      200,
    ],
    ["nothing", () => new Response(null, { status: 204 }), 204],
    ["an error of another shape", () => Response.json({ error: "no" }, { status: 404 }), 404],
    ["a bare null", () => Response.json(null, { status: 403 }), 403],
  ] as const satisfies readonly (readonly [string, Answer, number])[]
) {
  Deno.test(`${what} in the place of an answer is an ApiError that says so`, () =>
    withStranger(answer, async (baseUrl, received) => {
      await rejects(createClient({ baseUrl }).getHealth(), (error) => {
        ok(error instanceof ApiError, String(error));
        equal(error.code, "unexpected_answer");
        equal(error.status, status);
        ok(error.message.includes(`${baseUrl}/api/health`), error.message);
        return true;
      });
      equal(received.length, 1);
    }));
}
