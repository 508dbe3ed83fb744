/**
 * @module Renders all representations of the site from its sources, which are read together on
 * first use. Results are not cached: the routes prebuild the answers.
 */

import { lazy } from "../schemas/lazy.ts";
import type { SiteFacts } from "./facts.ts";
import { documentOf } from "./layout.ts";
import { llmsFullOf, type LlmsInput, llmsOf } from "./llms.ts";
import { renderMarkdown } from "./markdown.ts";
import type { FrameLink } from "./menus.ts";
import { markdownOf, type Page, portableBody, readPage } from "./page.ts";
import {
  CONTACT_PAGE,
  homePath,
  indexPath,
  type Locale,
  localePrefix,
  LOCALES,
  type PageAddress,
} from "./page_path.ts";
import { sitemapMarkdownOf, sitemapOf } from "./sitemap.ts";
import { fill, WORDS } from "./words.ts";

/** Gives access to the sources of the pages. */
export interface PageSource {
  /** File names such as `en/index.md`, in any order; only those that end in `.md` are pages. */
  list(): Promise<readonly string[]>;
  read(file: string): Promise<string>;
}

/** Every representation of the site, rendered on each call. */
export interface Site {
  /** All pages, by language and then in reading order. */
  pages(): Promise<readonly Page[]>;
  /** The contact page includes its empty form. */
  html(address: Pick<PageAddress, "file">): Promise<string>;
  markdown(address: Pick<PageAddress, "file">): Promise<string>;
  /** The page of thanks after the contact form, in HTML. */
  sent(locale: Locale): Promise<string>;
  notFound(locale: Locale): Promise<{ readonly html: string; readonly markdown: string }>;
  llms(locale: Locale): Promise<string>;
  llmsFull(locale: Locale): Promise<string>;
  sitemap(): Promise<string>;
  sitemapMarkdown(): Promise<string>;
}

interface Catalogue {
  readonly pages: readonly Page[];
  readonly byPath: ReadonlyMap<string, Page>;
}

/** Creates the site without reading its sources. */
export function createSite(source: PageSource, facts: SiteFacts): Site {
  const { siteName, siteUrl } = facts;
  const catalogue = lazy(() => readAll(source, facts));

  async function pageOf({ file }: Pick<PageAddress, "file">): Promise<Page> {
    const page = (await catalogue()).pages.find((one) => one.file === file);
    if (page === undefined) throw new Error("Cannot show a page: its source is gone");
    return page;
  }

  async function html(address: Pick<PageAddress, "file">): Promise<string> {
    const { pages } = await catalogue();
    const page = await pageOf(address);
    const { html: text } = await renderMarkdown(page.body);
    const fragment = page.name === CONTACT_PAGE ? await withForm(text, page.locale) : text;
    const versions = pages.filter((other) => other.name === page.name);
    return documentOf({
      ...page,
      ...frame(pages, page.locale),
      siteName,
      siteUrl,
      fragment,
      address: page,
      paths: Object.fromEntries(versions.map(({ locale, path }) => [locale, path])),
    });
  }

  async function markdown(address: Pick<PageAddress, "file">): Promise<string> {
    const { pages, byPath } = await catalogue();
    const page = await pageOf(address);
    const translations = pages
      .filter(({ name, locale }) => name === page.name && locale !== page.locale);
    return markdownOf(page, { siteUrl, byPath, translations });
  }

  /** Renders a short document that is not a page of the site. */
  async function noticeDocument(
    { title, description, body }: Record<"title" | "description" | "body", string>,
    locale: Locale,
  ): Promise<string> {
    const { pages } = await catalogue();
    const { html: fragment } = await renderMarkdown(body);
    return documentOf({
      ...frame(pages, locale),
      siteName,
      siteUrl,
      locale,
      title,
      description,
      fragment,
      layout: "landing",
      address: undefined,
      paths: {},
      updated: undefined,
    });
  }

  async function sent(locale: Locale): Promise<string> {
    const { title, text, home } = WORDS[locale].form.sent;
    const body = `# ${title}\n\n${text}\n\n[${home}](${homePath(locale)})\n`;
    return await noticeDocument({ title, description: title, body }, locale);
  }

  async function notFound(locale: Locale): Promise<{ html: string; markdown: string }> {
    const { byPath } = await catalogue();
    const { body: text, ...notice } = WORDS[locale].notFound;
    const home = homePath(locale);
    const docs = `${localePrefix(locale)}/docs`;
    const body = fill(text, { home, docs, index: indexPath(locale) });
    return {
      html: await noticeDocument({ ...notice, body }, locale),
      markdown: portableBody({ body, markdownPath: home }, { siteUrl, byPath }),
    };
  }

  async function llmsInput(locale: Locale): Promise<LlmsInput> {
    const { pages, byPath } = await catalogue();
    return { locale, facts, byPath, pages: pages.filter((page) => page.locale === locale) };
  }

  return {
    pages: async () => (await catalogue()).pages,
    html,
    markdown,
    sent,
    notFound,
    llms: async (locale) => llmsOf(await llmsInput(locale)),
    llmsFull: async (locale) => llmsFullOf(await llmsInput(locale)),
    sitemap: async () => sitemapOf({ siteUrl, pages: (await catalogue()).pages }),
    sitemapMarkdown: async () =>
      sitemapMarkdownOf({ siteName, siteUrl, pages: (await catalogue()).pages }),
  };
}

/** Inserts the form before the first section; loads the schemas, which few other pages need. */
async function withForm(text: string, locale: Locale): Promise<string> {
  const { contactForm } = await import("./contact_form.ts");
  const at = Math.max(0, text.indexOf("<section"));
  return text.slice(0, at) + contactForm(locale) + text.slice(at);
}

async function readAll(source: PageSource, facts: SiteFacts): Promise<Catalogue> {
  const files = (await source.list()).filter((file) => file.endsWith(".md"));
  const pages = await Promise.all(
    files.map(async (file) => readPage(await source.read(file), { file, facts })),
  );
  pages.sort(inReadingOrder);
  return { pages, byPath: new Map(pages.map((page) => [page.path, page])) };
}

/** Sorts by language, then home, `nav`, `footer`, the rest by name. */
function inReadingOrder(a: Page, b: Page): number {
  // `nav` has at most four digits.
  const rank = ({ name, nav, footer }: Page) =>
    name === "index" ? -Infinity : nav ?? (footer === undefined ? Infinity : 10_000 + footer);
  const [first, second] = [rank(a), rank(b)];
  return LOCALES.indexOf(a.locale) - LOCALES.indexOf(b.locale) ||
    (first === second ? 0 : first - second) || (a.name < b.name ? -1 : 1);
}

/** The links of header and footer. */
function frame(
  pages: readonly Page[],
  locale: Locale,
): { navigation: readonly FrameLink[]; footer: readonly FrameLink[] } {
  const own = pages.filter((page) => page.locale === locale && page.name !== "index");
  return {
    navigation: own.filter((page) => page.nav !== undefined),
    footer: own.filter((page) => page.footer !== undefined),
  };
}
