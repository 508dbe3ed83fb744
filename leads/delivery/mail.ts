/**
 * @module A lead as a mail (RFC 5322): plain text and HTML, in the language of the lead.
 *
 * The lead's text goes into the subject, Reply-To and both bodies, and is data in all of them: escaped
 * by Hono's `html`, encoded by nodemailer in header fields. None of it is in the envelope.
 */

import { html } from "@hono/hono/html";
import type { SendMailOptions } from "nodemailer";
import type { LeadRecord } from "../lead.ts";
import { type Wording, wordingOf } from "./wording.ts";

/** Sender and recipients, as plain addresses. */
export interface Correspondents {
  readonly from: string;
  readonly to: readonly string[];
}

/**
 * Writes the mail. The same lead gives the same Message-ID whenever it is sent, so that a mailbox can
 * tell a repeated delivery.
 */
export function mailOf(record: LeadRecord, { from, to }: Correspondents): SendMailOptions {
  const wording = wordingOf(record);
  return {
    from,
    to: [...to],
    envelope: { from, to: [...to] },
    ...replyTo(record.lead.email),
    // RFC 2047: what is taken for an encoded word comes out as whatever it hides, line breaks too.
    subject: wording.title.replaceAll("=?", "=\u200B?"),
    text: textOf(wording),
    html: String(htmlOf(wording, record.lead.locale)),
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
function replyTo(address: string): SendMailOptions {
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

function htmlOf({ title, rows, messageLabel, message, replyNote }: Wording, locale: string) {
  const cells = rows.map(([label, value]) =>
    html`
      <tr>
        <th align="left">${label}</th>
        <td dir="auto">${value}</td>
      </tr>
    `
  );
  const body = message === undefined ? "" : html`
    <h2>${messageLabel}</h2>
    <p dir="auto" style="white-space: pre-wrap">${message}</p>
  `;
  return html`
    <!doctype html>
    <html lang="${locale}">
    <meta charset="utf-8">
    <title>${title}</title>
    <h1 dir="auto">${title}</h1>
    <table cellpadding="4">
    ${cells}</table>
    <p>${replyNote}</p>${body}
    </html>
  `;
}
