/**
 * @module Every way in which a receiver fails, through the whole app: what the client is told, what is
 * kept, what it is called and when the next try is.
 */

import { ok, strictEqual as equal } from "node:assert/strict";
import {
  answering,
  endless,
  late,
  nobody,
  raw,
  type Receiving,
  selfSigned,
} from "../../support/faulty_receivers.ts";
import { answers } from "../../support/raw_receiver.ts";
import { freePort } from "../../support/service.ts";
import { LEAD, type TestApp, withApp } from "../../support/test_app.ts";
import { until } from "../../support/until.ts";

interface Row {
  readonly what: string;
  readonly receiver: Receiving;
  /** How long the receiver is waited for; none: it fails of itself. */
  readonly afterMs?: number;
  readonly delivered?: boolean;
  readonly state?: "waiting" | "delivered" | "dead";
  readonly result: string;
  /** From and to, in milliseconds from the end of the try; by default the schedule's 5 s ± 20 %. */
  readonly nextTry?: readonly [number, number];
}

const SOON = [4_000, 6_000] as const;
const DAY = 86_400_000;

function exactly(ms: number): readonly [number, number] {
  return [ms, ms];
}

const TRUNCATED = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc";
const REDIRECT = { location: "/elsewhere" };

const TABLE: readonly Row[] = [
  {
    what: "the port is closed",
    receiver: nobody(`http://127.0.0.1:${freePort()}`),
    result: "refused",
  },
  {
    what: "the name does not exist",
    receiver: nobody("http://no-such-host.invalid"),
    result: "dns",
  },
  {
    what: "the URL is like an error text",
    receiver: nobody(`http://127.0.0.1:${freePort()}/client error (Connect): dns error`),
    result: "refused",
  },
  { what: "it never answers", receiver: raw(), afterMs: 15_000, result: "timeout" },
  {
    what: "it answers the handshake never",
    receiver: raw(undefined, "https"),
    afterMs: 15_000,
    result: "timeout",
  },
  {
    what: "it begins to answer and goes on never",
    receiver: raw(answers("HTTP/1.1 200 OK\r\nx-slow: ", { thenCloses: false })),
    afterMs: 15_000,
    result: "timeout",
  },
  {
    what: "it answers after the inline time-out",
    receiver: late,
    afterMs: 2_000,
    state: "delivered",
    result: "ok",
  },
  {
    what: "garbage instead of HTTP",
    receiver: raw(answers("\0\x01garbage\r\n\r\n")),
    result: "unreachable",
  },
  {
    what: "it closes within the header",
    receiver: raw(answers("HTTP/1.1 20")),
    result: "unreachable",
  },
  {
    what: "it closes within the body of a 200",
    receiver: raw(answers(TRUNCATED)),
    delivered: true,
    state: "delivered",
    result: "ok",
  },
  {
    what: "https at a port without TLS",
    receiver: raw(answers("HTTP/1.1 400 \r\n\r\n"), "https"),
    result: "tls",
  },
  { what: "it closes within the TLS handshake", receiver: raw(() => {}, "https"), result: "tls" },
  { what: "its certificate is its own", receiver: selfSigned, result: "tls" },
  {
    what: "a 200 whose body never ends",
    receiver: endless(200),
    delivered: true,
    state: "delivered",
    result: "ok",
  },
  { what: "a 500 whose body never ends", receiver: endless(500), result: "http_500" },
  ...[301, 302, 307].map((status) => ({
    what: `${status}, a redirect`,
    receiver: answering(status, REDIRECT),
    result: `http_${status}`,
  })),
  ...[400, 401, 403, 404, 410, 422].map((status) => ({
    what: `${status}, for good`,
    receiver: answering(status),
    state: "dead" as const,
    result: `http_${status}`,
  })),
  ...[408, 425, 429, 500, 502, 503].flatMap((status) => [
    { what: `${status}, for now`, receiver: answering(status), result: `http_${status}` },
    {
      what: `${status} with Retry-After in seconds`,
      receiver: answering(status, { "retry-after": "120" }),
      result: `http_${status}`,
      nextTry: exactly(120_000),
    },
  ]),
  ...[
    ["shorter than the schedule", "1", SOON],
    ["that has passed", "Sat, 21 Nov 2026 11:00:00 GMT", SOON],
    ["of a year", "31536000", exactly(DAY)],
    ["beyond all numbers", "9".repeat(400), exactly(DAY)],
  ].map(([which, value, nextTry]) => ({
    what: `503 with a Retry-After ${which}`,
    receiver: answering(503, { "retry-after": value as string }),
    result: "http_503",
    nextTry: nextTry as readonly [number, number],
  })),
];

async function deliveryOf({ store }: TestApp) {
  const [record] = await Array.fromAsync(store.all());
  return Object.values(record!.deliveries)[0]!;
}

for (
  const { what, receiver, afterMs, delivered = false, state = "waiting", result, nextTry } of TABLE
) {
  const then = state === "waiting" ? ", tried again" : `, ${state}`;
  Deno.test(`${what}: delivered ${delivered}, ${result}${then}`, () =>
    receiver(({ url, calls, release }) =>
      withApp(async (t) => {
        const began = performance.now();
        const answer = t.postLead(LEAD);
        if (afterMs !== undefined) {
          await until("a call", () => calls() === 1);
          t.clock.advance(afterMs);
        }
        const response = await answer;
        equal(response.status, 200);
        equal((await response.json()).delivered, delivered);
        release?.();
        await until("a note of the try", async () => (await deliveryOf(t)).tries.length === 1);
        ok(performance.now() - began < 3_000, "the failure took its time");

        const delivery = await deliveryOf(t);
        equal(delivery.tries[0]!.result, result);
        equal(delivery.state, state);
        const [from, to] = state === "waiting" ? nextTry ?? SOON : exactly(0);
        const pause = delivery.due - t.clock.now();
        ok(pause >= from && pause <= to, `the next try is in ${pause} ms`);
        ok(calls() <= 1, "there was a second call");
        equal(JSON.stringify(t.lines).includes("secret"), false);
      }, { env: { LEAD_TARGETS: url.replaceAll(" ", "%20") } })
    ));
}
