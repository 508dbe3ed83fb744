/** @module Renders `<head>`: metadata, links to other representations and languages, styles. */

import { html as markup } from "@hono/hono/html";
import { type DocumentView, type Markup, scriptData } from "./html.ts";
import { type Catalogue, type Page, versionsOf } from "./page.ts";
import { alternatesOf, homePath, indexPath, type Locale } from "./page_path.ts";

/** Open Graph requires a territory. */
const OPEN_GRAPH_LOCALES: Readonly<Record<Locale, string>> = { en: "en_GB", de: "de_DE" };

const NO_INDEX = markup`<meta name="robots" content="noindex">`;

/** The title of a document: always with the name of the site. */
export function documentTitle(title: string, siteName: string): string {
  return title.includes(siteName) ? title : `${title} – ${siteName}`;
}

export function headOf({ site, page, locale, title, description }: DocumentView): Markup {
  return markup`<title>${documentTitle(title, site.facts.siteName)}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/assets/site.css">
<link rel="icon" type="image/svg+xml" href="/assets/favicon.svg">
<link rel="apple-touch-icon" href="/assets/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
<link rel="describedby" type="text/plain" href="${indexPath(locale)}">
${page === undefined ? NO_INDEX : ofPage(page, site)}
`;
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
  { locale, title, description, path }: Page,
  { site, versions }: { readonly site: Catalogue; readonly versions: readonly Page[] },
): Markup[] {
  const { siteName, siteUrl } = site.facts;
  const others = versions.filter((version) => version.locale !== locale);
  const properties: readonly (readonly [string, string])[] = [
    ["og:type", "website"],
    ["og:site_name", siteName],
    ["og:title", title],
    ["og:description", description],
    ["og:url", siteUrl + path],
    ["og:locale", OPEN_GRAPH_LOCALES[locale]],
    ...others.map((other) => ["og:locale:alternate", OPEN_GRAPH_LOCALES[other.locale]] as const),
    ["og:image", `${siteUrl}/assets/og.png`],
    ["og:image:width", "1200"],
    ["og:image:height", "630"],
    ["og:image:alt", siteName],
  ];
  return [
    ...properties.map(([name, value]) => markup`<meta property="${name}" content="${value}">\n`),
    markup`<meta name="twitter:card" content="summary_large_image">\n`,
  ];
}

/** schema.org data as JSON-LD 1.1, for search engines. */
function structuredData(
  { locale, title, description, updated, path }: Page,
  { facts: { siteName, siteUrl } }: Catalogue,
): object {
  const home = siteUrl + homePath(locale);
  const url = siteUrl + path;
  const organization = { "@id": `${siteUrl}/#organization` };
  const site = { "@id": `${siteUrl}/#website` };
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
        dateModified: updated,
      },
      url === home
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
