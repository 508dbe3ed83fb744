/** @module Hostile targets: redirects are not followed, endless answers are cut off. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { deliver } from "../support/delivering.ts";
import { type Behaviour, withRawReceiver } from "../support/raw_receiver.ts";
import { startReceiver } from "../support/receiver.ts";

/** Answers that name another URL; `{inner}` is that of a service that must not get a request. */
const ANSWERS: readonly (readonly [status: number, name: string, value: string])[] = [
  ...[300, 301, 302, 303, 307, 308].map((status) => [status, "location", "{inner}"] as const),
  ...["/elsewhere", "file:///etc/passwd"].map((value) => [307, "location", value] as const),
  [200, "refresh", "0; url={inner}"],
  [201, "location", "{inner}"],
  [200, "link", "<{inner}>; rel=preload"],
  [503, "location", "{inner}"],
  [200, "set-cookie", "zz81=zz81; path=/"],
];

Deno.test("a target's answer causes no other request", async () => {
  await using inner = startReceiver();
  for (const [status, name, value] of ANSWERS) {
    const headers = { [name]: value.replace("{inner}", inner.url) };
    await using target = startReceiver(() => new Response(null, { status, headers }));
    for (const scheme of ["http", "slack+http"]) {
      const { result } = await deliver(target.url.replace("http", scheme));
      equal(result, status < 300 ? "ok" : `http_${status}`);
    }
    equal(target.received.length, 2, `${status} ${name} ${value}`);
    equal(target.received.some(({ headers }) => "cookie" in headers), false);
  }
  equal(inner.received.length, 0);
});

const ENDLESS = 512 * 1024 * 1024;

function endlessly(head: string, again: string): { behaviour: Behaviour; taken(): number } {
  let taken = 0;
  const encoder = new TextEncoder();
  const part = encoder.encode(again.repeat(Math.ceil(65_536 / again.length)));
  return {
    taken: () => taken,
    async behaviour(connection) {
      if (!head.startsWith("220")) await connection.read(new Uint8Array(65_536));
      await connection.write(encoder.encode(head));
      while (taken < ENDLESS) {
        for (let at = 0; at < part.length;) at += await connection.write(part.subarray(at));
        taken += part.length;
      }
    },
  };
}

/** Harmless, and more than the buffers of the system. */
const SOME = 32 * 1024 * 1024;
const PATIENCE_MS = 1_000;
const MAIL = "?from=a@example.com&to=b@example.com";
const GONE = /^(?:http_500|unreachable|tls)$/;

const ENDLESS_ANSWERS = [
  ["http", "header", "HTTP/1.1 200 OK\r\nx: ", "x"],
  ["http", "row of headers", "HTTP/1.1 200 OK\r\n", "x: y\r\n"],
  ["http", "body", "HTTP/1.1 500 \r\n\r\n", "x"],
  ["http", "chunk", "HTTP/1.1 500 \r\ntransfer-encoding: chunked\r\n\r\nfffffff\r\n", "x"],
  ["smtp", "line", "220 ", "x"],
  ["smtp", "greeting", "220-x\r\n", "220-x\r\n"],
  ["smtps", "line", "220 ", "x"],
] as const;

for (const [scheme, what, head, again] of ENDLESS_ANSWERS) {
  Deno.test(`an endless ${what} is cut off (${scheme})`, async () => {
    const query = scheme === "http" ? "" : MAIL;
    const { behaviour, taken } = endlessly(head, again);
    await withRawReceiver(async ({ port }) => {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const { result } = await deliver(`${scheme}://127.0.0.1:${port}${query}`, { signal });
      match(result, GONE);
    }, behaviour);
    ok(taken() < SOME, `${taken()} bytes were read`);
  });
}

Deno.test("endless interim answers end with the attempt's timeout, and do not delay other leads", async () => {
  const { behaviour } = endlessly("", "HTTP/1.1 100 Continue\r\n\r\n");
  await withRawReceiver(async ({ port }) => {
    await using other = startReceiver();
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const endless = deliver(`http://127.0.0.1:${port}/`, { signal });
    deepEqual(await deliver(other.url), { result: "ok" }); // a target on this machine is allowed
    equal(signal.aborted, false, "the other target was delayed");
    deepEqual(await endless, { result: "timeout" });
  }, behaviour);
});
