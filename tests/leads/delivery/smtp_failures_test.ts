/** @module Delivery by mail where it fails: the word for it, and whether to try again. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { SMTPServerOptions } from "smtp-server";
import type { DeliveryOutcome } from "../../../leads/retry.ts";
import { deliver } from "../../support/delivering.ts";
import { type Behaviour, greets, withRawReceiver } from "../../support/raw_receiver.ts";
import { reply, withSmtpReceiver } from "../../support/smtp_receiver.ts";
import { pause, until } from "../../support/until.ts";

const ADDRESSES = "from=leads@example.com&to=sales@example.org,team@example.net";

interface Failing {
  readonly what: string;
  readonly options: SMTPServerOptions;
  readonly outcome: DeliveryOutcome;
  /** Before the host. */
  readonly login?: string;
}

const FAILING: readonly Failing[] = [
  {
    what: "refuses every recipient for good",
    options: { onRcptTo: (_address, _session, done) => done(reply(550)) },
    outcome: { result: "smtp_550", permanent: true },
  },
  {
    what: "refuses the sender for good",
    options: { onMailFrom: (_address, _session, done) => done(reply(553)) },
    outcome: { result: "smtp_553", permanent: true },
  },
  {
    what: "refuses the content for good",
    options: {
      onData(stream, _session, done) {
        stream.resume().on("end", () => done(reply(554)));
      },
    },
    outcome: { result: "smtp_554", permanent: true },
  },
  {
    what: "has no room now",
    options: { onRcptTo: (_address, _session, done) => done(reply(450)) },
    outcome: { result: "smtp_450", permanent: false },
  },
  {
    what: "refuses one recipient for good and the other for now",
    options: {
      onRcptTo: ({ address }, _session, done) => done(reply(address.startsWith("s") ? 550 : 451)),
    },
    outcome: { result: "smtp_451", permanent: false },
  },
  {
    what: "takes the mail for one recipient of two",
    options: {
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith("s") ? reply(550) : undefined),
    },
    outcome: { result: "ok" },
  },
  {
    what: "goes off service in the middle",
    options: { onMailFrom: (_address, _session, done) => done(reply(421)) },
    outcome: { result: "smtp_421", permanent: false },
  },
  {
    what: "does not want to talk to this client",
    options: { onConnect: (_session, done) => done(reply(554)) },
    outcome: { result: "smtp_554", permanent: false },
  },
  {
    what: "does not know the password",
    options: { allowInsecureAuth: true, onAuth: (_auth, _session, done) => done(reply(535)) },
    login: "ada:secret@",
    outcome: { result: "auth" },
  },
  {
    what: "cannot check the password now",
    options: { allowInsecureAuth: true, onAuth: (_auth, _session, done) => done(reply(454)) },
    login: "ada:secret@",
    outcome: { result: "auth" },
  },
  {
    what: "wants a password and is given none",
    options: { authOptional: false, onMailFrom: (_address, _session, done) => done(reply(530)) },
    outcome: { result: "auth" },
  },
];

for (const { what, options, login = "", outcome } of FAILING) {
  Deno.test(`a server that ${what}: ${JSON.stringify(outcome)}`, () =>
    withSmtpReceiver(async ({ port }) => {
      deepEqual(await deliver(`smtp://${login}127.0.0.1:${port}?${ADDRESSES}`), outcome);
    }, options));
}

/** Servers that are none, and what is said of them. */
const NO_SERVERS: readonly (readonly [string, Behaviour, scheme: string, result: string])[] = [
  ["closes at once", () => {}, "smtp", "unreachable"],
  ["greets with garbage", greets("\0\x01 nonsense\r\n"), "smtp", "unreachable"],
  ["speaks HTTP", greets("HTTP/1.1 400 Bad Request\r\n\r\n"), "smtp", "unreachable"],
  ["greets with a made-up number", greets("9999 secret\r\n"), "smtp", "unreachable"],
  ["closes during the TLS handshake", () => {}, "smtps", "unreachable"],
  ["has no TLS", greets("220 mail.example ESMTP\r\n"), "smtps", "tls"],
];

for (const [what, behaviour, scheme, result] of NO_SERVERS) {
  Deno.test(`a server that ${what} is told by ${scheme} as ${result}`, () =>
    withRawReceiver(async ({ port }) => {
      deepEqual(await deliver(`${scheme}://127.0.0.1:${port}?${ADDRESSES}`), { result });
    }, behaviour));
}

Deno.test("a closed port is reported as refused, an unknown name as dns", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  deepEqual(await deliver(`smtp://127.0.0.1:${port}?${ADDRESSES}`), { result: "refused" });
  deepEqual(await deliver(`smtps://127.0.0.1:${port}?${ADDRESSES}`), { result: "refused" });
  deepEqual(await deliver(`smtp://no-such-host.invalid?${ADDRESSES}`), { result: "dns" });
});

for (const scheme of ["smtp", "smtps"]) {
  Deno.test(`a server that never answers is told by ${scheme} as timeout, its connection closed`, () =>
    withRawReceiver(async (server) => {
      const late = new AbortController();
      const url = `${scheme}://127.0.0.1:${server.port}?${ADDRESSES}`;
      const outcome = deliver(url, { signal: late.signal });
      await until("a connection", () => server.opened === 1);
      late.abort();
      deepEqual(await outcome, { result: "timeout" });
      await until("the connection is closed", () => server.closed === 1);
    }));
}

Deno.test("a connection is ended at both sides, even where the server keeps its own open", async () => {
  let gone = false;
  await withRawReceiver(async (server) => {
    const late = new AbortController();
    const url = `smtp://127.0.0.1:${server.port}?${ADDRESSES}`;
    const outcome = deliver(url, { signal: late.signal });
    await until("a connection", () => server.opened === 1);
    await pause(20);
    late.abort();
    deepEqual(await outcome, { result: "timeout" });
    await until("nobody is there", () => gone, 2_000);
  }, async (connection) => {
    await greets("220 mail.example ESMTP\r\n")(connection);
    try {
      for (;;) {
        await connection.write(new Uint8Array(1));
        await pause(5);
      }
    } catch {
      gone = true;
    }
  });
});

Deno.test("a signal that is aborted before the attempt is a timeout, without a connection", () =>
  withRawReceiver(async (server) => {
    const url = `smtp://127.0.0.1:${server.port}?${ADDRESSES}`;
    deepEqual(await deliver(url, { signal: AbortSignal.abort() }), { result: "timeout" });
    equal(server.opened, 0);
  }));
