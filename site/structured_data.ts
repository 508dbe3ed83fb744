/**
 * @module What a page is about, for search engines: schema.org as JSON-LD 1.1, in one graph.
 *
 * Says only what is so: no prices, ratings or people.
 */

import type { Json } from "../schemas/json.ts";
import { homePath, type Locale } from "./page_path.ts";

/** What is said of a page. */
export interface StructuredPage {
  readonly siteName: string;
  readonly siteUrl: string;
  readonly locale: Locale;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** The day of the last change, `YYYY-MM-DD`. */
  readonly updated: string | undefined;
}

/** The graph of a page. */
export function structuredData(page: StructuredPage): Json {
  const { siteName, siteUrl, locale, path, title, description, updated } = page;
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
