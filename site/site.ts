/** @module Renders the pages, on each call: the routes keep the results as prebuilt answers. */

import { documentOf } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import {
  type Catalogue,
  markdownOf,
  type Page,
  type PageSource,
  portableBody,
  readPages,
} from "./page.ts";
import {
  CONTACT_PAGE,
  homePath,
  indexPath,
  type Locale,
  localePrefix,
  LOCALES,
} from "./page_path.ts";
import type { SiteFacts } from "./placeholders.ts";
import { fill, WORDS } from "./words.ts";

export class Site implements Catalogue {
  constructor(
    readonly facts: SiteFacts,
    readonly pages: readonly Page[],
    readonly assets: readonly string[],
  ) {}

  /**
   * Reads all sources.
   *
   * @param assets their names tell which pages have a picture
   * @throws {PageFault} if a page cannot be read
   */
  static async read(
    source: PageSource,
    facts: SiteFacts,
    { names }: { readonly names: readonly string[] } = { names: [] },
  ): Promise<Site> {
    const { pages, faults: [fault] } = await readPages(source, { facts });
    if (fault !== undefined) throw fault;
    return new Site(facts, pages.sort(inReadingOrder), names);
  }

  /** The contact page includes its empty form. */
  async html({ file }: Pick<Page, "file">): Promise<string> {
    const page = this.#page(file);
    const { html } = await renderMarkdown(page.body);
    const fragment = page.name === CONTACT_PAGE ? await withForm(html, page.locale) : html;
    return documentOf({ ...page, site: this, page, fragment });
  }

  markdown({ file }: Pick<Page, "file">): string {
    return markdownOf(this.#page(file), this);
  }

  /** The page of thanks after the contact form, in HTML. */
  async sent(locale: Locale): Promise<string> {
    const { title, text, home } = WORDS[locale].form.sent;
    const body = `# ${title}\n\n${text}\n\n[${home}](${homePath(locale)})\n`;
    return await this.#notice(locale, { title, description: title, body });
  }

  async notFound(locale: Locale): Promise<{ readonly html: string; readonly markdown: string }> {
    const { body: text, ...notice } = WORDS[locale].notFound;
    const home = homePath(locale);
    const docs = `${localePrefix(locale)}/docs`;
    const body = fill(text, { home, docs, index: indexPath(locale) });
    return {
      html: await this.#notice(locale, { ...notice, body }),
      markdown: portableBody({ body, markdownPath: home }, this),
    };
  }

  #page(file: string): Page {
    const page = this.pages.find((one) => one.file === file);
    if (page === undefined) throw new Error("Cannot show a page: its source is gone");
    return page;
  }

  /** Renders a short document that is not a page of the site. */
  async #notice(
    locale: Locale,
    { body, ...words }: Record<"title" | "description" | "body", string>,
  ): Promise<string> {
    const { html: fragment } = await renderMarkdown(body);
    const layout = "landing";
    return documentOf({ ...words, site: this, page: undefined, locale, fragment, layout });
  }
}

/** Inserts the form before the first section; loads the schemas, which few other pages need. */
async function withForm(text: string, locale: Locale): Promise<string> {
  const { contactForm } = await import("./contact_form.ts");
  const at = Math.max(0, text.indexOf("<section"));
  return text.slice(0, at) + contactForm(locale) + text.slice(at);
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
