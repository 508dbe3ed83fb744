/** @module Delivery by mail: content, TLS and authentication. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import type { SMTPServerOptions } from "smtp-server";
import { webhookIdOf } from "../../../leads/delivery/webhook_id.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { deliver, recordOf } from "../../support/delivering.ts";
import { withSmtpReceiver } from "../../support/smtp_receiver.ts";

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
