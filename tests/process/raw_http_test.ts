/** @module What `fetch` cannot send: odd methods and bodies that never come, over a socket. */

import { match, ok, strictEqual as equal } from "node:assert/strict";
import { withRunningService } from "../support/service.ts";

/** Sends bytes and reads until the server closes or `forMs` is over. */
async function exchange(port: number, { text, forMs }: { text: string; forMs: number }) {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const began = Date.now();
  let answer = "";
  let closed = false;
  const timer = setTimeout(() => {
    closed = true;
    connection.close();
  }, forMs);
  try {
    await connection.write(new TextEncoder().encode(text));
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(65_536);
    for (let n = await connection.read(buffer); n; n = await connection.read(buffer)) {
      answer += decoder.decode(buffer.subarray(0, n), { stream: true });
      if (/\r\n\r\n\{.*\}$/s.test(answer)) break;
    }
  } catch { /* closed by the timer */ }
  clearTimeout(timer);
  if (!closed) connection.close();
  return { answer, ms: Date.now() - began };
}

Deno.test("odd methods get a 405 with Allow, and a client that stalls is let go after 10 seconds", () =>
  withRunningService(async (service) => {
    const { port } = service;
    for (const method of ["TRACE", "QUERY", "PROPFIND", "get", "Get", "MADE-UP"]) {
      const text = `${method} /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const { answer } = await exchange(port, { text, forMs: 3_000 });
      match(answer, /^HTTP\/1\.1 405 /, method);
      match(answer, /\r\nallow: GET, HEAD, OPTIONS\r\n/, method);
      match(answer, /"code":"method_not_allowed"/, method);
    }

    const head = "POST /api/lead HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    const stalled = await Promise.all([
      exchange(port, { text: `${head}Content-Length: 80\r\n\r\n{"email":`, forMs: 15_000 }),
      exchange(port, {
        text: `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"ema\r\n`,
        forMs: 15_000,
      }),
    ]);
    const { paths } = await (await fetch(`${service.url}/openapi.json`)).json();
    const { examples } = paths["/api/lead"].post.responses["400"].content["application/json"];
    const tooSlow = JSON.stringify(examples.body_too_slow.value);
    for (const { answer, ms } of stalled) {
      match(answer, /^HTTP\/1\.1 400 /);
      ok(answer.endsWith(`\r\n\r\n${tooSlow}`), answer);
      ok(ms >= 9_500 && ms < 13_000, `${ms} ms`);
    }
    const announced = await exchange(port, {
      text: `${head}Content-Length: 70000\r\n\r\n{`,
      forMs: 3_000,
    });
    match(announced.answer, /"code":"body_too_large"/);
    equal(await service.end(), 0);
  }));
