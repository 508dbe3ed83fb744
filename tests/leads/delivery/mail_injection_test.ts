/** @module Text of a person is data in a mail, as an independent parser reads it. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { LeadContent } from "../../../leads/lead.ts";
import { deliver, recordOf } from "../../support/delivering.ts";
import { withSmtpReceiver } from "../../support/smtp_receiver.ts";

const ADDRESSES = "from=leads@example.com&to=sales@example.org,team@example.net";

const NASTY: readonly (readonly [what: string, Partial<LeadContent>])[] = [
  ["a company with CR LF", { company: "A\r\nBcc: victim@example.net\r\n\r\nbody" }],
  ["a company with Unicode line ends", {
    company: "A\u2028Bcc: victim@example.net\u0085B: c\u2029D",
  }],
  ["a company with an encoded word", { company: "=?utf-8?Q?A=0D=0ABcc:_victim=40example.net?=" }],
  ["a company with markup", { company: `<img src=x onerror="alert('1')">&amp;` }],
  ["a company that turns the text around", { company: "moc.elpmaxe\u202E\u2066evil" }],
  ["a company with NUL and DEL", { company: "A\0B\x7fC" }],
  ["a company of 120 code points", { company: "🚢".repeat(120) }],
  ["a company of quotes and backslashes", { company: `"A\\" <b@example.net>, (c)` }],
  ["a message that ends it by halves", { message: "A\n.\nB\r.\rC\n.\r\nD\r\n.\nE\r\n.\rF" }],
  ["a message of dots", { message: ".\n..\n.dot\n" }],
  ["a message with a MIME boundary", {
    message: "\r\n------_NmP-1\r\nContent-Type: text/html\r\n\r\n<b>",
  }],
  ["a message with markup", { message: "</p><script>alert(1)</script><p title='" }],
  ...["ä", "x", "word ", "🚢"].map((text) =>
    [`a message of 2,000 times ${text}`, { message: text.repeat(2_000) }] as const
  ),
  ["a message in many scripts", {
    message: "Grüße e\u0301 🚢👩‍👩‍👧 \u202Eabc\u202C עברית 中文 \uFEFF\u200B",
  }],
  ["a message with control characters", { message: "A\0B\x01\x1b[31mC\x7f\x0b\x0c" }],
  ["a message like an encoding", { message: "=3D=20=\n=?utf-8?Q?x?=\nFrom here\n-- \n \t\n" }],
  ["an address with an encoded word", { email: "=?utf-8?q?a?=@example.com" }],
  ["an address of many signs", { email: "!#$%&'*+/=?^_`{|}~-@example.com" }],
  ["an address with CR LF", { email: "a@example.com\r\nBcc: victim@example.net" }],
  ["a quoted address", { email: `"victim@example.net, a"@example.com` }],
  ["an address list", { email: "a@example.com, victim@example.net" }],
];

const HEADERS = ("auto-submitted content-transfer-encoding content-type date from message-id " +
  "mime-version reply-to subject to x-lead-id").split(" ");

for (const [what, content] of NASTY) {
  Deno.test(`${what} is data in a mail`, () =>
    withSmtpReceiver(async ({ port, mails }) => {
      const record = recordOf(content);
      const { lead } = record;
      const outcome = await deliver(`smtp://127.0.0.1:${port}?${ADDRESSES}`, { record });
      deepEqual(outcome, { result: "ok" });
      equal(mails.length, 1);
      const { mail, from, to, raw } = mails[0]!;
      equal(from, "leads@example.com");
      deepEqual(to, ["sales@example.org", "team@example.net"]);
      deepEqual(
        mail.headers.map(({ key }) => key).sort(),
        HEADERS.filter((key) => key !== "reply-to" || !lead.email.includes("=?")),
      );
      deepEqual(mail.to?.map(({ address }) => address), to);
      ok(raw.split("\r\n").every((line) => line.length <= 998), "a line is too long (RFC 5322)");
      equal(mail.subject?.replaceAll("\u200B", ""), `New lead from ${oneLine(lead.company)}`);
      // An address with an encoded word is no Reply-To.
      const replies = lead.email.includes("=?") ? [] : [lead.email];
      equal(mail.replyTo?.length ?? 0, replies.length);
      if (/^[^\s"<>,:;]+$/.test(lead.email)) {
        deepEqual(mail.replyTo?.map(({ address }) => address?.replaceAll('"', "")) ?? [], replies);
      }
      // A server may refuse other bytes and line ends.
      equal(/\P{ASCII}|\r(?!\n)|(?<!\r)\n/u.test(raw) || raw.includes("\0"), false);
      if (lead.message !== undefined) {
        const written = lead.message.replace(/\r\n?/g, "\n");
        const [, text] = mail.text!.split("\n\nMessage:\n\n");
        ok(text === written || text === `${written}\n`, `not as written: ${text}`);
      }
      equal(mail.html, undefined);
      equal(mail.attachments.length, 0);
    }));
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, " ").trim();
}
