/**
 * @module The `Link` field of pages (RFC 8288): where the page, its markdown, the index for agents
 * and the API's description are, for readers that never parse the document.
 */

import { type Locale, localePrefix } from "../site/page_path.ts";
import { indexPath } from "../site/words.ts";

/** What the field is about; without paths, something that is no page, such as an error. */
export interface LinkSubject {
  readonly locale: Locale;
  readonly path?: string;
  readonly markdownPath?: string;
}

/** Builds the field's value. Every target is absolute. */
export function linkHeader(
  siteUrl: string,
  { locale, path, markdownPath }: LinkSubject,
): string {
  const links = [
    { path, parameters: 'rel="canonical"' },
    { path: markdownPath, parameters: 'rel="alternate"; type="text/markdown"' },
    { path: indexPath(locale), parameters: 'rel="describedby"; type="text/plain"' },
    { path: "/openapi.json", parameters: 'rel="service-desc"; type="application/json"' },
    { path: `${localePrefix(locale)}/docs`, parameters: 'rel="service-doc"; type="text/html"' },
  ];
  return links.flatMap((link) =>
    link.path === undefined ? [] : [`<${siteUrl}${link.path}>; ${link.parameters}`]
  ).join(", ");
}
