/**
 * @module Formats a lead as a mail (RFC 5322) in plain text. The lead's text is encoded by nodemailer in
 * header fields; none of it is in the envelope.
 */

import type { SendMailOptions } from "nodemailer";
import type { LeadRecord } from "../lead.ts";
import type { Message } from "./target.ts";
import { webhookIdOf } from "./webhook_id.ts";
import { wordingOf } from "./wording.ts";

/** Sender and recipients as plain addresses. */
export interface Correspondents {
  readonly from: string;
  readonly to: readonly string[];
}

/** Creates the mail. The Message-ID of a lead is constant, so that mailboxes recognise duplicates. */
export function mailOf(record: LeadRecord, { from, to }: Correspondents): SendMailOptions {
  const { title, rows, texts, replyNote } = wordingOf(record);
  const address = record.lead.email;
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const lines = [
    title,
    "",
    ...rows.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`),
    "",
    replyNote,
    ...texts.flatMap(([label, text]) => ["", `${label}:`, "", text]),
  ];
  return {
    from,
    to: [...to],
    envelope: { from, to: [...to] },
    // Some mail programs decode encoded words even in addresses and would show another address.
    ...(address.includes("=?") ? {} : { replyTo: { name: "", address } }),
    // RFC 2047: text that looks like an encoded word would be decoded, with line breaks in it.
    subject: title.replaceAll("=?", "=\u200B?"),
    text: lines.join("\n"),
    date: new Date(record.receivedAt),
    messageId: `<${webhookIdOf(record)}@${domainOf(from)}>`,
    // RFC 3834: an out-of-office reply must not go to the prospect.
    headers: { "X-Lead-Id": record.id, "Auto-Submitted": "auto-generated" },
  };
}

/** A message to the operator. */
export function noticeOf(
  { subject, text }: Message,
  { from, to }: Correspondents,
): SendMailOptions {
  return {
    from,
    to: [...to],
    envelope: { from, to: [...to] },
    subject,
    text,
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
