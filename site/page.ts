/** @module Reads a page from its source and renders its markdown representation. */

import type { SiteFacts } from "./facts.ts";
import { type Layout, splitFrontMatter } from "./front_matter.ts";
import { languageName } from "./language.ts";
import { isSitePath, rewriteLinks } from "./links.ts";
import { PageFault, type SourceFault } from "./page_fault.ts";
import { addressOf, indexPath, type PageAddress } from "./page_path.ts";
import { fillPlaceholders, placeholderValues } from "./placeholders.ts";
import { WORDS } from "./words.ts";

/** A page with its placeholders filled in, not yet rendered. */
export interface Page extends PageAddress {
  readonly title: string;
  readonly description: string;
  /** Date of the last change, `YYYY-MM-DD`. */
  readonly updated: string;
  readonly nav: number | undefined;
  readonly footer: number | undefined;
  /** Name in menus. */
  readonly label: string;
  readonly layout: Layout;
  /** Markdown with links as written. */
  readonly body: string;
  /** Source line of each line of the body, counted from 1: a placeholder may expand to several. */
  readonly lines: readonly number[];
}

/** The rest of the site, as a page's markdown needs it. */
export interface PageSurroundings {
  readonly siteUrl: string;
  readonly byPath: ReadonlyMap<string, Page>;
  /** The page in other languages. */
  readonly translations: readonly Page[];
}

/**
 * Reads a page from its source.
 *
 * @param options.reference renders the API reference, if the page includes it
 * @throws {PageFault} naming every fault of the front matter, or else every unknown placeholder
 */
export async function readPage(
  text: string,
  { file, facts, reference = apiReferenceOf }: {
    readonly file: string;
    readonly facts: SiteFacts;
    readonly reference?: typeof apiReferenceOf;
  },
): Promise<Page> {
  const address = addressOf(file);
  const { frontMatter, lines, body, bodyLine } = await splitFrontMatter(text, file);
  const values = {
    ...placeholderValues(facts, address.locale),
    api_reference: /\{\{\s*api_reference\s*\}\}/.test(body)
      ? await reference(facts, { ...address, line: bodyLine })
      : "",
  };
  const faults: SourceFault[] = [];
  const fill = (part: string, line = 1) => fillPlaceholders(part, { values, line, faults });
  const title = fill(frontMatter.title, lines["title"]);
  const { label } = frontMatter;
  const filled = body.split("\n").map((text, at) => fill(text, bodyLine + at));
  const page = {
    ...address,
    ...frontMatter,
    title,
    label: label === undefined ? title : fill(label, lines["label"]),
    description: fill(frontMatter.description, lines["description"]),
    body: filled.join("\n"),
    lines: filled.flatMap((text, at) => text.split("\n").map(() => bodyLine + at)),
  };
  if (faults.length > 0) throw new PageFault(file, ...faults);
  return page;
}

/** Loads the schemas, which only pages with the reference need. */
async function apiReferenceOf(
  facts: SiteFacts,
  { locale, file, line }: Pick<Page, "locale" | "file"> & { readonly line: number },
): Promise<string> {
  const [{ apiReference, Untranslated }, { openApiDocument }] = await Promise.all([
    import("./api_reference.ts"),
    import("../schemas/openapi.ts"),
  ]);
  try {
    return apiReference(openApiDocument(facts), locale);
  } catch (error) {
    if (!(error instanceof Untranslated)) throw error;
    throw new PageFault(file, { line, state: error.message });
  }
}

/** Renders the markdown representation: front matter, links to index and translations, text. */
export function markdownOf(page: Page, surroundings: PageSurroundings): string {
  const { siteUrl, translations } = surroundings;
  const words = WORDS[page.locale].frame;
  const index = `${words.indexForAgents}: [llms.txt](${siteUrl}${indexPath(page.locale)})`;
  const others = translations.map(({ locale, title, markdownPath }) =>
    `${languageName(locale, locale)}: [${title}](${siteUrl}${markdownPath})`
  );
  return [
    "---",
    // A JSON string is a YAML double-quoted scalar.
    `title: ${JSON.stringify(page.title)}`,
    `description: ${JSON.stringify(page.description)}`,
    `url: ${JSON.stringify(siteUrl + page.path)}`,
    `language: ${page.locale}`,
    `last_updated: ${JSON.stringify(page.updated)}`,
    "---",
    "",
    `> ${[index, ...others].join(" · ")}`,
    "",
    portableBody(page, surroundings),
  ].join("\n");
}

/** Returns the text with absolute links, to the markdown of pages; ends with one line feed. */
export function portableBody(
  page: Pick<Page, "body" | "markdownPath">,
  { siteUrl, byPath }: Pick<PageSurroundings, "siteUrl" | "byPath">,
): string {
  const absolute = rewriteLinks(page.body, (href) => {
    if (href.startsWith("#")) return siteUrl + page.markdownPath + href;
    if (!isSitePath(href)) return href;
    const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
    return siteUrl + (byPath.get(path)?.markdownPath ?? path) + rest;
  });
  return `${absolute.trimEnd()}\n`;
}
