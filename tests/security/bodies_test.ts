/**
 * @module What one body may take of memory and of other clients' time, whatever its bytes: the real
 * service, its resident memory from `/proc`, and a client that asks for its health all the while.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { figuresOf } from "../support/process_figures.ts";
import { RawClient } from "../support/raw_client.ts";
import { type Service, withRunningService } from "../support/service.ts";
import { pause } from "../support/until.ts";
import { warmUp } from "../support/warm_up.ts";

/** More than one request may add to the memory of the service, in MiB. */
const MEMORY_MIB = 20;
/** Longer than another client may wait for an answer meanwhile. */
const WAIT_MS = 500;

const CHUNKS = "1\r\nx\r\n".repeat(60_000);
const PATHS = {
  "/api/lead": "application/json",
  "/contact": "application/x-www-form-urlencoded",
} as const;

type Path = keyof typeof PATHS;

/** A post whose framing is the test's own. */
function post(path: Path, { fields, body }: { fields: string; body: string }): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${
    PATHS[path]
  }\r\n${fields}\r\n\r\n${body}`;
}

/** What is sent, as one text or several with a pause between them, and the status it gets. */
const ATTACKS: readonly (readonly [
  what: string,
  texts: (path: Path) => readonly string[],
  statuses: Readonly<Record<Path, number>>,
])[] = [
  [
    "60,000 chunks of one byte",
    (path) => [post(path, { fields: "Transfer-Encoding: chunked", body: `${CHUNKS}0\r\n\r\n` })],
    { "/api/lead": 400, "/contact": 400 },
  ],
  [
    "70,000 chunks of one byte, more than is read",
    (path) => [
      post(path, {
        fields: "Transfer-Encoding: chunked",
        body: `${"1\r\nx\r\n".repeat(70_000)}0\r\n\r\n`,
      }),
    ],
    { "/api/lead": 400, "/contact": 400 },
  ],
  [
    "64 KiB in one chunk",
    (path) => [
      post(path, {
        fields: "Transfer-Encoding: chunked",
        body: `10000\r\n${"x".repeat(65_536)}\r\n0\r\n\r\n`,
      }),
    ],
    { "/api/lead": 400, "/contact": 400 },
  ],
  [
    "an announced body in 2,000 pieces",
    (path) => [
      post(path, { fields: "Content-Length: 60000", body: "" }),
      ...Array<string>(2_000).fill("x".repeat(30)),
    ],
    { "/api/lead": 400, "/contact": 400 },
  ],
  [
    "48 MB under a length announced twice",
    (path) => [
      post(path, {
        fields: "Content-Length: 48000000\r\nContent-Length: 48000000",
        body: "",
      }),
      ...Array<string>(48).fill("x".repeat(1_000_000)),
    ],
    { "/api/lead": 400, "/contact": 400 },
  ],
];

/** Runs an attack while another client asks; fails where either takes more than its share. */
async function bounded<T>(
  { port, pid }: Service,
  attack: () => Promise<T>,
  { mostMib = MEMORY_MIB }: { readonly mostMib?: number } = {},
): Promise<T> {
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

async function send(port: number, texts: readonly string[]): Promise<number> {
  const client = await RawClient.connect(port);
  async function write(): Promise<void> {
    for (const text of texts) {
      await client.write(text);
      if (texts.length > 1) await pause(0);
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

/** Ordinary traffic at the API and the form. */
async function warmUpBoth({ port }: Service): Promise<void> {
  await warmUp(port);
  const client = await RawClient.connect(port);
  await client.ask(post("/contact", { fields: "Content-Length: 3", body: "a=b" }));
  client.close();
}

for (const path of Object.keys(PATHS) as Path[]) {
  for (const limit of ["100000/2m", "1/1h"]) {
    const limited = limit === "1/1h" ? ", from a client that is out of attempts" : "";
    Deno.test({
      name: `a body takes its share and no more at ${path}${limited}`,
      ignore: Deno.build.os !== "linux", // the figures are in /proc
      fn: () =>
        withRunningService(async (service) => {
          await warmUpBoth(service);
          for (const [what, texts, statuses] of ATTACKS) {
            const status = await bounded(service, () => send(service.port, texts(path)));
            equal(status, limited ? 429 : statuses[path], what);
          }
        }, { LEAD_ATTEMPT_LIMIT: limit }),
    });
  }
}

const CROWD = 20;
/** Twice their buffers, and what V8 takes for what is young. */
const CROWD_MIB = 60;

for (const path of Object.keys(PATHS) as Path[]) {
  Deno.test({
    name: `${CROWD} bodies of 60,000 chunks at once at ${path} take their share and no more`,
    ignore: Deno.build.os !== "linux", // the figures are in /proc
    fn: () =>
      withRunningService(async (service) => {
        await warmUpBoth(service);
        const [, texts] = ATTACKS[0]!;
        const attack = () =>
          Promise.all(Array.from({ length: CROWD }, () => send(service.port, texts(path))));
        const statuses = await bounded(service, attack, { mostMib: CROWD_MIB });
        deepEqual(new Set(statuses), new Set([400]));
      }, { LEAD_ATTEMPT_LIMIT: "100000/2m" }),
  });
}

Deno.test({
  name: "60,000 frames of one byte over HTTP/2 take their share and no more",
  ignore: Deno.build.os !== "linux", // the figures are in /proc
  fn: () =>
    withRunningService(async (service) => {
      await warmUpBoth(service);
      const body = await bounded(service, () => sendFrames(service.port));
      match(body, /"code":"(?:invalid_json|body_too_large)"/);
    }, { LEAD_ATTEMPT_LIMIT: "100000/2m" }),
});

/** Posts 60,000 bytes, each in a frame of its own; resolves to the answer's body. */
async function sendFrames(port: number): Promise<string> {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": "/api/lead",
      "content-type": "application/json",
    });
    const answered = new Promise<string>((resolve, reject) => {
      let text = "";
      stream.setEncoding("utf8");
      stream.on("response", (headers: IncomingHttpHeaders) => text += `${headers[":status"]} `);
      stream.on("data", (chunk: string) => text += chunk);
      stream.on("end", () => resolve(text));
      stream.on("error", reject);
    });
    for (let n = 0; n < 60_000; n++) {
      if (!stream.write("x")) await new Promise((resolve) => stream.once("drain", resolve));
    }
    stream.end();
    return await answered;
  } finally {
    session.close();
  }
}
