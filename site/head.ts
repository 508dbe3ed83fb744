/**
 * @module What `<head>` says of a page: its name, its other forms and languages, its looks
 * (WHATWG HTML §4.2; RFC 8288 link relations). The body is `layout.ts`.
 */

import { escapeHtml } from "./html.ts";
import { DEFAULT_LOCALE, type Locale, LOCALES } from "./page_path.ts";
import { structuredData, type StructuredPage } from "./structured_data.ts";
import { indexPath } from "./words.ts";

/** What the head is made from. Paths are of this site. */
export interface HeadView {
  readonly siteName: string;
  readonly siteUrl: string;
  readonly locale: Locale;
  readonly title: string;
  readonly description: string;
  /** Undefined for what is no page, such as an error: it is kept out of search indexes. */
  readonly address: PageUrls | undefined;
  /** Where each language has this page, itself included. */
  readonly paths: Readonly<Partial<Record<Locale, string>>>;
  /** The day of the last change, `YYYY-MM-DD`. */
  readonly updated: string | undefined;
}

/** Where a page is and where its markdown is. */
export interface PageUrls {
  readonly path: string;
  readonly markdownPath: string;
}

/** Territories that Open Graph wants to know; the texts are written for no other. */
const OPEN_GRAPH_LOCALES: Readonly<Record<Locale, string>> = { en: "en_GB", de: "de_DE" };

const IMAGE = { path: "/assets/og.png", width: 1200, height: 630 };

/** The lines of `<head>` after character set and viewport. */
export function headOf(view: HeadView): string[] {
  return [
    `<title>${escapeHtml(documentTitle(view))}</title>`,
    `<meta name="description" content="${escapeHtml(view.description)}">`,
    '<meta name="color-scheme" content="light dark">',
    '<link rel="stylesheet" href="/assets/site.css">',
    '<link rel="icon" type="image/svg+xml" href="/assets/favicon.svg">',
    '<link rel="apple-touch-icon" href="/assets/apple-touch-icon.png">',
    '<link rel="manifest" href="/site.webmanifest">',
    `<link rel="describedby" type="text/plain" href="${indexPath(view.locale)}">`,
    ...(view.address === undefined ? ['<meta name="robots" content="noindex">'] : [
      ...links(view, view.address),
      ...openGraph(view, view.address),
      dataBlock({ ...view, ...view.address }),
    ]),
  ];
}

/** Title and site name, unless the title already has the name. */
function documentTitle({ title, siteName }: HeadView): string {
  return title.includes(siteName) ? title : `${title} – ${siteName}`;
}

function links({ siteUrl, paths }: HeadView, address: PageUrls): string[] {
  const alternate = (language: string, path: string) =>
    `<link rel="alternate" hreflang="${language}" href="${escapeHtml(siteUrl + path)}">`;
  const languages = Object.entries(paths).map(([language, path]) => alternate(language, path));
  const fallback = paths[DEFAULT_LOCALE];
  return [
    `<link rel="canonical" href="${escapeHtml(siteUrl + address.path)}">`,
    ...languages,
    ...(fallback === undefined ? [] : [alternate("x-default", fallback)]),
    `<link rel="alternate" type="text/markdown" href="${address.markdownPath}">`,
  ];
}

/** What a link to the page looks like where people share it (ogp.me). */
function openGraph(view: HeadView, { path }: PageUrls): string[] {
  const { siteName, siteUrl, locale, title, description, paths } = view;
  const others = LOCALES.filter((other) => other !== locale && paths[other] !== undefined);
  const properties: readonly (readonly [string, string])[] = [
    ["og:type", "website"],
    ["og:site_name", siteName],
    ["og:title", title],
    ["og:description", description],
    ["og:url", siteUrl + path],
    ["og:locale", OPEN_GRAPH_LOCALES[locale]],
    ...others.map((other) => ["og:locale:alternate", OPEN_GRAPH_LOCALES[other]] as const),
    ["og:image", siteUrl + IMAGE.path],
    ["og:image:width", String(IMAGE.width)],
    ["og:image:height", String(IMAGE.height)],
    ["og:image:alt", siteName],
  ];
  return [
    ...properties.map(([name, value]) =>
      `<meta property="${name}" content="${escapeHtml(value)}">`
    ),
    '<meta name="twitter:card" content="summary_large_image">',
  ];
}

/** Data, which the policy on scripts does not concern; `<` would end the element early. */
function dataBlock(page: StructuredPage): string {
  const json = JSON.stringify(structuredData(page)).replaceAll("<", "\\u003c");
  return `<script type="application/ld+json">${json}</script>`;
}
