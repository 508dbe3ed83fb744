/** @module What all pages of the inbox share. All text goes through `hono/markup`, which escapes it. */

import { html as markup } from "@hono/hono/html";
import type { HtmlEscapedString } from "@hono/hono/utils/html";
import { UNSAFE } from "../../lib/terminal_text.ts";
import { SITE } from "../../schemas/site_data.ts";
import { count, iso, relative } from "../leads/text.ts";

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What would not be seen: controls, direction marks, and characters without width. */
const UNSEEN = new RegExp(`(${UNSAFE.source}|[\\u00AD\\u200B\\u2060-\\u2064\\uFEFF])`, "u");

/**
 * What somebody wrote: characters that cannot be seen are named, and its direction stays its own.
 *
 * @param options.hasLines tabs and line ends stay what they are
 */
export function written(text: string, { hasLines = false } = {}): Markup {
  const lines = hasLines ? text.replaceAll("\r\n", "\n") : text;
  const parts = lines.split(UNSEEN).map((part, n) => {
    if (n % 2 === 0 || (hasLines && /[\n\t]/.test(part))) return part;
    const code = part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    return markup`<b class="unseen">U+${code}</b>`;
  });
  return markup`<bdi>${parts}</bdi>`;
}

/** How long ago a time was, or how soon it is. */
export function time(at: number, now: number): Markup {
  return markup`<time datetime="${iso(at)}" title="${utc(at)}">${relative(at, now)}</time>`;
}

export function fullTime(at: number, now: number): Markup {
  return markup`<time datetime="${iso(at)}">${utc(at)}</time> <small>${relative(at, now)}</small>`;
}

function utc(at: number): string {
  return `${iso(at).replace("T", " ").slice(0, "2026-11-23 08:00:00".length)} UTC`;
}

export function stateMark(state: string, text = state): Markup {
  return markup`<span class="state ${state}">${text}</span>`;
}

interface Page {
  /** Browsers remember it: nothing of a lead. */
  readonly title: string;
  /** If it is not the title. */
  readonly heading?: Markup | undefined;
  readonly path: string;
  readonly main: Markup | string;
  /** The result of an action, in words. */
  readonly notice?: { readonly text: string; readonly isFailure: boolean } | undefined;
  /** Leads that could not be read, with the reasons. */
  readonly unusable: ReadonlyMap<string, string>;
  /** How often the page asks for news, in seconds; 0: never. */
  readonly every: number;
}

export function layout(
  { title, heading = markup`${title}`, path, main, notice, unusable, every }: Page,
): Markup {
  const link = (to: string, name: string) =>
    markup`<a href="${to}" aria-current="${to === path ? "page" : "false"}">${name}</a>`;
  const result = notice && told(notice.text, notice.isFailure ? "alert" : "status");
  const reasons = [...Map.groupBy(unusable, ([, reason]) => reason)].map(([reason, found]) => {
    const ids = found.slice(0, NAMED).map(([id]) => id).join(", ");
    return told(`${count(found.length, "lead")} cannot be read (${reason}): ${ids}`, "note");
  });
  const script = markup`<script src="/inbox.js" data-every="${every}" defer></script>`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${SITE.name}</title>
<link rel="icon" href="/favicon.svg">
<link rel="preload" href="/display.woff2" as="font" crossorigin>
<link rel="stylesheet" href="/inbox.css">
${every > 0 ? script : ""}
</head>
<body>
<header><strong>${SITE.name}</strong>
<nav aria-label="Inbox">${link("/", "Overview")}${link("/leads", "Leads")}</nav>
<p id="news" role="status"></p></header>
<main><h1>${heading}</h1>${result ?? ""}${reasons}${main}</main>
</body>
</html>`;
}

/** So many ids are named for each reason. */
const NAMED = 5;

function told(text: string, role: "alert" | "status" | "note"): Markup {
  return markup`<div class="notice ${role}" role="${role}">${
    written(text, { hasLines: true })
  }</div>`;
}
