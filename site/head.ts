/** @module Renders `<head>`: metadata, links to other representations and languages, styles. */

import { html as markup } from "@hono/hono/html";
import { type DocumentView, type Markup, scriptData } from "./html.ts";
import { type Catalogue, type Page, versionsOf } from "./page.ts";
import { alternatesOf, ARD, indexPath, type Locale, pictureOf } from "./page_path.ts";
import { structuredData } from "./structured_data.ts";

/** Open Graph requires a territory. */
const OPEN_GRAPH_LOCALES: Readonly<Record<Locale, string>> = { en: "en_GB", de: "de_DE" };

const NO_INDEX = markup`<meta name="robots" content="noindex">`;

/** Lighthouse 13.5 finds the manifest only by the name that `ard` had before. */
const ARD_RELATIONS = "ard ai-catalog";

/** The title of a document: always with the name of the site. */
export function documentTitle(title: string, siteName: string): string {
  return title.includes(siteName) ? title : `${title} – ${siteName}`;
}

export function headOf({ site, page, locale, title, description }: DocumentView): Markup {
  return markup`<title>${documentTitle(title, site.facts.siteName)}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/assets/site.css">
<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/display.woff2">
<link rel="icon" type="image/svg+xml" href="/assets/favicon.svg">
<link rel="apple-touch-icon" href="/assets/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
${themeColors(site)}<link rel="describedby" type="text/plain" href="${indexPath(locale)}">
<link rel="${ARD_RELATIONS}" type="application/json" href="${ARD}">
${page === undefined ? NO_INDEX : ofPage(page, site)}
`;
}

/** The ground of pages, for the bars of a browser around them. */
function themeColors({ facts: { brand: { theme } } }: Catalogue): Markup[] {
  return Object.entries(theme ?? {}).map(([scheme, colour]) =>
    markup`<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colour}">\n`
  );
}

function ofPage(page: Page, site: Catalogue): Markup[] {
  const { siteUrl } = site.facts;
  const versions = versionsOf(page.name, site);
  const data = scriptData(structuredData(page, site));
  return [
    markup`<link rel="canonical" href="${siteUrl + page.path}">\n`,
    ...alternatesOf(versions).map(([language, path]) =>
      markup`<link rel="alternate" hreflang="${language}" href="${siteUrl + path}">\n`
    ),
    markup`<link rel="alternate" type="text/markdown" href="${page.markdownPath}">\n`,
    ...page.feedPath === undefined
      ? []
      : [markup`<link rel="alternate" type="application/atom+xml" href="${page.feedPath}">\n`],
    ...openGraph(page, { site, versions }),
    markup`<script type="application/ld+json">${data}</script>`,
  ];
}

/** How shared links to the page are shown (ogp.me). */
function openGraph(
  page: Page,
  { site, versions }: { readonly site: Catalogue; readonly versions: readonly Page[] },
): Markup[] {
  const { locale, title, description, path } = page;
  const { siteName, siteUrl, brand } = site.facts;
  const own = pictureOf(page);
  // Its picture names the site as static/brand.json does.
  const hasOwn = siteName === brand.name && site.assets.includes(own);
  const others = versions.filter((version) => version.locale !== locale);
  const properties: readonly (readonly [string, string])[] = [
    ["og:type", "website"],
    ["og:site_name", siteName],
    ["og:title", title],
    ["og:description", description],
    ["og:url", siteUrl + path],
    ["og:locale", OPEN_GRAPH_LOCALES[locale]],
    ...others.map((other) => ["og:locale:alternate", OPEN_GRAPH_LOCALES[other.locale]] as const),
    ["og:image", `${siteUrl}/assets/${hasOwn ? own : "og.png"}`],
    ["og:image:width", "1200"],
    ["og:image:height", "630"],
    ["og:image:alt", hasOwn ? documentTitle(title, siteName) : siteName],
  ];
  return [
    ...properties.map(([name, value]) => markup`<meta property="${name}" content="${value}">\n`),
    markup`<meta name="twitter:card" content="summary_large_image">\n`,
  ];
}
