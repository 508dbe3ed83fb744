/**
 * @module Pages with days, and their Atom feeds (RFC 4287): the changelog, whose sections have headings like
 * `## 2026-11-22: What has changed`, and the index of a folder, whose sections link to its posts.
 *
 * An entry's id is the URL of the section or post: readers show an entry with a new wording again.
 */

import { html as markup } from "@hono/hono/html";
import { isDay } from "./front_matter.ts";
import { documentTitle } from "./head.ts";
import type { Markup } from "./html.ts";
import { dayText } from "./language.ts";
import { isSitePath, rewriteLinks } from "./links.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Catalogue, Page } from "./page.ts";

const ENTRY =
  /<section aria-labelledby="([^"]+)">\n<h2[^>]*>(\d{4}-\d\d-\d\d): (.*?)<\/h2>\n(.*?)<\/section>/gs;

/** Moves the days from the headings to a line above each; a post begins with its own. */
export function withDays(html: string, { date, locale }: Pick<Page, "date" | "locale">): string {
  const line = (day: string): Markup =>
    markup`<p class="day"><time datetime="${day}">${dayText(day, locale)}</time></p>\n`;
  const text = html.replace(
    /(<h2[^>]*>)(\d{4}-\d\d-\d\d): /g,
    (whole, heading, day) => isDay(day) ? `${line(day)}${heading}` : whole,
  );
  return date === undefined ? text : `${line(date)}${text}`;
}

/** Titles and texts are HTML, with absolute links. */
export async function feedOf(page: Page, site: Catalogue): Promise<string> {
  const { path, feedPath, title, description, locale, updated } = page;
  const { siteName, siteUrl } = site.facts;
  const url = siteUrl + path;
  const found = [...(await htmlOf(page, site)).matchAll(ENTRY)].filter(([, , day]) => isDay(day));
  const entries = await Promise.all(found.map(async ([, id, day, title, text]) => {
    const [, href, name] = /^<a href="([^"]*)">(.*)<\/a>$/s.exec(title!) ?? [];
    const post = site.pagesIn(locale).find(({ path }) => siteUrl + path === href);
    const content = post && (await htmlOf(post, site)).replace(/<h1.*?<\/h1>\n/s, "");
    const link = post ? href : `${url}#${id}`;
    return markup`<entry>
<title type="html">${post ? name : title}</title>
<id>${link}</id>
<link href="${link}"/>
<updated>${instant(post?.updated ?? day)}</updated>
<content type="html">${content ?? text}</content>
</entry>
`;
  }));
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

async function htmlOf(page: Page, site: Catalogue): Promise<string> {
  const { siteUrl } = site.facts;
  const { body } = await site.text(page);
  const absolute = rewriteLinks(
    body,
    (href) =>
      href.startsWith("#") ? siteUrl + page.path + href : isSitePath(href) ? siteUrl + href : href,
  );
  return (await renderMarkdown(absolute)).html;
}

function instant(day: string | undefined): string {
  return `${day}T00:00:00Z`;
}
