/** @module sitemap.xml (sitemaps.org 0.9 with hreflang alternates) and sitemap.md, as markdown. */

import { html as markup } from "@hono/hono/html";
import { languageName } from "./language.ts";
import type { Page } from "./page.ts";
import { DEFAULT_LOCALE, LOCALES } from "./page_path.ts";
import { WORDS } from "./words.ts";

/** The input of both files. */
export interface SitemapInput {
  readonly siteName: string;
  readonly siteUrl: string;
  readonly pages: readonly Page[];
}

/** Renders sitemap.xml: one `<url>` per page and language, with all its languages as alternates. */
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

/** Renders sitemap.md: all pages with their descriptions, by language. */
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
