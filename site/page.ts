/** @module Reads pages from their sources and renders their markdown representation. */

import type { PageSource } from "./files.ts";
import { type FrontMatter, splitFrontMatter } from "./front_matter.ts";
import { languageName } from "./language.ts";
import { isSitePath, rewriteLinks, withoutCode, withoutDecoration } from "./links.ts";
import { PageError, type SourceProblem } from "./source_problem.ts";
import { DEFAULT_LOCALE } from "../schemas/site_data.ts";
import {
  addressOf,
  isFolderIndex,
  isListed,
  isPage,
  listsPosts,
  localisedPath,
  localPaths,
  type PageAddress,
  pathsIn,
} from "./urls.ts";
import {
  conditionsOf,
  escapeMarkdown,
  fillPlaceholders,
  keptLines,
  placeholderValues,
  type SiteFacts,
  withPassages,
} from "./placeholders.ts";
import { ERROR_CODES } from "../schemas/error_codes.ts";
import { wordsOf } from "../schemas/words.ts";

/** A page with its placeholders filled in, not yet rendered. */
export interface Page extends PageAddress, FrontMatter {
  readonly label: string;
  /** Markdown; links to pages lead to their versions in this language. */
  readonly body: string;
  /** Source line of each line of the body, counted from 1: a placeholder may expand to several. */
  readonly lines: readonly number[];
  /** Source line of each member of the front matter. */
  readonly memberLines: Readonly<Record<string, number>>;
  /** Those with which the page can be served, such as texts that its language lacks. */
  readonly problems: readonly SourceProblem[];
}

/** All pages, by language and then in reading order, and the settings that they mention. */
export interface Catalogue {
  readonly facts: SiteFacts;
  /** Names of assets, among them the pictures of pages. */
  readonly assets: readonly string[];
  readonly pages: readonly Page[];
}

/** Stands in for the texts of `api_reference.ts`, which loads the schemas. */
const NO_API_TEXTS = Object.fromEntries(
  ["api_reference", "optional_fields", ...Object.keys(ERROR_CODES).map((code) => `error_${code}`)]
    .map((name) => [name, ""]),
);

export interface Reading {
  readonly facts: SiteFacts;
  /** False leaves out the API reference, its problems and the bodies of errors. */
  readonly withReference?: boolean;
}

/** Reads all pages, sorted by file; the problems are those of pages that cannot be read. */
export async function readPages(
  source: PageSource,
  reading: Reading,
): Promise<{ readonly pages: Page[]; readonly problems: PageError[] }> {
  const files = (await source.list()).filter(isPage).toSorted();
  const texts = new Map(
    await Promise.all(files.map(async (file) => [file, await textOf(source, file)] as const)),
  );
  const paths = localPaths(files);
  async function read(file: string, posts: readonly Page[] = []): Promise<Page | PageError> {
    const text = texts.get(file)!;
    if (text instanceof PageError) return text;
    // Of a translation, the page in the default language.
    const other = texts.get(file.replace(/^[^/]*/, DEFAULT_LOCALE));
    const twin = typeof other === "string" ? other : undefined;
    return await readPage(text, { ...reading, file, twin, paths, posts }).catch((error) => {
      if (error instanceof PageError) return error;
      throw error;
    });
  }
  // The index of a folder lists the pages in it.
  const { index = [], other = [] } = Object.groupBy(
    files,
    (file) => isFolderIndex(file) ? "index" : "other",
  );
  const pages = await Promise.all(other.map((file) => read(file)));
  const posts = pages.flatMap((one) => one instanceof PageError ? [] : [one]);
  const all = [...pages, ...await Promise.all(index.map((file) => read(file, posts)))]
    .toSorted((a, b) => a.file < b.file ? -1 : 1);
  return {
    pages: all.flatMap((one) => one instanceof PageError ? [] : [one]),
    problems: all.filter((one) => one instanceof PageError),
  };
}

/** The pages in the folder of this index, newest first, as sections with the headings of the changelog. */
function postsText({ locale, name }: PageAddress, pages: readonly Page[]): string {
  const folder = name.slice(0, -"index".length);
  return pages.filter((page) => page.locale === locale && page.name.startsWith(folder))
    .map(({ date, updated, ...page }) => ({ ...page, day: date ?? updated }))
    .toSorted((a, b) => a.day === b.day ? 0 : a.day < b.day ? 1 : -1)
    .map(({ day, title, path, description }) =>
      `## ${day}: [${escapeMarkdown(title)}](${path})\n\n${escapeMarkdown(description)}`
    ).join("\n\n");
}

/** The problem if the file is a folder, a link to nothing, or may not be read. */
function textOf(source: PageSource, file: string): Promise<string | PageError> {
  return source.read(file).catch(({ message }: Error) => {
    const reason = message.replace(/: readfile .*$/s, ""); // the path on this machine
    return new PageError(file, { line: 1, state: `the file cannot be read: ${reason}` });
  });
}

/**
 * @param reading.twin the source of the same page in another language, whose front matter stands in
 * @param reading.paths the paths that differ by language, see {@link localPaths}
 * @param reading.posts the pages of the site, if this is the index of a folder
 * @throws {PageError} naming every problem of the front matter, or else every unknown placeholder
 */
export async function readPage(
  text: string,
  { file, facts, withReference = true, twin, paths = new Set(), posts = [] }: Reading & {
    readonly file: string;
    readonly twin?: string | undefined;
    readonly paths?: ReadonlySet<string>;
    readonly posts?: readonly Page[];
  },
): Promise<Page> {
  const address = addressOf(file);
  const { frontMatter, lines, body, bodyLine, ...split } = await splitFrontMatter(text, file, twin);
  const gaps = [...split.problems];
  // What the decoder puts in place of bytes that are not UTF-8.
  const broken = text.split("\n").findIndex((line) => line.includes("\uFFFD")) + 1;
  if (broken > 0) gaps.push({ line: broken, state: "these bytes are not UTF-8: save it as UTF-8" });
  const hasReference = withReference && /\{\{\s*(?:api_reference|error_\w+)\s*\}\}/.test(body);
  const hasFields = withReference && /\{\{\s*optional_fields\s*\}\}/.test(body);
  /** Loads the schemas, which only pages with the reference need. */
  async function texts(): Promise<Record<string, string>> {
    const { apiTexts } = await import("./api_reference.ts");
    const { openApiDocument } = await import("../schemas/openapi.ts");
    // The page with the reference alone names texts to translate.
    const problems = /\{\{\s*api_reference/.test(body) ? gaps : [];
    return apiTexts(openApiDocument(facts), { ...address, line: bodyLine, problems });
  }
  async function optionalFields(): Promise<string> {
    return (await import("../schemas/lead_words.ts")).optionalFields(address.locale);
  }
  const values = {
    ...placeholderValues(facts, address.locale),
    ...NO_API_TEXTS,
    ...(hasReference && await texts()),
    ...(hasFields && { optional_fields: await optionalFields() }),
    ...(isFolderIndex(file) && { posts: postsText(address, posts) }),
  };
  const problems: SourceProblem[] = [];
  const conditions = conditionsOf(facts.brand);
  const fill = (part: string, line = 1, prose?: string) =>
    fillPlaceholders(withPassages(part, conditions) ?? "", { values, line, problems, prose });
  const title = fill(frontMatter.title, lines["title"]);
  const { label } = frontMatter;
  const kept = keptLines(body, conditions);
  const prose = withoutCode(kept.map(({ text }) => text).join("\n")).split("\n");
  const filled = kept.map(({ text, at }, n) => fill(text, bodyLine + at, prose[n]));
  const localise = (href: string) =>
    href.replace(/^\/[^?#]*/, (path) => localisedPath(path, { ...address, paths }));
  const page = {
    ...address,
    ...(isFolderIndex(file) && !listsPosts(body) && { feedPath: undefined }),
    ...frontMatter,
    title,
    label: label === undefined ? title : fill(label, lines["label"]),
    description: fill(frontMatter.description, lines["description"]),
    body: rewriteLinks(filled.join("\n"), localise),
    lines: filled.flatMap((text, n) => text.split("\n").map(() => bodyLine + kept[n]!.at)),
    memberLines: lines,
    problems: gaps,
  };
  if (problems.length > 0) throw new PageError(file, ...problems);
  return page;
}

export function versionsOf(name: string | undefined, { pages }: Catalogue): Page[] {
  return pages.filter((page) => page.name === name);
}

/** Renders the markdown representation: front matter, links to index and translations, text. */
export function markdownOf(page: Page, catalogue: Catalogue): string {
  if (!isListed(page)) return portableBody(page, catalogue);
  const { siteUrl } = catalogue.facts;
  const words = wordsOf(page.locale).frame;
  const index = `${words.indexForAgents}: [llms.txt](${siteUrl}${pathsIn(page.locale).llms})`;
  const others = versionsOf(page.name, catalogue).filter(({ locale }) => locale !== page.locale)
    .map(({ locale, title, markdownPath }) =>
      `${languageName(locale, locale)}: [${escapeMarkdown(title)}](${siteUrl}${markdownPath})`
    );
  return [
    "---",
    // A JSON string is a YAML double-quoted scalar.
    `title: ${JSON.stringify(page.title)}`,
    `description: ${JSON.stringify(page.description)}`,
    `url: ${JSON.stringify(siteUrl + page.path)}`,
    `language: ${page.locale}`,
    ...(page.date === undefined ? [] : [`published: ${JSON.stringify(page.date)}`]),
    `last_updated: ${JSON.stringify(page.updated)}`,
    "---",
    "",
    `> ${[index, ...others].join(" · ")}`,
    "",
    portableBody(page, catalogue),
  ].join("\n");
}

/**
 * Returns the text without decoration, with absolute links, to the markdown of pages; ends with one line
 * feed.
 */
export function portableBody(
  { body, markdownPath }: Pick<Page, "body" | "markdownPath">,
  { facts: { siteUrl }, pages }: Catalogue,
): string {
  const absolute = rewriteLinks(withoutDecoration(body), (href) => {
    if (href.startsWith("#")) return siteUrl + markdownPath + href;
    if (!isSitePath(href)) return href;
    const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
    return siteUrl + (pages.find((page) => page.path === path)?.markdownPath ?? path) + rest;
  });
  return `${absolute.trimEnd()}\n`;
}
