/** @module Memory and delay that one body causes, whatever its bytes. Needs Linux. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { figuresOf } from "../../support/process_figures.ts";
import { RawClient } from "../../support/raw_client.ts";
import { type Service, withRunningService } from "../../support/service.ts";
import { pause, until } from "../../support/until.ts";
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
const anyAddress = () => `10.7.${clients >> 8}.${clients++ & 255}`;

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

/** What ten clients may add, in MiB, and what each of them sends unless it is cut off. */
const ENDLESS_MIB = 64;
const ENDLESS_BYTES = 32_000_000;
const ENDLESS_CLIENTS = 10;
/** LEAD_BODY.deadlineMs of `routes/http/bounded_body.ts`, and tolerance for a busy machine. */
const ENDS_WITHIN_MS = 18_000;

const TRAILER = "X-T: 1\r\n";
const ENDLESS: readonly (readonly [what: string, begin: string, repeated: string])[] = [
  ["a chunk extension", "5;", "a"],
  ["leading zeros of a chunk size", "", "0"],
  ["trailers", "0\r\n", TRAILER],
  ["the longest trailers that Deno takes, and one more", `0\r\n${TRAILER.repeat(8192)}`, "a"],
  ["extensions of short chunks", "", `1;${"a".repeat(4_000)}\r\nx\r\n`],
  ["chunks of one byte", "", BYTE],
];

/** Sends a body without end. Fails if the connection stays open. */
async function sendEndlessly(
  port: number,
  path: string,
  { type, begin, repeated }: Record<"type" | "begin" | "repeated", string>,
): Promise<void> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  let isOpen = true;
  async function read(): Promise<void> {
    const answer = new Uint8Array(4096);
    while (await connection.read(answer) !== null);
  }
  async function write(text: string, atLeast: number): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    for (let sent = 0; isOpen && sent < atLeast;) {
      sent += await connection.write(bytes.subarray(sent % bytes.length));
    }
  }
  async function send(): Promise<void> {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${anyAddress()}\r\n` +
      `Content-Type: ${type}\r\n${CHUNKED}\r\n\r\n`;
    await write(head + begin, head.length + begin.length);
    await write(repeated.repeat(65_536 / repeated.length), ENDLESS_BYTES);
  }
  const reading = read().catch(() => {}).finally(() => isOpen = false);
  const sending = send().catch(() => {}); // the service has closed the connection
  try {
    await until(`the connection ends, ${path}`, () => Promise.resolve(!isOpen), ENDS_WITHIN_MS);
  } finally {
    connection.close();
    await Promise.all([reading, sending]);
  }
}

Deno.test("chunk framing without end fills no memory, and ends its connection", () =>
  withRunningService(async (service) => {
    await warmUp(service.port);
    for (const [path, type] of [...Object.entries(PATHS), ["/de/contact", PATHS["/contact"]]]) {
      for (const [what, begin, repeated] of ENDLESS) {
        const attack = () =>
          Promise.all(
            Array.from({ length: ENDLESS_CLIENTS }, () =>
              sendEndlessly(service.port, path!, { type: type!, begin, repeated })),
          );
        await bounded(service, attack, ENDLESS_MIB).catch((error) => {
          throw new Error(`${what}, ${path}`, { cause: error });
        });
      }
    }
  }, { TRUSTED_PROXY_HOPS: "1" }));
