/**
 * @module Maps source files to URLs: `en/index.md` is `/`, `en/docs.md` is `/docs`, `de/index.md`
 * is `/de`, `de/docs.md` is `/de/docs`. Translations of a page have the same file name.
 */

import { DEFAULT_LOCALE, type Locale, LOCALES } from "../schemas/site_data.ts";
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
  /** The Atom feed: only the changelog has one. */
  readonly feedPath: string | undefined;
}

const SOURCE = /^([a-z]{2})\/((?:[a-z0-9-]+\/)*[a-z0-9-]+)\.md$/;

/** Returns the paths of a source file. @throws {PageError} if its name cannot be a URL */
export function addressOf(file: string): PageAddress {
  const [, folder, name] = SOURCE.exec(file) ?? [];
  const locale = LOCALES.find((known) => known === folder);
  if (locale === undefined || name === undefined) {
    const state = `the name must be ${LOCALES.join(" or ")}, a slash, lower-case letters, digits ` +
      "and hyphens, and `.md`";
    throw new PageError(file, { line: 1, state });
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
    markdownAliases: [...isIndex ? [`${path}.md`] : [], `${whole}.html.md`],
    feedPath: name === "changelog" ? `${path}.xml` : undefined,
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

type Paths = Readonly<
  Record<
    "home" | "docs" | "developers" | "privacy" | "contact" | "sent" | "llms" | "llmsFull",
    string
  >
>;

/** The paths to which the service itself links. */
export function pathsIn(locale: Locale): Paths {
  const prefix = localePrefix(locale);
  return {
    home: prefix || "/",
    docs: `${prefix}/docs`,
    developers: `${prefix}/developers`,
    privacy: `${prefix}/privacy`,
    contact: `${prefix}/${CONTACT_PAGE}`,
    sent: `${prefix}/${CONTACT_PAGE}/sent`,
    llms: `${prefix}/llms.txt`,
    llmsFull: `${prefix}/llms-full.txt`,
  };
}

/** What agents can do here (agenticresourcediscovery.org), and how (Agent Skills Discovery). */
export const ARD = "/.well-known/ard.json";
export const AGENT_SKILLS = "/.well-known/agent-skills/index.json";
export const SKILL_NAME = "send-an-enquiry";
export const SKILL = `/.well-known/agent-skills/${SKILL_NAME}/SKILL.md`;

/** The paths of a page's versions by `hreflang`, `x-default` last. */
export function alternatesOf(
  versions: readonly Pick<PageAddress, "locale" | "path">[],
): (readonly [language: string, path: string])[] {
  const of = (language: string, wanted: Locale) =>
    versions.filter(({ locale }) => locale === wanted).map(({ path }) => [language, path] as const);
  return [...LOCALES.flatMap((locale) => of(locale, locale)), ...of("x-default", DEFAULT_LOCALE)];
}

/** The pages to which the service itself links: from errors, headers, the form and documents. */
export const REQUIRED_PAGES: readonly string[] = [
  ...["index", CONTACT_PAGE, "privacy", "docs", "developers", "security"],
];
