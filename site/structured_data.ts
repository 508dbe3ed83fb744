/** @module Describes a page for search engines: schema.org data as JSON-LD 1.1. */

import type { Catalogue, Page } from "./page.ts";
import { DEFAULT_LOCALE, LOCALES } from "../schemas/site_data.ts";
import { CONTACT_PAGE, pathsIn } from "./urls.ts";

/** Pages that are of a kind of their own. */
const PAGE_TYPES: Readonly<Record<string, string>> = {
  about: "AboutPage",
  [CONTACT_PAGE]: "ContactPage",
};

export function structuredData(page: Page, { facts }: Catalogue): object {
  const { name, locale, title, description, updated: dateModified, path, layout } = page;
  const { siteName, siteUrl, contactEmail: email } = facts;
  const home = siteUrl + pathsIn(locale).home;
  const url = siteUrl + path;
  const ids = {
    organization: { "@id": `${siteUrl}/#organization` },
    site: { "@id": `${siteUrl}/#website` },
    page: { "@id": url },
    article: { "@id": `${url}#article` },
    breadcrumb: { "@id": `${url}#breadcrumb` },
  };
  const text = { description, inLanguage: locale, dateModified };
  const isHome = url === home;
  const isArticle = layout === "docs";
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Organization",
        ...ids.organization,
        name: siteName,
        url: `${siteUrl}/`,
        logo: `${siteUrl}/assets/icon-512.png`,
        ...(email !== undefined && {
          contactPoint: {
            "@type": "ContactPoint",
            contactType: "customer service",
            email,
            url: siteUrl + pathsIn(DEFAULT_LOCALE).contact,
            availableLanguage: LOCALES,
          },
        }),
      },
      {
        "@type": "WebSite",
        ...ids.site,
        name: siteName,
        url: `${siteUrl}/`,
        inLanguage: LOCALES,
        publisher: ids.organization,
      },
      {
        "@type": PAGE_TYPES[name] ?? "WebPage",
        ...ids.page,
        url,
        name: title,
        ...text,
        isPartOf: ids.site,
        ...(PAGE_TYPES[name] && { about: ids.organization }),
        ...(isHome ? { mainEntity: ids.organization } : { breadcrumb: ids.breadcrumb }),
        ...(isArticle && { mainEntity: ids.article }),
      },
      ...(isHome ? [] : [{
        "@type": "BreadcrumbList",
        ...ids.breadcrumb,
        itemListElement: [
          { "@type": "ListItem", position: 1, name: siteName, item: home },
          { "@type": "ListItem", position: 2, name: title, item: url },
        ],
      }]),
      ...(isArticle
        ? [{
          "@type": "TechArticle",
          ...ids.article,
          headline: title,
          ...text,
          author: ids.organization,
          publisher: ids.organization,
          mainEntityOfPage: ids.page,
        }]
        : []),
    ],
  };
}
