/** @module The site: its pages, and their representations. The routes keep the answers. */

import type { Json } from "../schemas/openapi_headers.ts";
import { DEFAULT_LOCALE, type Locale, LOCALES } from "../schemas/site_data.ts";
import { lazy } from "../lib/lazy.ts";
import { feedOf, withDays } from "./feed.ts";
import type { PageSource } from "./files.ts";
import { documentOf } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import { type Catalogue, type Page, type PageText, readPage } from "./page.ts";
import { markdownOf, textOf } from "./page_text.ts";
import type { SiteFacts } from "./placeholders.ts";
import { PageError } from "./source_problem.ts";
import {
  CONTACT_PAGE,
  isListed,
  isPage,
  localPaths,
  SENT_PAGE,
  TEST_PAGE,
  validAddresses,
} from "./urls.ts";

/** What the contact page shows: this form, or an empty one but for a plan. */
interface Shown {
  readonly form?: string | undefined;
  readonly plan?: string | undefined;
}

/**
 * Front matters and texts are read from the sources when they are asked for, and once: the first page of
 * a cold start needs the front matter of its own language and its own text.
 */
export class Site implements Catalogue {
  readonly paths: ReadonlySet<string>;
  readonly markdownPaths: ReadonlyMap<string, string>;
  readonly openApi: () => Promise<Json>;
  readonly #pages = new Map<string, Page>();
  readonly #texts = new Map<string, () => Promise<PageText>>();
  readonly #listed = new Map<Locale, readonly Page[]>();

  /**
   * @param sources by file
   * @param assets their names tell which pages have a picture
   */
  constructor(
    readonly facts: SiteFacts,
    readonly sources: ReadonlyMap<string, string>,
    readonly assets: readonly string[] = [],
  ) {
    const addresses = validAddresses([...sources.keys()]);
    this.paths = localPaths(addresses);
    this.markdownPaths = new Map(
      addresses.filter(isListed).map(({ path, markdownPath }) => [path, markdownPath]),
    );
    this.openApi = lazy(async () => (await import("../schemas/openapi.ts")).openApiDocument(facts));
  }

  static async read(
    { list, read }: PageSource,
    facts: SiteFacts,
    { names }: { readonly names: readonly string[] } = { names: [] },
  ): Promise<Site> {
    const files = (await list()).filter(isPage).toSorted();
    const sources = files.map(async (file) => [file, await read(file)] as const);
    return new Site(facts, new Map(await Promise.all(sources)), names);
  }

  /** @throws {PageError} if its front matter cannot be used */
  page(file: string): Page {
    const known = this.#pages.get(file);
    if (known !== undefined) return known;
    const text = this.sources.get(file);
    if (text === undefined) throw new Error("Cannot show a page: its source is gone");
    // Of a translation, the page in the default language.
    const twin = this.sources.get(file.replace(/^[^/]*/, DEFAULT_LOCALE));
    const page = readPage(text, { file, facts: this.facts, twin });
    this.#pages.set(file, page);
    this.#texts.set(file, lazy(() => textOf(page, this)));
    return page;
  }

  /** Reads pages, and collects the problems of those that cannot be read. */
  read(files: Iterable<string> = this.sources.keys()): { pages: Page[]; problems: PageError[] } {
    const pages: Page[] = [];
    const problems: PageError[] = [];
    for (const file of files) {
      try {
        pages.push(this.page(file));
      } catch (error) {
        if (!(error instanceof PageError)) throw error;
        problems.push(error);
      }
    }
    return { pages, problems };
  }

  pagesIn(locale: Locale): readonly Page[] {
    const files = this.sources.keys().filter((file) => file.startsWith(`${locale}/`));
    const pages = this.#listed.get(locale) ??
      this.read(files).pages.filter(isListed).toSorted(inReadingOrder);
    this.#listed.set(locale, pages);
    return pages;
  }

  get pages(): readonly Page[] {
    return LOCALES.flatMap((locale) => this.pagesIn(locale));
  }

  versionsOf(name: string | undefined): Page[] {
    const files = LOCALES.map((locale) => `${locale}/${name}.md`);
    return this.read(files.filter((file) => this.sources.has(file))).pages;
  }

  text({ file }: Pick<Page, "file">): Promise<PageText> {
    return this.#texts.get(file)!();
  }

  async html({ file, ...shown }: Pick<Page, "file"> & Shown): Promise<string> {
    const page = this.page(file);
    const { html } = await renderMarkdown((await this.text(page)).body, page.locale);
    const fragment = page.name === CONTACT_PAGE
      ? await this.#withForm(html, page, shown)
      : page.name === SENT_PAGE || page.name === TEST_PAGE
      ? html + (await import("./contact_form.ts")).CONTACT_SCRIPT
      : page.feedPath || page.date
      ? withDays(html, page)
      : html;
    const { tryPanel } = page.name === "docs" ? await import("./try_panel.ts") : {};
    const template = tryPanel?.(page.locale) ?? "";
    const listed = isListed(page) ? page : undefined;
    return documentOf({ ...page, site: this, page: listed, fragment, template });
  }

  markdown({ file }: Pick<Page, "file">): Promise<string> {
    return markdownOf(this.page(file), this);
  }

  feed({ file }: Pick<Page, "file">): Promise<string> {
    return feedOf(this.page(file), this);
  }

  /** Inserts the form before the first section. */
  async #withForm(html: string, { locale }: Page, { form, plan = "" }: Shown): Promise<string> {
    const { contactForm, formScript } = await import("./contact_form.ts");
    const at = Math.max(0, html.indexOf("<section"));
    return html.slice(0, at) + (form ?? contactForm(locale, { values: { plan } })) +
      formScript(locale) + html.slice(at);
  }
}

/** Home, then by `nav` and `footer`, the rest by name, but posts by day, newest first. */
function inReadingOrder(a: Page, b: Page): number {
  // `nav` has at most four digits.
  const rank = ({ name, nav, footer }: Page) =>
    name === "index" ? -Infinity : nav ?? (footer === undefined ? Infinity : 10_000 + footer);
  const [first, second] = [rank(a), rank(b)];
  if (first !== second) return first - second;
  const [day, other] = [a.date ?? "", b.date ?? ""]; // `localeCompare` would load `Intl`
  return day === other ? (a.name < b.name ? -1 : 1) : day > other ? -1 : 1;
}
