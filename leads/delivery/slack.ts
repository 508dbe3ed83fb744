/**
 * @module Delivery to a channel by incoming webhook, as Slack takes it and Mattermost after it: JSON
 * with a `text` in mrkdwn. Follows Slack's "Formatting text for app surfaces".
 *
 * What a person wrote is text: it mentions no one, becomes no link under other words and unfurls
 * nothing. Stars and underscores in it may still come out as emphasis. No `blocks`: Mattermost has none.
 * A channel cannot tell a repeated delivery; the text has the lead's id.
 */

import type { LeadRecord } from "../lead.ts";
import { postFault, postJson } from "./http_post.ts";
import { targetId, type TargetKind } from "./target.ts";
import { wordingOf } from "./wording.ts";

/** `slack+https://…`, and `slack+http://…` for a server of one's own. */
export const slack: TargetKind = {
  schemes: ["slack+https", "slack+http"],
  fault(url) {
    const address = addressOf(url);
    return address === null ? "must name a host" : postFault(address);
  },
  async create(url, { now }) {
    const address = addressOf(url)!;
    return {
      id: await targetId("slack", address),
      deliver: (record, signal) => postJson(address, { body: payload(record), signal, now }),
    };
  },
};

/** The URL behind `slack+`. The parser would take any path for a host here, so look for one first. */
function addressOf({ host, href }: URL): URL | null {
  return host === "" ? null : URL.parse(href.slice("slack+".length));
}

function payload(record: LeadRecord): string {
  const { title, rows, messageLabel, message } = wordingOf(record);
  const lines = [
    escaped(title),
    ...rows.map(([label, value]) => `*${label}:* ${escaped(value)}`),
    ...(message === undefined ? [] : [`*${messageLabel}:*`, ...quoted(message)]),
  ];
  return JSON.stringify({ text: lines.join("\n"), unfurl_links: false, unfurl_media: false });
}

/** Every line with a mark of its own, so that a message cannot pass for the lines above it. */
function quoted(message: string): string[] {
  return message.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/).map((line) => `> ${escaped(line)}`);
}

/**
 * Slack has three control characters, which begin links and mentions alike. Mattermost also takes
 * a bare `@channel`, and Markdown links and images: a zero-width space keeps these apart.
 */
function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/(?<![\p{L}\p{N}])@(?=\S)/gu, "@\u200B")
    .replace(/\](?=[(:[])/g, "]\u200B");
}
