/**
 * @module Renders the changelog, whose sections have headings like `## 2026-11-22: What has changed`: the
 * days in its HTML, and its Atom feed (RFC 4287) with an entry for each of these sections. An entry's id
 * is its heading's URL: readers show an entry with a new wording again.
 */

import { html as markup } from "@hono/hono/html";
import { isDay } from "./front_matter.ts";
import { documentTitle } from "./head.ts";
import { dayText } from "./language.ts";
import { isSitePath, rewriteLinks } from "./links.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Catalogue, Page } from "./page.ts";
import type { Locale } from "../schemas/site_data.ts";

const ENTRY =
  /<section aria-labelledby="([^"]+)">\n<h2[^>]*>(\d{4}-\d\d-\d\d): (.*?)<\/h2>\n(.*?)<\/section>/gs;

/** Moves the days from the headings to a line above each. */
export function withDays(html: string, locale: Locale): string {
  return html.replace(/(<h2[^>]*>)(\d{4}-\d\d-\d\d): /g, (whole, heading, day) => {
    if (!isDay(day)) return whole;
    const time = markup`<time datetime="${day}">${dayText(day, locale)}</time>`;
    return `<p class="day">${time}</p>\n${heading}`;
  });
}

/** Titles and texts are HTML, with absolute links. */
export async function feedOf(
  { path, feedPath, title, description, locale, updated, body }: Page,
  { facts: { siteName, siteUrl } }: Catalogue,
): Promise<string> {
  const url = siteUrl + path;
  const absolute = rewriteLinks(
    body,
    (href) => href.startsWith("#") ? url + href : isSitePath(href) ? siteUrl + href : href,
  );
  const { html } = await renderMarkdown(absolute);
  const found = [...html.matchAll(ENTRY)].filter(([, , day]) => isDay(day));
  const entries = found.map(([, id, day, title, content]) =>
    markup`<entry>
<title type="html">${title}</title>
<id>${url}#${id}</id>
<link href="${url}#${id}"/>
<updated>${instant(day)}</updated>
<content type="html">${content}</content>
</entry>
`
  );
  const newest = [updated, ...found.map(([, , day]) => day!)].toSorted().at(-1);
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">
<title>${documentTitle(title, siteName)}</title>
<subtitle>${description}</subtitle>
<id>${url}</id>
<link rel="self" type="application/atom+xml" href="${siteUrl}${feedPath}"/>
<link rel="alternate" type="text/html" hreflang="${locale}" href="${url}"/>
<updated>${instant(newest)}</updated>
<author><name>${siteName}</name></author>
${entries}</feed>
`.toString();
}

function instant(day: string | undefined): string {
  return `${day}T00:00:00Z`;
}
