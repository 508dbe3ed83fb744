/**
 * @module The proxy in front of a service: a mutant's change is the only fault of its answers. The clean
 * runs of `deno task contract:mutants` prove that it adds none to other requests.
 */

import { match, rejects, strictEqual as equal } from "node:assert/strict";
import * as zlib from "node:zlib";
import type { Mutation, ProxyFault } from "../../contract/mutants/mutant.ts";
import { startProxy } from "../../contract/mutants/proxy.ts";
import { openWire } from "../../contract/raw/wire.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes);

/** Runs a service behind a proxy. Its answer is method, path and body, in brotli at /packed. */
async function withService(
  mutant: ProxyFault,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const text = `${request.method} ${new URL(request.url).pathname} ${await request.text()}`;
    if (!request.url.endsWith("/packed")) return new Response(text, { headers: { "x-a": "b" } });
    const packed = new Uint8Array(zlib.brotliCompressSync(text));
    return new Response(packed, { headers: { "content-encoding": "br" } });
  });
  const proxy = startProxy(`http://127.0.0.1:${server.addr.port}`, mutant);
  await use(proxy.url).finally(() => proxy.stop()).finally(() => server.shutdown());
}

/** Sends messages on one connection, each after the answer that ends with `end`. */
async function send(url: string, ...messages: [message: string, end?: RegExp][]): Promise<string> {
  const wire = await openWire(url);
  try {
    for (const [message, end] of messages) {
      await wire.send(bytesOf(message));
      await wire.until(() => end !== undefined && end.test(textOf(wire.bytes())), 3_000);
    }
    return textOf(wire.bytes());
  } finally {
    await wire.close();
  }
}

function plain(line: string, body = ""): string {
  const length = body === "" ? "" : `Content-Length: ${body.length}\r\n`;
  return `${line} HTTP/1.1\r\nHost: x\r\n${length}\r\n${body}`;
}

Deno.test("a changed answer has its own length, and the connection stays open", async () => {
  const reply: Mutation = (one, { method, body }) =>
    method === "POST" ? { ...one, status: 418, body: `${one.body} and ${body.length}` } : one;
  await withService({ reply }, async (url) => {
    const both = await send(
      url,
      [plain("POST /a", "four"), /POST \/a four and 4$/],
      [plain("!x /b"), /!x \/b $/],
    );
    match(both, /^HTTP\/1\.1 418 \r\n[^]*\r\ncontent-length: 18\r\n/i);
    match(both, /and 4HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n!x \/b $/);
  });
});

Deno.test("HEAD has the length of the body that a mutant has changed", async () => {
  const reply: Mutation = (one) => one.body === "" ? one : { ...one, body: `${one.body}!!!` };
  await withService({ reply }, async (url) => {
    for (const path of ["/a", "/packed"]) {
      const get = await send(url, [plain(`GET ${path}`), /\r\n\r\n/]);
      const head = await send(url, [plain(`HEAD ${path}`), /\r\n\r\n/]);
      equal(/content-length: \d+/i.exec(head)?.[0], /content-length: \d+/i.exec(get)![0]);
    }
  });
});

Deno.test("stop() rejects with the error of a mutant", async () => {
  const reply = () => {
    throw new TypeError("a mutant is wrong");
  };
  const use = async (url: string) => void await send(url, [plain("GET /")]);
  await rejects(withService({ reply }, use), TypeError);
});
