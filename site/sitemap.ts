/**
 * @module sitemap.xml (sitemaps.org 0.9 with hreflang alternates) and sitemap.md, the same list for
 * readers of markdown.
 *
 * `lastmod` is the day that the author wrote, never the day of a deployment.
 */

import { html as markup } from "@hono/hono/html";
import { languageName } from "./language.ts";
import type { Page } from "./page.ts";
import { DEFAULT_LOCALE, LOCALES } from "./page_path.ts";
import { WORDS } from "./words.ts";

/** What both files are made from. */
export interface SitemapInput {
  readonly siteName: string;
  readonly siteUrl: string;
  readonly pages: readonly Page[];
}

/** One `<url>` a page and language, each naming all its languages, itself included. */
export function sitemapOf({ siteUrl, pages }: Omit<SitemapInput, "siteName">): string {
  const versionsOf = Map.groupBy(pages, ({ name }) => name);
  const entries = pages.map((page) => {
    const versions = versionsOf.get(page.name) ?? [];
    const fallback = versions.find((version) => version.locale === DEFAULT_LOCALE);
    const alternates = [
      ...versions.map((version) => ({ language: version.locale as string, path: version.path })),
      ...(fallback === undefined ? [] : [{ language: "x-default", path: fallback.path }]),
    ];
    return [
      "<url>",
      markup`<loc>${siteUrl + page.path}</loc>`,
      `<lastmod>${page.updated}</lastmod>`,
      ...alternates.map(({ language, path }) =>
        markup`<xhtml:link rel="alternate" hreflang="${language}" href="${siteUrl + path}"/>`
      ),
      "</url>",
    ].join("\n");
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" ' +
    'xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    "</urlset>",
    "",
  ].join("\n");
}

/** Every page with its description, by language. */
export function sitemapMarkdownOf({ siteName, siteUrl, pages }: SitemapInput): string {
  const sections = LOCALES.map((locale) => {
    const own = pages.filter((page) => page.locale === locale);
    const lines = own.map(({ title, markdownPath, description }) =>
      `- [${title}](${siteUrl}${markdownPath}): ${description}`
    );
    return [`## ${languageName(locale, locale)}`, "", ...lines, ""].join("\n");
  });
  return [`# ${siteName}: ${WORDS[DEFAULT_LOCALE].frame.sitemap}`, "", ...sections].join("\n");
}
