/**
 * @module Delivery to a channel by incoming webhook of Slack or Mattermost: JSON with a `text` in mrkdwn
 * (Slack's "Formatting text for app surfaces"), without `blocks`, which Mattermost lacks.
 *
 * The lead's text cannot mention anyone, disguise a link, unfurl or change other lines; the message may
 * still be shown with emphasis. A channel does not recognise duplicates; the text has the lead's id.
 */

import type { LeadRecord } from "../lead.ts";
import { postJson } from "./http_post.ts";
import type { TargetKind } from "./target.ts";
import { wordingOf } from "./wording.ts";

/** `slack+https://…`, and `slack+http://…` for a self-hosted server. */
export const slack: TargetKind = {
  schemes: ["slack+https", "slack+http"],
  problem: (url) => addressOf(url) === null ? "must name a host" : undefined,
  create({ url, headers }, { now }) {
    const post = (lines: readonly string[], signal: AbortSignal) => {
      const body = { text: lines.join("\n"), unfurl_links: false, unfurl_media: false };
      return postJson(addressOf(url)!, { body: JSON.stringify(body), headers, signal, now });
    };
    return {
      deliver: (record, signal) => post(linesOf(record), signal),
      notify: ({ subject, text }, signal) =>
        post([`*${inline(subject)}*`, ...text.split("\n").map(inline)], signal),
    };
  },
};

/** The URL after `slack+`. The parser would take a path for a host, so check the host first. */
function addressOf({ host, href }: URL): URL | null {
  return host === "" ? null : URL.parse(href.slice("slack+".length));
}

function linesOf(record: LeadRecord): string[] {
  const { title, rows, texts } = wordingOf(record);
  return [
    inline(title),
    ...rows.map(([label, value]) => `*${label}:* ${inline(value)}`),
    ...texts.flatMap(([label, text]) => [`*${label}:*`, ...quoted(text)]),
  ];
}

/** Quotes every line, so that a message cannot imitate the lines above it. */
function quoted(message: string): string[] {
  return message.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/).map((line) => `> ${escaped(line)}`);
}

/** Look-alikes replace the signs of emphasis and code, with which two values could enclose other lines. */
function inline(text: string): string {
  return escaped(text).replaceAll("*", "∗").replaceAll("`", "ˋ").replaceAll("~", "∼")
    .replace(/_+(?![\w@])/g, (closing) => "＿".repeat(closing.length));
}

/**
 * Escapes the three control characters of Slack. Mattermost also knows a bare `@channel` and Markdown
 * links and images: a zero-width space breaks them.
 */
function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/(?<![\p{L}\p{N}]_*)@(?=\S)/gu, "@\u200B")
    .replace(/\](?=[(:[])/g, "]\u200B");
}
