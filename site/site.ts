/** @module Renders the pages, on each call: the routes keep the results as prebuilt answers. */

import { feedOf, withDays } from "./feed.ts";
import { documentOf } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import { type Catalogue, markdownOf, type Page, readPages } from "./page.ts";
import type { PageSource } from "./files.ts";
import { LOCALES } from "../schemas/site_data.ts";
import { CONTACT_PAGE, isListed, SENT_PAGE } from "./urls.ts";
import type { SiteFacts } from "./placeholders.ts";

export class Site implements Catalogue {
  readonly pages: readonly Page[];
  readonly #all: readonly Page[];

  constructor(
    readonly facts: SiteFacts,
    pages: readonly Page[],
    readonly assets: readonly string[],
  ) {
    this.#all = pages;
    this.pages = pages.filter(isListed).toSorted(inReadingOrder);
  }

  /**
   * Reads all sources.
   *
   * @param assets their names tell which pages have a picture
   * @throws {PageError} if a page cannot be read
   */
  static async read(
    source: PageSource,
    facts: SiteFacts,
    { names }: { readonly names: readonly string[] } = { names: [] },
  ): Promise<Site> {
    const { pages, problems: [problem] } = await readPages(source, { facts });
    if (problem !== undefined) throw problem;
    return new Site(facts, pages, names);
  }

  /** The contact page includes its form: the one that is given, or an empty one but for a plan. */
  async html(
    { file, ...shown }: Pick<Page, "file"> & {
      readonly form?: string | undefined;
      readonly plan?: string | undefined;
    },
  ): Promise<string> {
    const page = this.#page(file);
    const { html } = await renderMarkdown(page.body);
    const fragment = page.name === CONTACT_PAGE
      ? await this.#withForm(html, { locale: page.locale, ...shown })
      : page.feedPath || page.date
      ? withDays(html, page)
      : html;
    const { tryPanel } = page.name === "docs" ? await import("./try_panel.ts") : {};
    const template = tryPanel?.(page.locale) ?? "";
    const listed = isListed(page) ? page : undefined;
    return documentOf({ ...page, site: this, page: listed, fragment, template });
  }

  markdown({ file }: Pick<Page, "file">): string {
    return markdownOf(this.#page(file), this);
  }

  async feed({ file }: Pick<Page, "file">): Promise<string> {
    return await feedOf(this.#page(file), this);
  }

  /**
   * Inserts form and thanks, which the script shows, before the first section; loads the schemas,
   * which few other pages need.
   */
  async #withForm(
    text: string,
    { locale, plan = "", form }: Pick<Page, "locale"> & {
      readonly form?: string | undefined;
      readonly plan?: string | undefined;
    },
  ): Promise<string> {
    const { contactForm, formScript } = await import("./contact_form.ts");
    const sent = this.#all.find((page) => page.name === SENT_PAGE && page.locale === locale);
    const { html } = await renderMarkdown((sent?.body ?? "").replace(/^#/gm, "##"));
    // The page may have headings with the same ids.
    const thanks = html.replace(/ (id|aria-labelledby)="[^"]*"/g, "");
    const at = Math.max(0, text.indexOf("<section"));
    form ??= contactForm(locale, { values: { plan } });
    return `${text.slice(0, at)}${form}${formScript(locale)}` +
      `<template id="contact_sent" data-markdown-ignore>\n${thanks}</template>\n${text.slice(at)}`;
  }

  #page(file: string): Page {
    const page = this.#all.find((one) => one.file === file);
    if (page === undefined) throw new Error("Cannot show a page: its source is gone");
    return page;
  }
}

/** Sorts by language, then home, `nav`, `footer`, the rest by name, but posts by day, newest first. */
function inReadingOrder(a: Page, b: Page): number {
  // `nav` has at most four digits.
  const rank = ({ name, nav, footer }: Page) =>
    name === "index" ? -Infinity : nav ?? (footer === undefined ? Infinity : 10_000 + footer);
  const [first, second] = [rank(a), rank(b)];
  return LOCALES.indexOf(a.locale) - LOCALES.indexOf(b.locale) ||
    (first === second ? 0 : first - second) ||
    (b.date ?? "").localeCompare(a.date ?? "") || (a.name < b.name ? -1 : 1);
}
