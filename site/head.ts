/** @module Renders `<head>`: metadata, links to other representations and languages, styles. */

import { html as markup } from "@hono/hono/html";
import { type DocumentView, type Markup, scriptData } from "./html.ts";
import { openGraphLocale } from "./language.ts";
import type { Catalogue, Page } from "./page.ts";
import { alternatesOf, ARD, pathsIn, pictureOf } from "./urls.ts";
import { structuredData } from "./structured_data.ts";

/** The title of a document: always with the name of the site. */
export function documentTitle(title: string, siteName: string): string {
  return title.includes(siteName) ? title : `${title} – ${siteName}`;
}

export function headOf({ site, page, locale, title, description }: DocumentView): Markup {
  // The background of pages, for the bars of a browser around them.
  const themes = Object.entries(site.facts.brand.theme ?? {}).map(([scheme, colour]) =>
    markup`<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colour}">\n`
  );
  // Lighthouse 13.5 finds the manifest only by `ai-catalog`, the name that `ard` had before.
  return markup`<title>${documentTitle(title, site.facts.siteName)}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/assets/site.css">
<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/display.woff2">
<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/text.woff2">
<link rel="icon" type="image/svg+xml" href="/assets/favicon.svg">
<link rel="apple-touch-icon" href="/assets/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
${themes}<link rel="describedby" type="text/plain" href="${pathsIn(locale).llms}">
<link rel="ard ai-catalog" type="application/json" href="${ARD}">
${page ? ofPage(page, site) : markup`<meta name="robots" content="noindex">`}
`;
}

/** Other representations and languages, how shared links are shown (ogp.me), structured data. */
function ofPage(page: Page, site: Catalogue): Markup {
  const { locale, title, description, path, markdownPath, feedPath } = page;
  const { siteName, siteUrl, brand } = site.facts;
  const versions = site.versionsOf(page.name);
  const alternates = alternatesOf(versions).map(([language, path]) =>
    markup`<link rel="alternate" hreflang="${language}" href="${siteUrl + path}">\n`
  );
  const feed = feedPath &&
    markup`<link rel="alternate" type="application/atom+xml" href="${feedPath}">\n`;
  const others = versions.filter((version) => version.locale !== locale).map((other) =>
    markup`<meta property="og:locale:alternate" content="${openGraphLocale(other.locale)}">\n`
  );
  const picture = pictureOf(page);
  // Its picture names the site as static/site.json does.
  const hasOwn = siteName === brand.name && site.assets.includes(picture);
  return markup`<link rel="canonical" href="${siteUrl + path}">
${alternates}<link rel="alternate" type="text/markdown" href="${markdownPath}">
${feed}<meta property="og:type" content="website">
<meta property="og:site_name" content="${siteName}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${siteUrl + path}">
<meta property="og:locale" content="${openGraphLocale(locale)}">
${others}<meta property="og:image" content="${siteUrl}/assets/${hasOwn ? picture : "og.png"}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${hasOwn ? documentTitle(title, siteName) : siteName}">
<meta name="twitter:card" content="summary_large_image">
<script type="application/ld+json">${scriptData(structuredData(page, site))}</script>`;
}
