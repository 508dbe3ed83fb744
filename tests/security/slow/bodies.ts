/** @module Memory and delay that one body causes, whatever its bytes. Needs Linux. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { figuresOf } from "../../support/process_figures.ts";
import { RawClient } from "../../support/raw_client.ts";
import { type Service, withRunningService } from "../../support/service.ts";
import { pause } from "../../support/until.ts";
import { warmUp } from "../../support/warm_up.ts";

/** Limit of the memory that one request adds, in MiB. */
const MEMORY_MIB = 20;
/** Twice the buffers of a crowd, and V8's young generation. */
const CROWD = 20;
const CROWD_MIB = 60;
const WAIT_MS = 500;

const PATHS = {
  "/api/lead": "application/json",
  "/contact": "application/x-www-form-urlencoded",
} as const;

const CHUNKED = "Transfer-Encoding: chunked";
const BYTE = "1\r\nx\r\n";

/** Attempts that a client has in an hour; the busy one has used them up. */
const ATTEMPTS = 20;
const BUSY = "203.0.113.9";
let clients = 0;
const anyAddress = () => `10.7.0.${clients++}`;

const ATTACKS: readonly (readonly [what: string, fields: string, parts: readonly string[]])[] = [
  ["60,000 chunks of one byte", CHUNKED, [`${BYTE.repeat(60_000)}0\r\n\r\n`]],
  ["70,000 chunks of one byte, too many", CHUNKED, [`${BYTE.repeat(70_000)}0\r\n\r\n`]],
  ["64 KiB in one chunk", CHUNKED, [`10000\r\n${"x".repeat(65_536)}\r\n0\r\n\r\n`]],
  ["a body in 2,000 pieces", "Content-Length: 60000", Array(2_000).fill("x".repeat(30))],
  [
    "48 MB under a length announced twice",
    "Content-Length: 48000000\r\nContent-Length: 48000000",
    Array(48).fill("x".repeat(1_000_000)),
  ],
];

/** Runs an attack beside another client; fails if memory or the client's wait exceeds its limit. */
async function bounded<T>({ port, pid }: Service, attack: () => Promise<T>, mostMib = MEMORY_MIB) {
  const client = await RawClient.connect(port);
  const before = (await figuresOf(pid)).memory;
  let over = false;
  let longest = 0;
  let most = before;
  async function watch(): Promise<void> {
    while (!over) {
      const began = performance.now();
      await client.ask("GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n");
      longest = Math.max(longest, performance.now() - began);
      most = Math.max(most, (await figuresOf(pid)).memory);
      await pause(20);
    }
  }
  const watching = watch();
  try {
    return await attack();
  } finally {
    over = true;
    await watching;
    client.close();
    ok(most - before < mostMib, `${Math.round(before)} MiB became ${Math.round(most)}`);
    ok(longest < WAIT_MS, `another client waited ${Math.round(longest)} ms`);
  }
}

async function send(
  port: number,
  path: keyof typeof PATHS,
  { fields, parts, address = anyAddress() }: {
    readonly fields: string;
    readonly parts: readonly string[];
    readonly address?: string;
  },
): Promise<number> {
  const client = await RawClient.connect(port);
  const type = `Content-Type: ${PATHS[path]}`;
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n${type}\r\n` +
    `${fields}\r\n\r\n`;
  async function write(): Promise<void> {
    for (const text of parts.length === 1 ? [head + parts[0]] : [head, ...parts]) {
      await client.write(text);
      if (parts.length > 1) await pause(0);
    }
  }
  try {
    const written = write().catch(() => {}); // the service may close before all is sent
    const { status } = await client.answer();
    await written;
    return status;
  } finally {
    client.close();
  }
}

Deno.test("a body takes bounded memory and time, also from a client over the attempt limit", () =>
  withRunningService(async (service) => {
    const { port } = service;
    await warmUp(port);
    const small = { fields: "Content-Length: 3", parts: ["a=b"] };
    for (let n = 0; n < ATTEMPTS; n++) await send(port, "/contact", { ...small, address: BUSY });
    for (const path of Object.keys(PATHS) as (keyof typeof PATHS)[]) {
      for (const [what, fields, parts] of ATTACKS) {
        for (const [expected, busy] of [[400, {}], [429, { address: BUSY }]] as const) {
          const attack = () => send(port, path, { fields, parts, ...busy });
          equal(await bounded(service, attack), expected, `${what}, ${path}`);
        }
      }
      const [, fields, parts] = ATTACKS[0]!;
      const crowd = Array.from({ length: CROWD }, () => ({ fields, parts }));
      const attack = () => Promise.all(crowd.map((body) => send(port, path, body)));
      deepEqual(new Set(await bounded(service, attack, CROWD_MIB)), new Set([400]));
    }
  }, { LEAD_ATTEMPT_LIMIT: `${ATTEMPTS}/1h`, TRUSTED_PROXY_HOPS: "1" }));
