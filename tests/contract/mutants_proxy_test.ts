/**
 * @module The proxy in front of a service: which requests a mutant sees, and what becomes of its
 * changes.
 */

import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import * as zlib from "node:zlib";
import { readRequest } from "../../contract/mutants/message.ts";
import type { Mutation, ProxyFault } from "../../contract/mutants/mutant.ts";
import { startProxy } from "../../contract/mutants/proxy.ts";
import { openWire } from "../../contract/raw/wire.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes);

/** A service that tells method, path and body, of one path in brotli, behind a proxy. */
async function withService(
  mutant: ProxyFault,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const told = `${request.method} ${new URL(request.url).pathname} ${await request.text()}`;
    if (!request.url.endsWith("/packed")) return new Response(told, { headers: { "x-a": "b" } });
    const packed = new Uint8Array(zlib.brotliCompressSync(told));
    return new Response(packed, { headers: { "content-encoding": "br" } });
  });
  try {
    const proxy = startProxy(`http://127.0.0.1:${server.addr.port}`, mutant);
    try {
      await use(proxy.url);
    } finally {
      await proxy.stop();
    }
  } finally {
    await server.shutdown();
  }
}

/** Sends bytes, and gives all that comes until it holds `end` or the connection is closed. */
async function talk(url: string, message: string, end?: RegExp): Promise<string> {
  const wire = await openWire(url);
  try {
    await wire.send(bytesOf(message));
    const isThere = () => end !== undefined && end.test(textOf(wire.bytes()));
    await wire.until(isThere, 3_000);
    return textOf(wire.bytes());
  } finally {
    await wire.close();
  }
}

const plain = (line: string, body = "") =>
  `${line} HTTP/1.1\r\nHost: x\r\n${
    body === "" ? "" : `Content-Length: ${body.length}\r\n`
  }\r\n${body}`;

/** Not for a mutant: something about each is not plain. */
const ODD: Readonly<Record<string, string>> = {
  "a target in absolute form": "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n!",
  "CONNECT": "CONNECT /x HTTP/1.1\r\nHost: x\r\n\r\n!",
  "two lengths": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n!",
  "a length that is none": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\n!",
  "chunks": "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n!\r\n0\r\n\r\n",
  "an expectation": "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n!",
  "the wish to close": "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n!",
  "no Host": "GET /! HTTP/1.1\r\n\r\n",
  "two Hosts": "GET /! HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
  "a blank before a colon": "GET /! HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n",
  "a method that is no token": "GE(T /! HTTP/1.1\r\nHost: x\r\n\r\n",
  "HTTP/1.0": "GET /! HTTP/1.0\r\nHost: x\r\n\r\n",
  "several at once": plain("GET /a") + plain("GET /b!"),
  "a header that is too long": `GET /! HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(70_000)}`,
};

Deno.test("a request that is not plain is not shown to a mutant", () => {
  for (const [title, message] of Object.entries(ODD)) {
    equal(readRequest(bytesOf(message)), "odd", title);
  }
});

Deno.test("a partial request is incomplete", () => {
  const whole = plain("POST /a", "body");
  for (let length = 0; length < whole.length; length++) {
    equal(readRequest(bytesOf(whole.slice(0, length))), "incomplete");
  }
  const request = readRequest(bytesOf(whole));
  if (typeof request === "string") throw new Error(request);
  deepEqual(request.headers, { host: "x", "content-length": "4" });
  deepEqual([request.method, request.path, request.body], ["POST", "/a", "body"]);
});

Deno.test("a changed response has its own length, and the connection stays open", async () => {
  const reply: Mutation = (one, { method, body }) =>
    method === "POST" ? { ...one, status: 418, body: `${one.body} and ${body.length}` } : one;
  await withService({ reply }, async (url) => {
    const wire = await openWire(url);
    await wire.send(bytesOf(plain("POST /a", "four")));
    await wire.until(() => /POST \/a four and 4$/.test(textOf(wire.bytes())), 3_000);
    const first = textOf(wire.bytes());
    match(first, /^HTTP\/1\.1 418 \r\n/);
    match(first, /\r\ncontent-length: 18\r\n/i);
    await wire.send(bytesOf(plain("!x /b")));
    await wire.until(() => /!x \/b $/.test(textOf(wire.bytes())), 3_000);
    match(textOf(wire.bytes()).slice(first.length), /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n!x \/b $/);
    await wire.close();
  });
});

Deno.test("HEAD has the length of the body that a mutant has changed", async () => {
  const reply: Mutation = (one) => one.body === "" ? one : { ...one, body: `${one.body}!!!` };
  await withService({ reply }, async (url) => {
    for (const path of ["/a", "/packed"]) {
      const lengths: (string | undefined)[] = [];
      for (const method of ["GET", "HEAD"]) {
        const text = await talk(url, plain(`${method} ${path}`), /\r\n\r\n/);
        lengths.push(/content-length: (\d+)/i.exec(text)?.[1]);
      }
      const [get, head] = lengths;
      equal(head, get);
    }
  });
});

Deno.test("a changed request is what the service gets", async () => {
  const request = () => ({ method: "PUT", target: "/c", body: "longer", headers: { "x-a": "1" } });
  await withService({ request }, async (url) => {
    match(await talk(url, plain("GET /a"), /longer$/), /\r\n\r\nPUT \/c longer$/);
    // The client has sent HEAD: there is no body.
    const head = await talk(url, plain("HEAD /a"), /\r\n\r\n/);
    match(head, /\r\ncontent-length: 13\r\n/);
    match(head, /\r\n\r\n$/);
  });
});

Deno.test("a response can be cut off, be followed by more, or cause another request", async () => {
  let posted = "";
  const reply: Mutation = (one, { path, body }) => {
    if (path === "/cut") return { ...one, cut: 12 };
    if (path === "/head") return { ...one, surplus: "more" };
    posted += body;
    return one;
  };
  const also: ProxyFault["also"] = (_one, { path }) => path === "/also" ? "again" : undefined;
  await withService({ reply, also }, async (url) => {
    equal(await talk(url, plain("GET /cut")), "HTTP/1.1 200");
    match(await talk(url, plain("HEAD /head"), /more$/), /\r\n\r\nmore$/);
    match(await talk(url, plain("POST /also", "once"), /once$/), /POST \/also once$/);
    equal(posted, "once", "a mutant is not shown what it has sent itself");
  });
});

Deno.test("an error of a mutant is thrown by stop()", async () => {
  const reply = () => {
    throw new TypeError("a mutant is wrong");
  };
  await rejects(withService({ reply }, async (url) => void await talk(url, plain("GET /"))), {
    message: "a mutant is wrong",
  });
});
