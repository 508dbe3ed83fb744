/**
 * @module What `<head>` says of a page: its name, its other forms and languages, its looks
 * (WHATWG HTML §4.2; RFC 8288 link relations). The body is `layout.ts`.
 */

import { escapeHtml } from "./html.ts";
import { DEFAULT_LOCALE, type Locale } from "./page_path.ts";
import { indexPath } from "./words.ts";

/** What the head is made from. Paths are of this site. */
export interface HeadView {
  readonly siteName: string;
  readonly siteUrl: string;
  readonly locale: Locale;
  readonly title: string;
  readonly description: string;
  /** Undefined for what is no page, such as an error: it is kept out of search indexes. */
  readonly address: { readonly path: string; readonly markdownPath: string } | undefined;
  /** Where each language has this page, itself included. */
  readonly paths: Readonly<Partial<Record<Locale, string>>>;
}

/** Title and site name, unless the title already has the name. */
function documentTitle({ title, siteName }: HeadView): string {
  return title.includes(siteName) ? title : `${title} – ${siteName}`;
}

/** The lines of `<head>` after character set and viewport. */
export function headOf(view: HeadView): string[] {
  return [
    `<title>${escapeHtml(documentTitle(view))}</title>`,
    `<meta name="description" content="${escapeHtml(view.description)}">`,
    '<meta name="color-scheme" content="light dark">',
    ...links(view),
  ];
}

function links({ siteUrl, locale, address, paths }: HeadView): string[] {
  const common = [
    `<link rel="describedby" type="text/plain" href="${indexPath(locale)}">`,
    '<link rel="icon" type="image/svg+xml" href="/assets/favicon.svg">',
    '<link rel="stylesheet" href="/assets/site.css">',
  ];
  if (address === undefined) return ['<meta name="robots" content="noindex">', ...common];
  const alternate = (language: string, path: string) =>
    `<link rel="alternate" hreflang="${language}" href="${escapeHtml(siteUrl + path)}">`;
  const languages = Object.entries(paths).map(([language, path]) => alternate(language, path));
  const fallback = paths[DEFAULT_LOCALE];
  return [
    `<link rel="canonical" href="${escapeHtml(siteUrl + address.path)}">`,
    ...languages,
    ...(fallback === undefined ? [] : [alternate("x-default", fallback)]),
    `<link rel="alternate" type="text/markdown" href="${address.markdownPath}">`,
    ...common,
  ];
}
