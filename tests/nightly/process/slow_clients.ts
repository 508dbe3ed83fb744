/** @module Clients that stall in headers, bodies and reading block no others. Needs Linux. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { start } from "../../support/command.ts";
import { figuresOf } from "../../support/process_figures.ts";
import { leadRequest, RawClient } from "../../support/raw_client.ts";
import { freePort, withRunningService } from "../../support/service.ts";
import { LEAD } from "../../support/test_app.ts";
import { pause, until } from "../../support/until.ts";

const STALLED_IN_HEADERS = 500;
const STALLED_IN_BODIES = 1_000;
const SLOW_READERS = 100;

/** LEAD_BODY.deadlineMs of `routes/http/bounded_body.ts`, and tolerances for a busy machine. */
const DEADLINE_MS = 10_000;
const EARLY_MS = 500;
const LATE_MS = 8_000;
const HONEST_WITHIN_MS = 2_000;
const HONEST_CLIENTS = 5;

/**
 * For 1,000 bodies, 1,600 connections and their answers, with V8's reserve. Half of the bodies are
 * chunked: each takes 129 KiB twice, as read buffer and in Deno.
 */
const MEMORY_MIB = 340;
const OWN_DESCRIPTORS = 8;
const HEAD = "POST /api/lead HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
const BODY = `{"email":"${"x".repeat(32 * 1024)}`;

/** Nothing, half a line, half a header, a header that is not the last. */
const HALF_HEADERS = ["", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\nAccept: te", `${HEAD}X: y\r\n`];

/** Each has its own address, because of the attempt limit. */
function halfABody(n: number): string {
  const head = `${HEAD}X-Forwarded-For: 10.7.${n >> 8}.${n & 255}\r\n`;
  return n % 2 === 0
    ? `${head}Content-Length: 60000\r\n\r\n${BODY}`
    : `${head}Transfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n`;
}

async function open(port: number, count: number, text: (n: number) => string) {
  return await Promise.all(Array.from({ length: count }, async (_, n) => {
    const client = await RawClient.connect(port);
    await client.write(text(n));
    return client;
  }));
}

async function askHonestly(port: number, n: number): Promise<number[]> {
  const client = await RawClient.connect(port);
  const lead = JSON.stringify({ ...LEAD, company: `Honest ${n}` });
  const waits: number[] = [];
  for (
    const request of [
      "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n",
      leadRequest(lead, `198.51.${n >> 8}.${n & 255}`),
    ]
  ) {
    const began = performance.now();
    equal((await client.ask(request)).status, 200, "an honest client was refused");
    waits.push(performance.now() - began);
  }
  client.close();
  return waits;
}

Deno.test("500 clients stalled in headers, 1,000 in bodies and 100 that do not read block no other client", () =>
  withRunningService(async ({ port, pid }) => {
    await askHonestly(port, 0);
    const before = await figuresOf(pid);
    const began = performance.now();
    const [inHeaders, inBodies, readers] = await Promise.all([
      open(port, STALLED_IN_HEADERS, (n) => HALF_HEADERS[n % HALF_HEADERS.length]!),
      open(port, STALLED_IN_BODIES, halfABody),
      open(port, SLOW_READERS, () => "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100)),
    ]);
    const stalled = [...inHeaders, ...inBodies, ...readers];
    await until("all are connected", async () => {
      const { descriptors } = await figuresOf(pid);
      return descriptors >= before.descriptors + stalled.length;
    }, 10_000);

    let over = false;
    const waits: number[] = [];
    const meanwhile = Promise.all(Array.from({ length: HONEST_CLIENTS }, async (_, who) => {
      for (let n = 1; !over; n++) {
        waits.push(...await askHonestly(port, who + n * HONEST_CLIENTS));
        await pause(100);
      }
    }));
    const refusals = inBodies.map(async (client) => {
      const { status, body } = await client.answer();
      equal(status, 400);
      match(body, /"code":"body_too_slow"/);
      return performance.now() - began;
    });
    const times = await Promise.all(refusals).finally(() => over = true);
    await meanwhile;
    ok(Math.min(...times) > DEADLINE_MS - EARLY_MS, `refused after ${Math.min(...times)} ms`);
    ok(Math.max(...times) < DEADLINE_MS + LATE_MS, `refused after ${Math.max(...times)} ms`);
    ok(waits.length > 100);
    ok(Math.max(...waits) < HONEST_WITHIN_MS, `one waited ${Math.max(...waits)} ms`);
    const { memory } = await figuresOf(pid);
    ok(memory < before.memory + MEMORY_MIB, `${before.memory} MiB have become ${memory}`);

    // If this fails, Deno has a deadline for headers: update `docs/security.md`.
    equal((await inHeaders[2]!.ask("xt/html\r\n\r\n")).status, 200);
    for (const client of stalled) client.close();
    await until("all descriptors are closed", async () => {
      const { descriptors } = await figuresOf(pid);
      return descriptors <= before.descriptors + OWN_DESCRIPTORS;
    }, 10_000);
  }, { TRUSTED_PROXY_HOPS: "1" }));

const WAVES = 30;
const WAVE = 300;
/** A tenth of the former leak of 70 KB a body. */
const LEAK_MIB = 60;

/** Reads bodies as the service does, with a short deadline. */
const SERVER = `
  const { LEAD_BODY, readBounded } = await import("${new URL(
  "../../../routes/http/bounded_body.ts",
  import.meta.url,
)}");
  Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.args[0]) }, async (request) => {
    const body = await readBounded(request, { ...LEAD_BODY, deadlineMs: 100 });
    return new Response(null, { status: body === "too_slow" ? 400 : 200 });
  });
`;

Deno.test("bodies that end at their deadline leak no memory", async () => {
  const port = freePort();
  const child = start([Deno.execPath(), "eval", SERVER, String(port)]);
  await until("the server answers", async () => {
    const client = await RawClient.connect(port).catch(() => undefined);
    client?.close();
    return client !== undefined;
  }, 10_000);
  const memory: number[] = [];
  for (let wave = 0; wave < WAVES; wave++) {
    const clients = await open(port, WAVE, halfABody);
    for (const client of clients) equal((await client.answer()).status, 400);
    for (const client of clients) client.close();
    memory.push(Math.round((await figuresOf(child.pid)).memory));
  }
  await child.end();
  const grown = memory.at(-1)! - memory[WAVES / 2]!;
  ok(grown < LEAK_MIB, `MiB after each wave: ${memory.join(", ")}`);
});
