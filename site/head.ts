/** @module Renders `<head>`: metadata, links to other representations and languages, styles. */

import { html as markup } from "@hono/hono/html";
import type { Json } from "../schemas/json.ts";
import { type Markup, scriptData } from "./html.ts";
import { DEFAULT_LOCALE, homePath, indexPath, type Locale, LOCALES } from "./page_path.ts";

/** The input of {@link headOf}. */
export interface HeadView {
  readonly siteName: string;
  readonly siteUrl: string;
  readonly locale: Locale;
  readonly title: string;
  readonly description: string;
  /** Undefined for other documents, such as errors, which search engines must not index. */
  readonly address: PageUrls | undefined;
  /** Paths of the page in every language, including its own. */
  readonly paths: Readonly<Partial<Record<Locale, string>>>;
  /** Date of the last change, `YYYY-MM-DD`. */
  readonly updated: string | undefined;
}

/** The paths of a page and of its markdown. */
export interface PageUrls {
  readonly path: string;
  readonly markdownPath: string;
}

/** Open Graph requires a territory. */
const OPEN_GRAPH_LOCALES: Readonly<Record<Locale, string>> = { en: "en_GB", de: "de_DE" };

const IMAGE = { path: "/assets/og.png", width: 1200, height: 630 };

const NO_INDEX = markup`<meta name="robots" content="noindex">`;

/** Renders the content of `<head>` after charset and viewport. */
export function headOf(view: HeadView): Markup {
  const { address } = view;
  return markup`<title>${documentTitle(view)}</title>
<meta name="description" content="${view.description}">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/assets/site.css">
<link rel="icon" type="image/svg+xml" href="/assets/favicon.svg">
<link rel="apple-touch-icon" href="/assets/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
<link rel="describedby" type="text/plain" href="${indexPath(view.locale)}">
${address === undefined ? NO_INDEX : ofPage(view, address)}
`;
}

function ofPage(view: HeadView, address: PageUrls): Markup[] {
  const data = scriptData(structuredData(view, address));
  return [
    ...links(view, address),
    ...openGraph(view, address),
    markup`<script type="application/ld+json">${data}</script>`,
  ];
}

/** Appends the site name, unless the title contains it. */
function documentTitle({ title, siteName }: HeadView): string {
  return title.includes(siteName) ? title : `${title} – ${siteName}`;
}

function links({ siteUrl, paths }: HeadView, { path, markdownPath }: PageUrls): Markup[] {
  const alternate = (language: string, path: string) =>
    markup`<link rel="alternate" hreflang="${language}" href="${siteUrl + path}">\n`;
  const languages = Object.entries(paths).map(([language, path]) => alternate(language, path));
  const fallback = paths[DEFAULT_LOCALE];
  return [
    markup`<link rel="canonical" href="${siteUrl + path}">\n`,
    ...languages,
    ...(fallback === undefined ? [] : [alternate("x-default", fallback)]),
    markup`<link rel="alternate" type="text/markdown" href="${markdownPath}">\n`,
  ];
}

/** How shared links to the page are shown (ogp.me). */
function openGraph(view: HeadView, { path }: PageUrls): Markup[] {
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
    ...properties.map(([name, value]) => markup`<meta property="${name}" content="${value}">\n`),
    markup`<meta name="twitter:card" content="summary_large_image">\n`,
  ];
}

/** schema.org data as JSON-LD 1.1, for search engines. */
function structuredData(view: HeadView, { path }: PageUrls): Json {
  const { siteName, siteUrl, locale, title, description, updated } = view;
  const home = siteUrl + homePath(locale);
  const url = siteUrl + path;
  const organization = { "@id": `${siteUrl}/#organization` };
  const site = { "@id": `${siteUrl}/#website` };
  const isHome = url === home;
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Organization",
        ...organization,
        name: siteName,
        url: `${siteUrl}/`,
        logo: `${siteUrl}/assets/icon-512.png`,
      },
      { "@type": "WebSite", ...site, name: siteName, url: `${siteUrl}/`, publisher: organization },
      {
        "@type": "WebPage",
        "@id": url,
        url,
        name: title,
        description,
        inLanguage: locale,
        isPartOf: site,
        ...(updated === undefined ? {} : { dateModified: updated }),
      },
      isHome
        ? {
          "@type": "SoftwareApplication",
          name: siteName,
          url: home,
          description,
          applicationCategory: "BusinessApplication",
          operatingSystem: "Web",
          publisher: organization,
        }
        : {
          "@type": "BreadcrumbList",
          itemListElement: [
            { "@type": "ListItem", position: 1, name: siteName, item: home },
            { "@type": "ListItem", position: 2, name: title, item: url },
          ],
        },
    ],
  };
}
