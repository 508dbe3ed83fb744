/**
 * @module Faulty receivers: the outcome of postJson(), whether it is permanent, and results in words.
 */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { fetchFailure, reasonOf } from "../../../leads/delivery/failure.ts";
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

const BROKEN: readonly (readonly [what: string, receiver: Receiving, outcome: DeliveryOutcome])[] =
  [
    ["a closed port", nobody(CLOSED), { result: "refused" }],
    ["an unknown host", nobody("http://no-such-host.invalid"), { result: "dns" }],
    ["an error text", nobody(`${CLOSED}/client error (Connect): dns error`), { result: "refused" }],
    ["garbage", raw(answers("\0\x01garbage\r\n\r\n")), { result: "unreachable" }],
    ["a connection closed in the header", raw(answers("HTTP/1.1 20")), { result: "unreachable" }],
    ["a status below 100", begins("000 "), { result: "unreachable" }],
    ["https at an http port", raw(answers("HTTP/1.1 400 \r\n\r\n"), "https"), { result: "tls" }],
    ["a connection closed in the TLS handshake", raw(() => {}, "https"), { result: "tls" }],
    ["a self-signed certificate", selfSigned, { result: "tls" }],
    ["a truncated body", raw(answers(TRUNCATED)), { result: "ok" }],
    ["a body that inflates", inflating(200), { result: "ok" }],
    ["a body that does not end", begins("500 \r\ncontent-length: 100"), statusOutcome(500)],
    ["interim answers", begins("103 \r\n\r\nHTTP/1.1 100 \r\n\r\nHTTP/1.1 204 "), { result: "ok" }],
    [
      "another answer",
      begins("500 \r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 "),
      statusOutcome(500),
    ],
    ["an upgrade", begins("101 \r\nupgrade: x\r\nconnection: upgrade"), statusOutcome(101)],
    ["an unknown status", begins("999 "), statusOutcome(999)],
    ...[400, 410, 422].map((status) =>
      [`${status}`, answering(status), statusOutcome(status, { permanent: true })] as const
    ),
    ...[401, 403, 404, 408, 425, 429, 500, 503].map((status) =>
      [
        `${status}`,
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

Deno.test("the outcome of an attempt is the failure, or depends only on status and Retry-After", async () => {
  for (const [what, receiver, outcome] of BROKEN) {
    await receiver(async ({ url, calls }) => {
      const signal = AbortSignal.timeout(2_000);
      deepEqual(await deliver(url.replaceAll(" ", "%20"), { signal }), outcome, what);
      ok(calls() <= 1, what);
    });
  }
});

Deno.test("an attempt without an answer times out", () =>
  raw()(async ({ url, calls }) => {
    const late = new AbortController();
    const outcome = deliver(url, { signal: late.signal });
    await until("a call", () => calls() === 1);
    late.abort();
    deepEqual(await outcome, { result: "timeout" });
  }));

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

Deno.test("reasonOf() puts a result into words, with its status", () => {
  equal(reasonOf("http_404"), "the target does not know the path (404)");
  equal(reasonOf("smtp_503"), "the mail server asks to send later (503)");
  equal(reasonOf("dns"), "the target's host name cannot be resolved");
  equal(reasonOf("failed"), "the attempt failed");
});
