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
  const inEach = (locales: readonly Locale[]) =>
    locales.flatMap((one) => versions.filter((version) => version.locale === one));
  const languages = [
    ...inEach(LOCALES).map(({ locale, path }) => [path, locale]),
    ...inEach([DEFAULT_LOCALE]).map(({ path }) => [path, "x-default"]),
  ];
  const links: (readonly [path: string | undefined, parameters: string])[] = [
    [path, 'rel="canonical"'],
    [markdownPath, 'rel="alternate"; type="text/markdown"'],
    ...languages.map(([path, language]) =>
      [path, `rel="alternate"; hreflang="${language}"; type="text/html"`] as const
    ),
    [indexPath(locale), 'rel="describedby"; type="text/plain"'],
    ["/openapi.json", 'rel="service-desc"; type="application/json"'],
    [`${localePrefix(locale)}/docs`, 'rel="service-doc"; type="text/html"'],
    [API_CATALOG, `rel="api-catalog"; type="${API_CATALOG_TYPE}"`],
  ];
  return links.filter(([path]) => path !== undefined)
    .map(([path, parameters]) => `<${siteUrl}${path}>; ${parameters}`)
    .join(", ");
}
