/**
 * @module Formats a lead as a mail (RFC 5322), in plain text and HTML. The lead's text is escaped by
 * Hono's `html` and encoded by nodemailer in header fields; none of it is in the envelope.
 */

import { html } from "@hono/hono/html";
import type { SendMailOptions } from "nodemailer";
import type { LeadRecord } from "../lead.ts";
import { webhookIdOf } from "./webhook_id.ts";
import { type Wording, wordingOf } from "./wording.ts";

/** Sender and recipients as plain addresses. */
export interface Correspondents {
  readonly from: string;
  readonly to: readonly string[];
}

/** Creates the mail. The Message-ID of a lead is constant, so that mailboxes recognise duplicates. */
export function mailOf(record: LeadRecord, { from, to }: Correspondents): SendMailOptions {
  const wording = wordingOf(record);
  return {
    from,
    to: [...to],
    envelope: { from, to: [...to] },
    ...replyTo(record.lead.email),
    // RFC 2047: text that looks like an encoded word would be decoded, with line breaks in it.
    subject: wording.title.replaceAll("=?", "=\u200B?"),
    text: textOf(wording),
    html: String(htmlOf(wording, record.lead.locale)),
    date: new Date(record.receivedAt),
    messageId: `<${webhookIdOf(record)}@${domainOf(from)}>`,
    // RFC 3834: an out-of-office reply must not go to the prospect.
    headers: { "X-Lead-Id": record.id, "Auto-Submitted": "auto-generated" },
  };
}

/** Some mail programs decode encoded words even in addresses and would show another address. */
function replyTo(address: string): SendMailOptions {
  return address.includes("=?") ? {} : { replyTo: { name: "", address } };
}

/** The part after the last `@`. */
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
