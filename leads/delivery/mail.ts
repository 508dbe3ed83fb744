/**
 * @module Formats a lead as a mail (RFC 5322) in plain text. The lead's text is encoded by nodemailer in
 * header fields; none of it is in the envelope.
 */

import type { SendMailOptions } from "nodemailer";
import type { LeadRecord } from "../lead.ts";
import { webhookIdOf } from "./webhook_id.ts";
import { wordingOf } from "./wording.ts";

/** RFC 3834: an out-of-office reply must not go to the prospect. */
export const AUTOMATIC = { "Auto-Submitted": "auto-generated" };

/** The mail, without addresses. Its Message-ID is constant, so that mailboxes recognise duplicates. */
export function mailOf(record: LeadRecord, domain: string): SendMailOptions {
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
    // Some mail programs decode encoded words even in addresses and would show another address.
    ...(address.includes("=?") ? {} : { replyTo: { name: "", address } }),
    // RFC 2047: text that looks like an encoded word would be decoded, with line breaks in it.
    subject: title.replaceAll("=?", "=\u200B?"),
    text: lines.join("\n"),
    date: new Date(record.receivedAt),
    messageId: `<${webhookIdOf(record)}@${domain}>`,
    headers: { "X-Lead-Id": record.id, ...AUTOMATIC },
  };
}
