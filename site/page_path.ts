/**
 * @module Which URLs a page has: the only place that knows how files, locales and paths relate.
 *
 * `en/index.md` is `/`, `en/docs.md` is `/docs`, `de/index.md` is `/de`, `de/docs.md` is `/de/docs`,
 * `en/guides/first.md` is `/guides/first`.
 * A page and its twin in the other language share the file name.
 */

import { PageFault } from "./page_fault.ts";

/** Every language of the site; the first is the one without a path prefix. */
export const LOCALES = ["en", "de"] as const;

/** A language of the site. */
export type Locale = typeof LOCALES[number];

/** The language without path prefix, which `x-default` names. */
export const DEFAULT_LOCALE: Locale = LOCALES[0];

/** Where a page is: its source and its URLs, as absolute paths. */
export interface PageAddress {
  /** The source, such as `de/docs.md`. */
  readonly file: string;
  readonly locale: Locale;
  /** The file name without locale and ending: the same in every language. */
  readonly name: string;
  /** The negotiated URL. */
  readonly path: string;
  /** The URL of the markdown alone. */
  readonly markdownPath: string;
  /**
   * Further URLs of the markdown, at which readers try the page of a folder: `/de.md` and
   * `/de/index.html.md` (llmstxt.org) beside `/de/index.md`.
   */
  readonly markdownAliases: readonly string[];
}

const SOURCE = /^([a-z]{2})\/((?:[a-z0-9-]+\/)*[a-z0-9-]+)\.md$/;

/**
 * Finds the URLs of a source file.
 *
 * @throws {PageFault} when the name has no place in the URL scheme
 */
export function addressOf(file: string): PageAddress {
  const [, folder, name] = SOURCE.exec(file) ?? [];
  const locale = LOCALES.find((known) => known === folder);
  if (locale === undefined || name === undefined) {
    const state = `the name is not one of ${LOCALES.join(", ")}, a slash, lower-case letters, ` +
      "digits and hyphens, and `.md`";
    throw new PageFault(file, { line: 1, state });
  }
  const whole = `${localePrefix(locale)}/${name}`;
  const isIndex = name === "index" || name.endsWith("/index");
  const path = isIndex ? whole.slice(0, -"/index".length) || "/" : whole;
  return {
    file,
    locale,
    name,
    path,
    markdownPath: `${whole}.md`,
    markdownAliases: isIndex ? [`${path}.md`, `${whole}.html.md`] : [],
  };
}

/** What the paths of a language begin with: nothing, or `/de`. */
export function localePrefix(locale: Locale): string {
  return locale === DEFAULT_LOCALE ? "" : `/${locale}`;
}

/** The home page of a language. */
export function homePath(locale: Locale): string {
  return localePrefix(locale) || "/";
}

/** The language that a path asks for by its prefix, whether or not there is such a page. */
export function localeOfPath(path: string): Locale {
  const first = path.split("/", 2)[1];
  return LOCALES.find((locale) => locale === first) ?? DEFAULT_LOCALE;
}

/** The path of a language's llms.txt. */
export function indexPath(locale: Locale): string {
  return `${localePrefix(locale)}/llms.txt`;
}

/** The path of a language's llms-full.txt. */
export function fullTextPath(locale: Locale): string {
  return `${localePrefix(locale)}/llms-full.txt`;
}

/** The page that has the contact form, by the name of its source. */
export const CONTACT_PAGE = "contact";

/** Where the contact form is posted to, and where a successful sender is led. */
export function contactPaths(locale: Locale): { readonly form: string; readonly sent: string } {
  const form = `${localePrefix(locale)}/${CONTACT_PAGE}`;
  return { form, sent: `${form}/sent` };
}
