/** @module Failed listeners stay open for their connections, up to a bound, with fake servers. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keepServing } from "../../routes/server.ts";
import { pause, until } from "../support/until.ts";

class FakeServer {
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

function keepServingFakes() {
  const servers: FakeServer[] = [];
  const events: string[] = [];
  const serve = () => servers[servers.push(new FakeServer()) - 1]!;
  const { stop } = keepServing(serve, { port: 80, log: { error: (event) => events.push(event) } });
  async function next(): Promise<void> {
    const { length } = servers;
    const real = globalThis.setTimeout;
    globalThis.setTimeout = ((end: () => void) => real(end, 0)) as typeof setTimeout;
    try {
      servers.at(-1)!.fail();
      await until("another server has started", () => servers.length > length);
    } finally {
      globalThis.setTimeout = real;
    }
  }
  return { servers, events, stop, next };
}

Deno.test("keepServing() keeps the hundred failed servers that served longest; stop() waits for all", async () => {
  const { servers, events, stop, next } = keepServingFakes();
  const LONG = [0, 101];
  for (let n = 0; n < 102; n++) {
    if (LONG.includes(n)) await pause(100);
    await next();
  }
  equal(events.length, 102);
  deepEqual(new Set(events), new Set(["server.gave_up"]));
  deepEqual(LONG.map((n) => servers[n]!.isStopped), [false, false]);
  const spare = servers.filter(({ isStopped }) => isStopped);
  equal(spare.length, 2);
  let hasStopped = false;
  const stopped = stop().then(() => hasStopped = true);
  equal(servers.every(({ isStopped }) => isStopped), true);
  // The newest, a kept one, and one that was shut down before.
  const last = [servers.at(-1)!, servers[0]!, spare[0]!];
  for (const server of servers) if (!last.includes(server)) server.answered.resolve();
  for (const { answered } of last) {
    await pause(1);
    equal(hasStopped, false);
    answered.resolve();
  }
  await stopped;
});
