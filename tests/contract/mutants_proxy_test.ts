/**
 * @module The proxy that puts faults in front of a service: what it must leave alone, what it shows
 * to a mutant, and what comes of an answer that has been changed.
 */

import {
  deepStrictEqual as deepEqual,
  match,
  rejects,
  strictEqual as equal,
} from "node:assert/strict";
import * as zlib from "node:zlib";
import { readRequest } from "../../contract/mutants/message.ts";
import type { ProxiedRequest, Mutation, ProxyFault } from "../../contract/mutants/mutant.ts";
import { NO_FAULT } from "../../contract/mutants/mutants.ts";
import { startProxy } from "../../contract/mutants/proxy.ts";
import { openWire } from "../../contract/raw/wire.ts";

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes);

/** Answers with what it has got, byte by byte, as soon as `!` has come. */
async function withEcho(use: (url: string) => Promise<void>): Promise<void> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  async function echo(connection: Deno.TcpConn): Promise<void> {
    const buffer = new Uint8Array(65_536);
    let heard = "";
    while (true) {
      const length = await connection.read(buffer).catch(() => null);
      heard += length === null ? "<end>" : textOf(buffer.subarray(0, length));
      if (length === null || heard.includes("!")) break;
    }
    await connection.write(bytesOf(heard)).catch(() => {});
    connection.close();
  }
  const accepting = (async () => {
    const connections: Promise<void>[] = [];
    for await (const connection of listener) connections.push(echo(connection));
    await Promise.all(connections);
  })();
  try {
    await use(`http://127.0.0.1:${listener.addr.port}`);
  } finally {
    listener.close();
    await accepting;
  }
}

/** A service that tells method, path and body, of one path in brotli, behind a proxy. */
async function withService(
  mutant: ProxyFault,
  use: (url: string, direct: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const told = `${request.method} ${new URL(request.url).pathname} ${await request.text()}`;
    if (!request.url.endsWith("/packed")) return new Response(told, { headers: { "x-a": "b" } });
    const packed = new Uint8Array(zlib.brotliCompressSync(told));
    return new Response(packed, { headers: { "content-encoding": "br" } });
  });
  const direct = `http://127.0.0.1:${server.addr.port}`;
  try {
    const proxy = startProxy(direct, mutant);
    try {
      await use(proxy.url, direct);
    } finally {
      await proxy.stop();
    }
  } finally {
    await server.shutdown();
  }
}

/** Sends bytes, and gives all that comes until it holds `end` or the connection is closed. */
async function talk(url: string, message: string, end?: RegExp | "half close"): Promise<string> {
  const wire = await openWire(url);
  try {
    await wire.send(bytesOf(message));
    if (end === "half close") await wire.halfClose();
    const isThere = () => end instanceof RegExp && end.test(textOf(wire.bytes()));
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

Deno.test("what is not plain goes through byte by byte, and the mutant is not asked", async () => {
  await withEcho(async (upstream) => {
    let asked = 0;
    const proxy = startProxy(upstream, { request: () => (asked++, { method: "NO" }) });
    for (const [title, message] of Object.entries(ODD)) {
      equal(readRequest(bytesOf(message)), "odd", title);
      const heard = await talk(proxy.url, message);
      equal(heard, message.slice(0, heard.length), title);
      equal(heard.includes("!"), true, title);
    }
    const bareLines = "GET / HTTP/1.1\nHost: x\n\n!";
    equal(await talk(proxy.url, bareLines), bareLines);
    equal(await talk(proxy.url, "GET / HT", "half close"), "GET / HT<end>");
    equal(await talk(proxy.url, "", "half close"), "<end>");
    equal(asked, 0);
    await proxy.stop();
  });
});

Deno.test("without a mutant everything goes through as it is", async () => {
  await withEcho(async (upstream) => {
    const proxy = startProxy(upstream);
    const message = "get /! HTTP/1.1\r\nhOST:x\r\nA: 1\r\nA: 2\r\n\r\n";
    equal(await talk(proxy.url, message), message);
    await proxy.stop();
  });
});

Deno.test("an invalid Host is shown to a mutant and reaches the service unchanged", async () => {
  await withEcho(async (upstream) => {
    let shown = "";
    const request = ({ headers }: ProxiedRequest) => (shown += headers["host"], { headers: {} });
    const proxy = startProxy(upstream, { request });
    for (const host of ["x/api?a b", "\xff\xfe"]) {
      const message = `GET /! HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      equal(await talk(proxy.url, message), message);
    }
    equal(shown, "x/api?a b\xff\xfe");
    await proxy.stop();
  });
});

Deno.test("a request of which only a part has come is neither plain nor odd", () => {
  const whole = plain("POST /a", "body");
  for (let length = 0; length < whole.length; length++) {
    equal(readRequest(bytesOf(whole.slice(0, length))), "incomplete");
  }
  const request = readRequest(bytesOf(whole));
  if (typeof request === "string") throw new Error(request);
  deepEqual(request.headers, { host: "x", "content-length": "4" });
  deepEqual([request.method, request.path, request.body], ["POST", "/a", "body"]);
});

Deno.test("a body that stalls reaches the service all the same", async () => {
  await withEcho(async (upstream) => {
    const proxy = startProxy(upstream, { reply: (reply) => reply });
    const message = "POST /! HTTP/1.1\r\nHost: x\r\nContent-Length: 80\r\n\r\n{";
    equal(await talk(proxy.url, message), message);
    await proxy.stop();
  });
});

Deno.test("a changed answer has its own length, and the connection goes on", async () => {
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

Deno.test("a body in brotli is shown as text, and is brotli again", async () => {
  const reply: Mutation = (one) => ({ ...one, body: one.body.replace("GET", "GOT") });
  await withService({ reply }, async (url) => {
    const response = await fetch(`${url}/packed`);
    equal(await response.text(), "GOT /packed ");
  });
});

Deno.test("HEAD tells the length of the body that GET has, where a mutant changes that", async () => {
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
    // The client has asked by HEAD, whatever the service was asked: there is no body.
    const head = await talk(url, plain("HEAD /a"), /\r\n\r\n/);
    match(head, /\r\ncontent-length: 13\r\n/);
    match(head, /\r\n\r\n$/);
  });
});

Deno.test("no fault is no difference, though everything is taken apart", async () => {
  await withService(NO_FAULT, async (url, direct) => {
    for (const message of [plain("PUT /a", "body"), plain("HEAD /a"), plain("GET /packed")]) {
      const [there, through] = await Promise.all([direct, url].map(async (base) => {
        const [head = "", body] = (await talk(base, message, /\r\n\r\n/)).split("\r\n\r\n");
        const fields = head.split("\r\n").slice(1).filter((field) => !/^date:/i.test(field));
        return { fields: fields.toSorted(), body };
      }));
      deepEqual(through, there);
    }
  });
});

Deno.test("an answer can be cut off, have something after it, or cause another request", async () => {
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

Deno.test("a mutant remembers for as long as its proxy runs", async () => {
  const reply: Mutation = (one, { memory }) => {
    const times = (memory.get("times") ?? 0) + 1;
    memory.set("times", times);
    return { ...one, body: String(times) };
  };
  for (const _instance of [1, 2]) {
    await withService({ reply }, async (url) => {
      equal(await (await fetch(url)).text(), "1");
      equal(await (await fetch(url)).text(), "2");
    });
  }
});

Deno.test("a proxy ends all connections, whatever is under way", async () => {
  await withEcho(async (upstream) => {
    const proxy = startProxy(upstream, NO_FAULT);
    const wires = [await openWire(proxy.url), await openWire(proxy.url)];
    await wires[1]!.send(bytesOf(plain("GET /never-answered")));
    await proxy.stop(); // would wait for ever for an answer
    for (const wire of wires) {
      equal(await wire.until(() => wire.ended(), 3_000), true);
      await wire.close();
    }
  });
});

Deno.test("what a mutant throws is told in the end", async () => {
  const reply = () => {
    throw new TypeError("a mutant is wrong");
  };
  await rejects(withService({ reply }, async (url) => void await talk(url, plain("GET /"))), {
    message: "a mutant is wrong",
  });
});
