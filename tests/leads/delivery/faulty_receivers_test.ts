/** @module postJson() with faulty receivers: the outcome, whether it is permanent, and Retry-After. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { fetchFailure } from "../../../leads/delivery/failure.ts";
import type { DeliveryOutcome } from "../../../leads/retry.ts";
import { deliver } from "../../support/delivering.ts";
import {
  answering,
  inflating,
  nobody,
  raw,
  type Receiving,
  selfSigned,
} from "../../support/faulty_receivers.ts";
import { answers, type Behaviour, greets, withRawReceiver } from "../../support/raw_receiver.ts";
import { freePort } from "../../support/service.ts";
import { pause, until } from "../../support/until.ts";

const CLOSED = `http://127.0.0.1:${freePort()}`;
const TRUNCATED = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc";

/** Answers with a status and header fields, then stays silent. */
function begins(head: string): Receiving {
  return raw(answers(`HTTP/1.1 ${head}\r\n\r\n`, { thenCloses: false }));
}

/** Receivers that do not complete a response, or only its header. */
const BROKEN: readonly (readonly [title: string, receiver: Receiving, result: string])[] = [
  ["a closed port", nobody(CLOSED), "refused"],
  ["an unknown host", nobody("http://no-such-host.invalid"), "dns"],
  ["a URL like an error text", nobody(`${CLOSED}/client error (Connect): dns error`), "refused"],
  ["garbage instead of HTTP", raw(answers("\0\x01garbage\r\n\r\n")), "unreachable"],
  ["a connection closed in the header", raw(answers("HTTP/1.1 20")), "unreachable"],
  ["a status below 100", begins("000 "), "unreachable"],
  ["a status of four digits", begins("1000 "), "unreachable"],
  ["5,000 header fields", begins(`200 \r\n${"x: y\r\n".repeat(5_000)}x: y`), "unreachable"],
  [
    "a length beyond all numbers",
    begins(`200 \r\ncontent-length: 9${"9".repeat(20)}`),
    "unreachable",
  ],
  ["frames of HTTP/2", raw(answers("\0\0\0\x04\0\0\0\0\0")), "unreachable"],
  ["https at a port without TLS", raw(answers("HTTP/1.1 400 \r\n\r\n"), "https"), "tls"],
  ["a connection closed in the TLS handshake", raw(() => {}, "https"), "tls"],
  ["a self-signed certificate", selfSigned, "tls"],
];

/** Receivers that an aborted signal ends. */
const SILENT: readonly (readonly [title: string, receiver: Receiving])[] = [
  ["no answer", raw()],
  ["no answer to the TLS handshake", raw(undefined, "https")],
  ["an endless header", raw(answers("HTTP/1.1 200 OK\r\nx-slow: ", { thenCloses: false }))],
];

const ANSWERS: readonly (readonly [receiver: Receiving, outcome: DeliveryOutcome])[] = [
  [raw(answers(TRUNCATED)), { result: "ok" }],
  [inflating(200), { result: "ok" }],
  [inflating(500), statusOutcome(500)],
  [begins("200 \r\ncontent-length: 100"), { result: "ok" }],
  [begins("500 \r\ntransfer-encoding: chunked"), statusOutcome(500)],
  [begins("103 \r\n\r\nHTTP/1.1 100 \r\n\r\nHTTP/1.1 204 "), { result: "ok" }],
  [begins("500 \r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 "), statusOutcome(500)],
  [begins("101 \r\nupgrade: websocket\r\nconnection: upgrade"), statusOutcome(101)],
  [begins("999 "), statusOutcome(999)],
  ...[400, 410, 422].map((status) =>
    [answering(status), statusOutcome(status, { permanent: true })] as const
  ),
  ...[401, 403, 404, 408, 425, 429, 500, 502, 503].map((status) =>
    [
      answering(status, { "retry-after": "120" }),
      statusOutcome(status, { retryAfterMs: 120_000 }),
    ] as const
  ),
];

function statusOutcome(
  status: number,
  { permanent = false, retryAfterMs }: { permanent?: boolean; retryAfterMs?: number } = {},
): DeliveryOutcome {
  return { result: `http_${status}`, permanent, retryAfterMs };
}

for (const [title, receiver, result] of BROKEN) {
  Deno.test(`a delivery to ${title} is ${result}`, () =>
    receiver(async ({ url, calls }) => {
      deepEqual(await deliver(url.replaceAll(" ", "%20")), { result });
      ok(calls() <= 1);
    }));
}

for (const [title, receiver] of SILENT) {
  Deno.test(`a delivery with ${title} times out`, () =>
    receiver(async ({ url, calls }) => {
      const late = new AbortController();
      const outcome = deliver(url, { signal: late.signal });
      await until("a call", () => calls() === 1);
      late.abort();
      deepEqual(await outcome, { result: "timeout" });
    }));
}

Deno.test("the outcome of a response depends only on its status and Retry-After", async () => {
  for (const [receiver, outcome] of ANSWERS) {
    await receiver(async ({ url, calls }) => {
      deepEqual(await deliver(url, { signal: AbortSignal.timeout(2_000) }), outcome);
      deepEqual(calls(), 1);
    });
  }
});

/** What a receiver does with a connection after its first answer. */
const AFTERWARDS: readonly (readonly [what: string, afterwards: Behaviour])[] = [
  ["stays silent", greets("")],
  ["closes it", () => {}],
  ["answers again", greets("HTTP/1.1 204 \r\n\r\n")],
];

Deno.test("an attempt does not depend on the connection of an earlier one", async () => {
  for (const [what, afterwards] of AFTERWARDS) {
    const signal = AbortSignal.timeout(2_000);
    let first = true;
    await withRawReceiver(async (server) => {
      const url = `http://127.0.0.1:${server.port}/`;
      deepEqual(await deliver(url, { signal }), { result: "ok" });
      deepEqual(await deliver(url, { signal }), statusOutcome(503), `a receiver that ${what}`);
      await until("both connections are closed", () => server.closed === 2);
    }, async (connection) => {
      const status = first ? 204 : 503;
      first = false;
      await answers(`HTTP/1.1 ${status} \r\n\r\n`)(connection);
      await pause(5);
      if (status === 204) await afterwards(connection);
    });
  }
});

Deno.test("fetchFailure() takes an error without a cause for an unreachable target", () => {
  equal(fetchFailure(new TypeError("error sending request")), "unreachable");
});
