/**
 * @module What becomes of servers that have failed: kept for those who are connected, but not without
 * bound. The servers are made up; `tests/security/slow/connections.ts` brings the real one down.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keepServing } from "../../routes/server.ts";
import { pause, until } from "../support/until.ts";

/** Fails when it is told to, and has requests until it is told that it has none. */
class MadeUpServer {
  readonly addr = { transport: "tcp", hostname: "127.0.0.1", port: 80 } as const;
  readonly #failed = Promise.withResolvers<void>();
  readonly answered = Promise.withResolvers<void>();
  readonly finished = this.#failed.promise;
  isStopped = false;

  shutdown(): Promise<void> {
    this.isStopped = true;
    return this.answered.promise;
  }

  fail(): void {
    this.#failed.reject(new Error("Too many open files"));
  }
}

/** Serves by made-up servers, in the order of their start; `next` lets the newest fail. */
function keepServingMadeUp() {
  const servers: MadeUpServer[] = [];
  const events: string[] = [];
  const serve = () => servers[servers.push(new MadeUpServer()) - 1]!;
  const { stop } = keepServing(serve, { port: 80, log: { error: (event) => events.push(event) } });
  async function next(): Promise<void> {
    const { length } = servers;
    const real = globalThis.setTimeout;
    globalThis.setTimeout = ((end: () => void) => real(end, 0)) as typeof setTimeout;
    try {
      servers.at(-1)!.fail();
      await until("another server has begun", () => servers.length > length);
    } finally {
      globalThis.setTimeout = real;
    }
  }
  return { servers, events, stop, next };
}

Deno.test("the stop waits for all servers that there have been, and stops none of them before", async () => {
  const { servers, events, stop, next } = keepServingMadeUp();
  await next();
  await next();
  deepEqual(events, ["server.gave_up", "server.gave_up"]);
  deepEqual(servers.map(({ isStopped }) => isStopped), [false, false, false]);

  let hasStopped = false;
  const stopped = stop().then(() => hasStopped = true);
  deepEqual(servers.map(({ isStopped }) => isStopped), [true, true, true]);
  for (const { answered } of servers.toReversed()) {
    await pause(1);
    equal(hasStopped, false);
    answered.resolve();
  }
  await stopped;
});

Deno.test("of failed servers a hundred are kept, those that served the longest; the stop waits for the others too", async () => {
  const { servers, stop, next } = keepServingMadeUp();
  const LONG = [0, 101];
  for (let n = 0; n < 102; n++) {
    if (LONG.includes(n)) await pause(100);
    await next();
  }
  deepEqual(LONG.map((n) => servers[n]!.isStopped), [false, false]);
  const spare = servers.filter(({ isStopped }) => isStopped);
  equal(spare.length, 2);
  let hasStopped = false;
  const stopped = stop().then(() => hasStopped = true);
  for (const server of servers) if (server !== spare[0]) server.answered.resolve();
  await pause(1);
  equal(hasStopped, false);
  spare[0]!.answered.resolve();
  await stopped;
});
