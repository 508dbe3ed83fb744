/**
 * @module Maps source files to URLs. With English first: `en/index.md` is `/`, `en/docs.md` is `/docs`,
 * `de/index.md` is `/de`, `de/docs.md` is `/de/docs`. Translations of a page have the same file name.
 */

import { DEFAULT_LOCALE, type Locale, LOCALES } from "../schemas/site_data.ts";
import type { PageSource } from "./files.ts";
import { PageError } from "./source_problem.ts";

export interface PageAddress {
  /** The source, such as `de/docs.md`. */
  readonly file: string;
  readonly locale: Locale;
  /** The file name without locale and extension, the same in every language. */
  readonly name: string;
  /** Negotiates HTML or markdown. */
  readonly path: string;
  readonly markdownPath: string;
  /** Further URLs of its markdown (llmstxt.org): `/docs.html.md`; of a folder, `/de.md` too. */
  readonly markdownAliases: readonly string[];
  /** The Atom feed that the changelog has, and the index of a folder if it lists its posts. */
  readonly feedPath: string | undefined;
}

const SOURCE = /^([a-z]{2})\/((?:[a-z0-9-]+\/)*[a-z0-9-]+)\.md$/;

/** The language of a source if the site does not have it: its pages are not served. */
export function unlistedLanguage(file: string): string | undefined {
  const [, language] = /^([a-z]{2})\//.exec(file) ?? [];
  return language === undefined || LOCALES.includes(language) ? undefined : language;
}

/** Whether a file is a page of the site, or should be. */
export function isPage(file: string): boolean {
  return file.endsWith(".md") && unlistedLanguage(file) === undefined;
}

/** Whether a source is the index of a folder, such as `en/blog/index.md`. */
export function isFolderIndex(file: string): boolean {
  return /\/.*\/index\.md$/.test(file);
}

/**
 * The addresses of all pages. Of their sources it reads only the indexes of folders.
 *
 * @throws {PageError} if the name of a source cannot be a URL
 */
export async function addressesOf({ list, read }: PageSource): Promise<PageAddress[]> {
  return await Promise.all(
    (await list()).filter(isPage).map(async (file) =>
      addressOf(file, isFolderIndex(file) ? await read(file).catch(() => "") : "")
    ),
  );
}

/**
 * Returns the paths of a source file.
 *
 * @param source tells whether the index of a folder lists posts; without it, it counts as one that does
 * @throws {PageError} if its name cannot be a URL
 */
export function addressOf(file: string, source?: string): PageAddress {
  const [, folder, name] = SOURCE.exec(file) ?? [];
  const locale = LOCALES.find((known) => known === folder);
  if (locale === undefined || name === undefined) {
    const state = `the name must be ${LOCALES.join(" or ")}, a slash, lower-case letters, digits ` +
      "and hyphens, and `.md`";
    throw new PageError(file, [{ line: 1, state }]);
  }
  const whole = `${localePrefix(locale)}/${name}`;
  const isIndex = name === "index" || isFolderIndex(file);
  const path = isIndex ? whole.slice(0, -"/index".length) || "/" : whole;
  const hasFeed = name === "changelog" ||
    (isFolderIndex(file) && (source === undefined || /\{\{\s*posts\s*\}\}/.test(source)));
  return {
    file,
    locale,
    name,
    path,
    markdownPath: `${whole}.md`,
    markdownAliases: [...isIndex ? [`${path}.md`] : [], `${whole}.html.md`],
    feedPath: hasFeed ? `${path}.xml` : undefined,
  };
}

/** The name of the asset that shared links to a page show; not every page has one. */
export function pictureOf({ locale, name }: Pick<PageAddress, "locale" | "name">): string {
  return `og.${locale}.${name.replaceAll("/", ".")}.png`;
}

export function pathsOf({ path, markdownPath, markdownAliases }: PageAddress): string[] {
  return [path, markdownPath, ...markdownAliases];
}

export function localePrefix(locale: Locale): string {
  return locale === DEFAULT_LOCALE ? "" : `/${locale}`;
}

/** The language of a path, by its prefix; the page need not exist. */
export function localeOfPath(path: string): Locale {
  const first = path.split("/", 2)[1];
  return LOCALES.find((locale) => locale === first) ?? DEFAULT_LOCALE;
}

export const CONTACT_PAGE = "contact";

/** Where the contact form leads, and where with a test address, whose enquiry is not stored. */
export const SENT_PAGE = `${CONTACT_PAGE}/sent`;
export const TEST_PAGE = `${CONTACT_PAGE}/test`;

/** The page for unknown URLs. It has no URL of its own: `/404` is unknown too. */
export const NOT_FOUND_PAGE = "404";

/** Whether sitemaps, menus and indexes list a page. */
export function isListed({ name }: Pick<PageAddress, "name">): boolean {
  return ![NOT_FOUND_PAGE, SENT_PAGE, TEST_PAGE].includes(name);
}

const PATHS = {
  docs: "/docs",
  developers: "/developers",
  privacy: "/privacy",
  contact: `/${CONTACT_PAGE}`,
  sent: `/${SENT_PAGE}`,
  test: `/${TEST_PAGE}`,
  llms: "/llms.txt",
  llmsFull: "/llms-full.txt",
  search: "/search.json",
} as const;

/** The paths to which the service itself links. */
export function pathsIn(locale: Locale): Readonly<Record<keyof typeof PATHS | "home", string>> {
  const prefix = localePrefix(locale);
  const paths = Object.entries(PATHS).map(([name, path]) => [name, prefix + path]);
  return { ...Object.fromEntries(paths), home: prefix || "/" };
}

/** What agents can do here (agenticresourcediscovery.org), and how (Agent Skills Discovery). */
export const ARD = "/.well-known/ard.json";
export const AGENT_SKILLS = "/.well-known/agent-skills/index.json";
export const SKILL_NAME = "send-an-enquiry";
export const SKILL = `/.well-known/agent-skills/${SKILL_NAME}/SKILL.md`;

/** The paths of a page's versions by `hreflang`, `x-default` last; none if there is but one. */
export function alternatesOf(
  versions: readonly Pick<PageAddress, "locale" | "path">[],
): (readonly [language: string, path: string])[] {
  if (versions.length < 2) return [];
  const of = (language: string, wanted: Locale) =>
    versions.filter(({ locale }) => locale === wanted).map(({ path }) => [language, path] as const);
  return [...LOCALES.flatMap((locale) => of(locale, locale)), ...of("x-default", DEFAULT_LOCALE)];
}

/**
 * Where a link to a path of this site leads: without a language (`/docs`) to the version in the page's own
 * language, if there is one, and with one (`/de/docs`, also of the default language) to that version.
 *
 * @param paths all paths that pages and their indexes have
 */
export function localisedPath(
  path: string,
  { locale, paths }: { readonly locale: Locale; readonly paths: ReadonlySet<string> },
): string {
  const [, language = "", rest = ""] = /^\/([a-z]{2})((?:\/.*)?)$/.exec(path) ?? [];
  if (LOCALES.includes(language)) return localePrefix(language) + rest || "/";
  const own = path === "/" ? pathsIn(locale).home : localePrefix(locale) + path;
  return paths.has(own) ? own : path;
}

/** The addresses of these sources, without names that cannot be a URL and the page for unknown URLs. */
export function validAddresses(files: readonly string[]): PageAddress[] {
  return files.filter((file) => isPage(file) && SOURCE.test(file)).map((file) => addressOf(file))
    .filter(({ name }) => name !== NOT_FOUND_PAGE);
}

/** The paths of these pages, with their feeds and the indexes for agents: all that differ by language. */
export function localPaths(pages: readonly PageAddress[]): Set<string> {
  return new Set([
    ...pages.flatMap((page) => [...pathsOf(page), page.feedPath ?? []].flat()),
    ...LOCALES.map(pathsIn).flatMap(({ llms, llmsFull }) => [llms, llmsFull]),
  ]);
}

/** The pages that the service itself shows or links to: from errors, headers, the form and documents. */
export const REQUIRED_PAGES: readonly string[] = [
  ...["index", CONTACT_PAGE, SENT_PAGE, TEST_PAGE, "privacy", "docs", "docs/reference"],
  ...["developers", "security", NOT_FOUND_PAGE],
];

/** What the panel of the docs sends; `?try=PATH` chooses among the paths. */
export const TRIED: readonly string[] = [
  ...["POST /api/lead", "GET /api/health", "GET /api/site", "GET /openapi.json"],
  "GET /api/openapi.yaml",
];
