/**
 * @module The `Link` field of pages (RFC 8288): where the page, its other forms and languages, the
 * index for agents and the API's descriptions are, for readers that never parse the document.
 */

import { DEFAULT_LOCALE, type Locale, localePrefix, LOCALES } from "../site/page_path.ts";
import { indexPath } from "../site/words.ts";

/** The path of the list of the site's APIs (RFC 9727). */
export const API_CATALOG = "/.well-known/api-catalog";

/** Its media type, without the profile parameter. */
export const API_CATALOG_TYPE = "application/linkset+json";

/** What the field is about; without paths, something that is no page, such as an error. */
export interface LinkSubject {
  readonly locale: Locale;
  readonly path?: string;
  readonly markdownPath?: string;
  /** The page in every language, itself included. */
  readonly versions?: readonly { readonly locale: Locale; readonly path: string }[];
}

/** Builds the field's value. Every target is absolute and answers with the type that is named. */
export function linkHeader(
  siteUrl: string,
  { locale, path, markdownPath, versions = [] }: LinkSubject,
): string {
  const fallback = versions.find((version) => version.locale === DEFAULT_LOCALE);
  const inOrder = versions.toSorted((a, b) =>
    LOCALES.indexOf(a.locale) - LOCALES.indexOf(b.locale)
  );
  const languages = [
    ...inOrder.map((version) => ({ path: version.path, language: version.locale })),
    ...(fallback === undefined ? [] : [{ path: fallback.path, language: "x-default" }]),
  ];
  const links = [
    { path, parameters: 'rel="canonical"' },
    { path: markdownPath, parameters: 'rel="alternate"; type="text/markdown"' },
    ...languages.map(({ path, language }) => ({
      path,
      parameters: `rel="alternate"; hreflang="${language}"; type="text/html"`,
    })),
    { path: indexPath(locale), parameters: 'rel="describedby"; type="text/plain"' },
    { path: "/openapi.json", parameters: 'rel="service-desc"; type="application/json"' },
    { path: `${localePrefix(locale)}/docs`, parameters: 'rel="service-doc"; type="text/html"' },
    { path: API_CATALOG, parameters: `rel="api-catalog"; type="${API_CATALOG_TYPE}"` },
  ];
  return links.flatMap((link) =>
    link.path === undefined ? [] : [`<${siteUrl}${link.path}>; ${link.parameters}`]
  ).join(", ");
}
