/** @module Delivery by mail: content, TLS, authentication, failures. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { SMTPServerOptions } from "smtp-server";
import { webhookIdOf } from "../../../leads/delivery/webhook_id.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { deliver, recordOf } from "../../support/delivering.ts";
import { reply, withSmtpReceiver } from "../../support/smtp_receiver.ts";
import type { DeliveryOutcome } from "../../../leads/retry.ts";
import {
  type Behaviour,
  greets,
  type RawReceiver,
  withRawReceiver,
} from "../../support/raw_receiver.ts";
import { pause, until } from "../../support/until.ts";

const ADDRESSES = "from=leads@example.com&to=sales@example.org,team@example.net";

Deno.test("a lead is sent to all recipients, and a reply goes to the prospect", () =>
  withSmtpReceiver(async ({ port, mails }) => {
    const record = recordOf({ message: "Hello,\nwe need 50 seats.", plan: "business" });
    deepEqual(await deliver(`smtp://127.0.0.1:${port}?${ADDRESSES}`, { record }), { result: "ok" });
    const { mail, from, to, hello } = mails[0]!;
    equal(hello, "example.com", "not the name of the machine");
    equal(from, "leads@example.com");
    deepEqual(to, ["sales@example.org", "team@example.net"]);
    deepEqual(mail.from, { name: "", address: "leads@example.com" });
    deepEqual(mail.to?.map(({ address }) => address), to);
    deepEqual(mail.replyTo, [{ name: "", address: "ada@example.com" }]);
    equal(mail.subject, "New lead from Example GmbH");
    equal(mail.messageId, `<${webhookIdOf(record)}@example.com>`);
    equal(new Date(mail.date!).getTime(), record.receivedAt);
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    equal(headers["x-lead-id"], record.id);
    equal(headers["auto-submitted"], "auto-generated");
    match(
      mail.text!,
      /\nLead: {10}\S+\n\nA reply to this mail goes straight to the person who wrote/,
    );
    match(mail.text!, /\n\nHello,\nwe need 50 seats\.\n$/);
  }));

Deno.test("a German lead is sent in German, in subject and text", () =>
  withSmtpReceiver(async ({ port, mails }) => {
    const record = recordOf({
      locale: "de",
      company: "Müller & Söhne GmbH – Köln 🚢",
      message: "Grüße aus Köln: wir möchten »Freigaben« für 20 Plätze.",
      plan: "unspecified",
    });
    await deliver(`smtp://127.0.0.1:${port}?${ADDRESSES}`, { record });
    const { mail } = mails[0]!;
    equal(mail.subject, "Neue Anfrage von Müller & Söhne GmbH – Köln 🚢");
    equal(
      mail.text,
      `Neue Anfrage von Müller & Söhne GmbH – Köln 🚢

E-Mail-Adresse: ada@example.com
Unternehmen:    Müller & Söhne GmbH – Köln 🚢
Tarif:          Noch offen
Sprache:        Deutsch
Eingegangen:    21. November 2026 um 12:00 UTC
Kennung:        ${record.id}

Eine Antwort auf diese E-Mail geht direkt an die anfragende Person.

Nachricht:

Grüße aus Köln: wir möchten »Freigaben« für 20 Plätze.
`,
    );
  }));

Deno.test("without a company the subject has the address, and the mail has no empty rows", () =>
  withSmtpReceiver(async ({ port, mails }) => {
    await deliver(`smtp://127.0.0.1:${port}?${ADDRESSES}`, { record: recordOf({ company: "" }) });
    const { mail } = mails[0]!;
    equal(mail.subject, "New lead from ada@example.com");
    equal(/Company|Plan|Message/.test(mail.text!), false);
  }));

function accepting(logins: string[]): SMTPServerOptions {
  return {
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      logins.push(`${username} ${password}`);
      done(null, { user: "ada" });
    },
  };
}

for (const scheme of ["smtp", "smtps"]) {
  Deno.test(`with an untrusted certificate neither lead nor password is sent by ${scheme}`, () => {
    const logins: string[] = [];
    return withSmtpReceiver(async ({ port, mails }) => {
      const url = `${scheme}://ada:secret@localhost:${port}?${ADDRESSES}`;
      deepEqual(await deliver(url), { result: "tls" });
      deepEqual([logins, mails.length], [[], 0]);
    }, { ...makeCertificate(), secure: scheme === "smtps", ...accepting(logins) });
  });
}

Deno.test("without TLS a password is sent only to this machine", () => {
  const logins: string[] = [];
  return withSmtpReceiver(async ({ port, mails }) => {
    const url = (host: string) => `smtp://ada:p%40ss%2F@${host}:${port}?${ADDRESSES}`;
    // 0.0.0.0 is this machine, but not a loopback address.
    deepEqual(await deliver(url("0.0.0.0")), { result: "tls" });
    deepEqual([logins, mails.length], [[], 0]);
    deepEqual(await deliver(url("127.0.0.1")), { result: "ok" });
    deepEqual([logins, mails.length], [["ada p@ss/"], 1]);
  }, accepting(logins));
});

type Answering<Name extends keyof SMTPServerOptions> = NonNullable<SMTPServerOptions[Name]>;

const rcpt = (answer: (address: string) => Error | undefined): SMTPServerOptions => ({
  onRcptTo: ({ address }, _session, done) => done(answer(address)),
});
const sender = (code: number): SMTPServerOptions => ({
  onMailFrom: ((_address, _session, done) => done(reply(code))) as Answering<"onMailFrom">,
});
const login = (code: number): SMTPServerOptions => ({
  allowInsecureAuth: true,
  onAuth: (_auth, _session, done) => done(reply(code)),
});
const content = (code: number): SMTPServerOptions => ({
  onData(stream, _session, done) {
    stream.resume().on("end", () => done(reply(code)));
  },
});
const isSales = (address: string) => address.startsWith("s");
const permanent = (code: number) => ({ result: `smtp_${code}`, permanent: true });
const temporary = (code: number) => ({ result: `smtp_${code}`, permanent: false });

/** What a server does, and the outcome; a password is sent if `onAuth` is set. */
const FAILING: readonly (readonly [what: string, SMTPServerOptions, DeliveryOutcome])[] = [
  ["refuses every recipient for good", rcpt(() => reply(550)), permanent(550)],
  ["refuses the sender for good", sender(553), permanent(553)],
  ["refuses the content for good", content(554), permanent(554)],
  ["goes off service in the middle", sender(421), temporary(421)],
  [
    "refuses one recipient for good and the other for now",
    rcpt((address) => reply(isSales(address) ? 550 : 451)),
    temporary(451),
  ],
  [
    "takes the mail for one recipient of two",
    rcpt((address) => isSales(address) ? reply(550) : undefined),
    { result: "ok" },
  ],
  ["takes a command for one out of turn", sender(503), temporary(503)],
  ["wants no client", { onConnect: (_session, done) => done(reply(554)) }, temporary(554)],
  ["does not know the password", login(535), { result: "auth" }],
  ["cannot check the password now", login(454), { result: "auth" }],
  ["wants a password", { authOptional: false, ...sender(530) }, { result: "auth" }],
];

Deno.test("a reply of the server decides the outcome", async () => {
  // At once, because the server greets each client after 100 ms.
  await Promise.all(FAILING.map(([what, options, outcome]) =>
    withSmtpReceiver(async ({ port }) => {
      const credentials = "onAuth" in options ? "ada:secret@" : "";
      const url = `smtp://${credentials}127.0.0.1:${port}?${ADDRESSES}`;
      deepEqual(await deliver(url), outcome, what);
    }, options)
  ));
});

const NO_SERVERS: readonly (readonly [string, Behaviour, scheme: string, result: string])[] = [
  ["closes at once", () => {}, "smtp", "unreachable"],
  ["sends garbage", greets("\0\x01 nonsense\r\n"), "smtp", "unreachable"],
  ["speaks HTTP", greets("HTTP/1.1 400 Bad Request\r\n\r\n"), "smtp", "unreachable"],
  ["sends an impossible status", greets("9999 secret\r\n"), "smtp", "unreachable"],
  ["closes during the TLS handshake", () => {}, "smtps", "unreachable"],
  ["has no TLS", greets("220 mail.example ESMTP\r\n"), "smtps", "tls"],
];

Deno.test("a server that does not speak SMTP is unreachable", async () => {
  for (const [what, behaviour, scheme, result] of NO_SERVERS) {
    await withRawReceiver(async ({ port }) => {
      deepEqual(await deliver(`${scheme}://127.0.0.1:${port}?${ADDRESSES}`), { result }, what);
    }, behaviour);
  }
  let port = 0;
  await withRawReceiver((server) => Promise.resolve(void (port = server.port)));
  deepEqual(await deliver(`smtps://127.0.0.1:${port}?${ADDRESSES}`), { result: "refused" });
  deepEqual(await deliver(`smtp://no-such-host.invalid?${ADDRESSES}`), { result: "dns" });
});

/** Answers to STARTTLS and to what follows, before the connection is closed. */
const STARTTLS: readonly (readonly [answers: readonly string[], result: string])[] = [
  [[], "unreachable"],
  [["220 Go ahead\r\n"], "unreachable"],
  [["454 Not now\r\n"], "tls"],
  [["220 Go ahead\r\n", "250-mail.example\r\n250 AUTH PLAIN\r\n235 Welcome\r\n"], "tls"],
  [["220 Go ahead\r\n250-mail.example\r\n250 AUTH PLAIN\r\n235 Welcome\r\n"], "unreachable"],
];

Deno.test("nothing is sent if TLS breaks off after it was offered, not even to this machine", async () => {
  for (const [answers, result] of STARTTLS) {
    for (const host of ["127.0.0.1", "0.0.0.0"]) {
      let heard = "";
      await withRawReceiver(async ({ port }) => {
        const url = `smtp://ada:secret@${host}:${port}?${ADDRESSES}`;
        deepEqual(await deliver(url), { result }, answers.join());
      }, async (connection) => {
        const offer = "250-mail.example\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n";
        for (const words of ["220 mail.example ESMTP\r\n", offer, ...answers]) {
          await connection.write(new TextEncoder().encode(words));
          const bytes = new Uint8Array(4096);
          const count = await connection.read(bytes);
          heard += new TextDecoder().decode(bytes.subarray(0, count ?? 0));
        }
      });
      match(heard, /^EHLO example\.com\r\nSTARTTLS\r\n/);
      equal(/AUTH|MAIL|secret/.test(heard), false, heard);
    }
  }
});

/** Delivers to a server until the signal is aborted, `afterMs` after a connection. */
async function abort(server: RawReceiver, scheme: string, afterMs = 0): Promise<void> {
  const late = new AbortController();
  const url = `${scheme}://127.0.0.1:${server.port}?${ADDRESSES}`;
  const outcome = deliver(url, { signal: late.signal });
  await until("a connection", () => server.opened === 1);
  await pause(afterMs);
  late.abort();
  deepEqual(await outcome, { result: "timeout" });
  await until("the connection is closed", () => server.closed === 1, 2_000);
}

Deno.test("a silent server is a timeout, and the connection is closed", () =>
  withRawReceiver((server) => abort(server, "smtps")));

Deno.test("a connection is closed in both directions, even if the server keeps it open", () =>
  withRawReceiver((server) => abort(server, "smtp", 20), async (connection) => {
    await greets("220 mail.example ESMTP\r\n")(connection); // until the client ends its half
    for (;;) {
      await connection.write(new Uint8Array(1)); // fails when the connection is gone
      await pause(5);
    }
  }));

Deno.test("an aborted signal is a timeout without a connection", () =>
  withRawReceiver(async (server) => {
    const url = `smtp://127.0.0.1:${server.port}?${ADDRESSES}`;
    deepEqual(await deliver(url, { signal: AbortSignal.abort() }), { result: "timeout" });
    equal(server.opened, 0);
  }));
