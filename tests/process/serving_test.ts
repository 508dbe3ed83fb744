/**
 * @module What becomes of servers that have given up: kept for those who are connected, but not
 * without end. The servers are made up; `tests/security/descriptors_test.ts` brings the real one down.
 */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { keepServing } from "../../routes/server.ts";
import { pause, until } from "../support/until.ts";

/** A server that gives up when it is told to, and has requests until it is told that it has none. */
class MadeUpServer {
  readonly addr = { transport: "tcp", hostname: "127.0.0.1", port: 80 } as const;
  readonly #over = Promise.withResolvers<void>();
  readonly #answered = Promise.withResolvers<void>();
  readonly finished = this.#over.promise;
  isStopped = false;

  shutdown(): Promise<void> {
    this.isStopped = true;
    return this.#answered.promise;
  }

  giveUp(): void {
    this.#over.reject(new Error("Too many open files"));
  }

  answerAll(): void {
    this.#answered.resolve();
  }
}

/** What a test has in hand. */
interface World {
  /** All that there have been, in this order. */
  readonly servers: MadeUpServer[];
  readonly said: string[];
  readonly stop: () => Promise<void>;
  /** The newest gives up; resolves when there is another, after no pause to speak of. */
  readonly next: () => Promise<void>;
}

function keepServingMadeUp(): World {
  const servers: MadeUpServer[] = [];
  const said: string[] = [];
  const serve = () => servers[servers.push(new MadeUpServer()) - 1]!;
  const { stop } = keepServing(serve, { port: 80, log: { error: (event) => said.push(event) } });
  const next = () =>
    withoutPauses(async () => {
      const { length } = servers;
      servers.at(-1)!.giveUp();
      await until("another server has begun", () => servers.length > length);
    });
  return { servers, said, stop, next };
}

async function withoutPauses(work: () => Promise<void>): Promise<void> {
  const real = globalThis.setTimeout;
  globalThis.setTimeout = ((end: () => void) => real(end, 0)) as typeof setTimeout;
  try {
    await work();
  } finally {
    globalThis.setTimeout = real;
  }
}

Deno.test("the stop waits for all servers that there have been, and stops none of them before", async () => {
  const { servers, said, stop, next } = keepServingMadeUp();
  await next();
  await next();
  deepEqual(said, ["server.gave_up", "server.gave_up"]);
  deepEqual(servers.map(({ isStopped }) => isStopped), [false, false, false]);

  let hasStopped = false;
  const stopped = stop().then(() => hasStopped = true);
  deepEqual(servers.map(({ isStopped }) => isStopped), [true, true, true]);
  for (const server of servers.toReversed()) {
    await pause(1);
    equal(hasStopped, false);
    server.answerAll();
  }
  await stopped;
});

Deno.test("of servers that give up without end, a hundred are kept: those that served the longest", async () => {
  const { servers, stop, next } = keepServingMadeUp();
  const LONG = [0, 120];
  for (let n = 0; n < 150; n++) {
    if (LONG.includes(n)) await pause(100);
    await next();
  }
  deepEqual(LONG.map((n) => servers[n]!.isStopped), [false, false]);
  equal(servers.filter(({ isStopped }) => isStopped).length, 50);
  for (const server of servers) server.answerAll();
  await stop();
});

Deno.test("a server that had to make room is waited for as well", async () => {
  const { servers, stop, next } = keepServingMadeUp();
  for (let n = 0; n < 101; n++) await next();
  const [spare, ...others] = servers.filter(({ isStopped }) => isStopped);
  deepEqual(others, []);
  let hasStopped = false;
  const stopped = stop().then(() => hasStopped = true);
  for (const server of servers) if (server !== spare) server.answerAll();
  await pause(1);
  equal(hasStopped, false);
  spare!.answerAll();
  await stopped;
});
