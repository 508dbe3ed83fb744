/**
 * @module A lead as a mail (RFC 5322): plain text and HTML, in the language of the lead.
 *
 * The lead's text goes into the subject, Reply-To and both bodies, and is data in all of them: escaped
 * here for HTML, encoded by nodemailer in header fields. None of it is in the envelope.
 */

import type { LeadRecord } from "../lead.ts";
import { type Wording, wordingOf } from "./wording.ts";

/** Sender and recipients, as plain addresses. */
export interface Correspondents {
  readonly from: string;
  readonly to: readonly string[];
}

/** A mail, in the form that nodemailer takes. */
export interface Mail {
  readonly from: string;
  readonly to: string[];
  readonly envelope: { readonly from: string; readonly to: string[] };
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
  readonly messageId: string;
  readonly headers: Record<string, string>;
}

/**
 * Writes the mail. The same lead gives the same Message-ID whenever it is sent, so that a mailbox can
 * tell a repeated delivery.
 */
export function mailOf(record: LeadRecord, { from, to }: Correspondents): Mail {
  const wording = wordingOf(record);
  return {
    from,
    to: [...to],
    envelope: { from, to: [...to] },
    ...replyTo(record.lead.email),
    // RFC 2047: what is taken for an encoded word comes out as whatever it hides, line breaks too.
    subject: wording.title.replaceAll("=?", "=\u200B?"),
    text: textOf(wording),
    html: htmlOf(wording, record.lead.locale),
    date: new Date(record.receivedAt),
    messageId: `<${record.id}@${domainOf(from)}>`,
    // RFC 3834: an absence note must not go to the prospect.
    headers: { "X-Lead-Id": record.id, "Auto-Submitted": "auto-generated" },
  };
}

/**
 * Mail programs that decode where RFC 2047 forbids it would show another address than the one a reply
 * goes to. No real address has an encoded word; the body shows it as it was given.
 */
function replyTo(address: string): Pick<Mail, "replyTo"> {
  return address.includes("=?") ? {} : { replyTo: { name: "", address } };
}

/** The part after the `@`. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

function textOf({ title, rows, messageLabel, message, replyNote }: Wording): string {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return [
    title,
    "",
    ...rows.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`),
    "",
    replyNote,
    ...(message === undefined ? [] : ["", `${messageLabel}:`, "", message]),
  ].join("\n");
}

function htmlOf(
  { title, rows, messageLabel, message, replyNote }: Wording,
  locale: string,
): string {
  const cells = rows.map(([label, value]) =>
    `<tr><th align="left">${escaped(label)}</th><td dir="auto">${escaped(value)}</td></tr>`
  );
  const body = message === undefined ? "" : `
<h2>${escaped(messageLabel)}</h2>
<p dir="auto" style="white-space: pre-wrap">${escaped(message)}</p>`;
  return `<!doctype html>
<html lang="${locale}">
<meta charset="utf-8">
<title>${escaped(title)}</title>
<h1 dir="auto">${escaped(title)}</h1>
<table cellpadding="4">
${cells.join("\n")}
</table>
<p>${escaped(replyNote)}</p>${body}
</html>
`;
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
