/**
 * @module The real service with its log on a pipe that nobody reads, that is read again, or whose
 * reader has gone: it goes on answering, and stops in time.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { postLead } from "../support/post_lead.ts";
import { startService, withFolder } from "../support/service.ts";
import { LEAD } from "../support/test_app.ts";
import { until } from "../support/until.ts";

const LONGEST_STOP_MS = 6_000;

/** More lines than fit into the pipe and what may wait for it. */
const LEADS = 8_000;
const AT_ONCE = 50;

interface Unread {
  readonly url: string;
  readonly stdout: ReadableStream<Uint8Array>;
  /** Stops it, and tells what came of that. */
  stop(): Promise<{ readonly code: number; readonly ms: number }>;
}

/** Runs a test with a service whose standard output is read by the test alone. */
function withUnread(test: (service: Unread) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const env = { LEAD_RATE_LIMIT: "10000/10m", LEAD_ATTEMPT_LIMIT: "10000/1m" };
    const service = await startService(folder, env, { stdout: "unread" });
    try {
      await test({
        url: service.url,
        stdout: service.unread!,
        async stop() {
          const began = performance.now();
          return { code: await service.end(), ms: performance.now() - began };
        },
      });
    } finally {
      await service.end("SIGKILL");
    }
  });
}

async function isUp(url: string): Promise<boolean> {
  try {
    const { body, ok } = await fetch(`${url}/api/health`);
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}

/** Posts leads, each of which is logged in a line; none may wait for the log. */
async function postLeads(url: string, { from, to }: { from: number; to: number }): Promise<void> {
  let next = from;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    while (next < to) {
      const response = await postLead(url, { ...LEAD, company: `Company ${next++}` });
      equal(response.status, 200);
      await response.body?.cancel();
    }
  }));
}

/** Reads a log from now on; what else is printed at the start is left out. */
function follow(stdout: ReadableStream<Uint8Array>) {
  let text = "";
  const ended = (async () => {
    for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) text += chunk;
  })();
  return {
    has: (event: string) => text.includes(`"event":"${event}"`),
    async events(): Promise<{ event: string; lines?: number }[]> {
      await ended;
      return text.split("\n").filter((line) => line.startsWith("{")).map((line) =>
        JSON.parse(line)
      );
    },
  };
}

Deno.test("while the reader of its log is stalled, the service answers and stops in time", () =>
  withUnread(async ({ url, stop }) => {
    await postLeads(url, { from: 0, to: LEADS });
    ok(await isUp(url));
    const { code, ms } = await stop();
    equal(code, 0);
    ok(ms < LONGEST_STOP_MS, `${ms} ms`);
  }));

Deno.test("a reader of the log that comes back gets what waited, how much was dropped, and what follows", () =>
  withUnread(async ({ url, stdout, stop }) => {
    await postLeads(url, { from: 0, to: LEADS });
    const log = follow(stdout);
    await until("the reader is told", () => log.has("log.dropped"), 10_000);
    await postLeads(url, { from: LEADS, to: LEADS + 1 });
    equal((await stop()).code, 0);
    const events = await log.events();
    const kept = events.findIndex(({ event }) => event !== "lead.stored");
    const { lines: dropped = 0 } = events[kept]!;
    deepEqual(events.slice(kept).map(({ event }) => event), [
      "log.dropped",
      "lead.stored",
      "server.stopping",
    ]);
    ok(kept > 2_000 && dropped > 100, `${kept} kept, ${dropped} dropped`);
    equal(kept + dropped, LEADS);
  }));

Deno.test("what waits at the stop is still written, where somebody reads it", () =>
  withUnread(async ({ url, stdout, stop }) => {
    await postLeads(url, { from: 0, to: 2_500 });
    const stopped = stop();
    const log = follow(stdout);
    equal((await stopped).code, 0);
    const events = await log.events();
    equal(events.length, 2_501);
    equal(events.at(-1)!.event, "server.stopping");
  }));

Deno.test("a service whose reader of the log has gone answers, and stops in order", () =>
  withUnread(async ({ url, stdout, stop }) => {
    await stdout.cancel();
    await postLeads(url, { from: 0, to: 200 });
    ok(await isUp(url));
    equal((await stop()).code, 0);
  }));
