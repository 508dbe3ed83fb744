/** @module What all pages of the inbox share. All text goes through `hono/html`, which escapes it. */

import { html } from "@hono/hono/html";
import type { HtmlEscapedString } from "@hono/hono/utils/html";
import { UNSAFE } from "../../lib/terminal_text.ts";
import { SITE } from "../../schemas/site_data.ts";
import { iso, relative } from "../leads/text.ts";

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
    return html`<b class="unseen">U+${code}</b>`;
  });
  return html`<bdi>${parts}</bdi>`;
}

/** A time, and how long ago it was or how soon it is. */
export function time(at: number, now: number): Markup {
  const utc = iso(at).replace("T", " ").slice(0, "2026-11-23 08:00".length);
  return html`<time datetime="${iso(at)}" title="${utc} UTC">${relative(at, now)}</time>`;
}

/** A time in full. */
export function fullTime(at: number, now: number): Markup {
  const utc = iso(at).replace("T", " ").slice(0, "2026-11-23 08:00:00".length);
  return html`<time datetime="${iso(at)}">${utc} UTC</time> <small>${relative(at, now)}</small>`;
}

export function stateMark(state: string, text = state): Markup {
  return html`<span class="state ${state}">${text}</span>`;
}

/** The result of an action, in words. */
export interface Notice {
  readonly text: string;
  readonly isFailure: boolean;
}

interface Page {
  readonly title: string;
  readonly path: string;
  readonly main: Markup;
  readonly notice?: Notice | undefined;
  /** Leads that could not be read, with the reasons. */
  readonly unusable?: ReadonlyMap<string, string>;
  /** How often the page asks for news, in seconds; undefined: never. */
  readonly every?: number | undefined;
}

export function layout({ title, path, main, notice, unusable, every }: Page): Markup {
  const link = (to: string, name: string) =>
    html`
      <a href="${to}" ${to === path
        ? html`
          aria-current="page"
        `
        : ""}>${name}</a>
    `;
  const told = notice && html`
    <div class="notice${notice.isFailure ? " failure" : ""}"
      role="${notice.isFailure ? "alert" : "status"}">${written(notice.text, {
        hasLines: true,
      })}</div>
  `;
  return html`
    <!doctype html>
    <html lang="en">
      <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · ${SITE.name}</title>
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="/favicon.svg">
    <link rel="stylesheet" href="/inbox.css">
    ${every === undefined
      ? ""
      : html`<script src="/inbox.js" data-every="${every}" defer></script>`}
      </head>
      <body>
        <header><strong>${SITE.name}</strong><nav aria-label="Inbox">${link("/", "Overview")}${link(
          "/leads",
          "Leads",
        )}</nav><p id="news" role="status"></p></header>
        <main>
    <h1>${title}</h1>
    ${told ?? ""}${unusable === undefined ? "" : skipped(unusable)}
    ${main}
        </main>
      </body>
    </html>
  `;
}

/** So many ids are named for each reason. */
const NAMED = 5;

function skipped(unusable: ReadonlyMap<string, string>): Markup {
  const reasons = Map.groupBy(unusable, ([, reason]) => reason);
  const lines = [...reasons].map(([reason, found]) => {
    const ids = found.slice(0, NAMED).map(([id]) => id).join(", ");
    const more = found.length > NAMED ? " …" : "";
    const leads = found.length === 1 ? "1 lead" : `${found.length} leads`;
    return html`<p>${leads} cannot be read (${reason}): <code>${ids}</code>${more}</p>`;
  });
  return lines.length === 0 ? html`` : html`<div class="notice failure">${lines}</div>`;
}
