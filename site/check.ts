/**
 * @module Checks all page sources and reports each fault with file and line: missing translations,
 * front matter, placeholders, headings, other files, dead links and links into another language.
 *
 * For authors and tests; serving does not need it. Does not check external links.
 */

import type { SiteFacts } from "./facts.ts";
import { findLinks, isSafeLink, isSitePath } from "./links.ts";
import { type RenderedMarkdown, renderMarkdown } from "./markdown.ts";
import { type Page, readPage } from "./page.ts";
import { PageFault, placeOf } from "./page_fault.ts";
import { addressOf, LOCALES } from "./page_path.ts";
import type { PageSource } from "./site.ts";

/** Search engines and graders want a meaningful description, and truncate a long one. */
const DESCRIPTION_LENGTH = { min: 50, max: 200 };

/** What {@link checkSite} compares the sources with. */
export interface SiteCheck {
  readonly facts: SiteFacts;
  /** Other paths that may be linked: the API, discovery documents, assets. */
  readonly knownPaths: readonly string[];
}

interface CheckedPage extends Page {
  readonly rendered: RenderedMarkdown;
}

/** The whole site, as the check of one page needs it. */
interface CheckContext {
  readonly pages: readonly CheckedPage[];
  /** By the paths of the page and of its markdown. */
  readonly byPath: ReadonlyMap<string, CheckedPage>;
  /** Paths of pages that cannot be read: links to them are not reported. */
  readonly unreadable: ReadonlySet<string>;
  readonly knownPaths: ReadonlySet<string>;
}

/**
 * Finds the faults of all sources, each as `FILE:LINE: what is wrong`: first those of single files,
 * then those between files.
 */
export async function checkSite(
  source: PageSource,
  { facts, knownPaths }: SiteCheck,
): Promise<string[]> {
  const all = (await source.list()).toSorted();
  const files = all.filter((file) => file.endsWith(".md"));
  const faults = all.filter((file) => !files.includes(file)).map((file) =>
    placeOf(file, { line: 1, state: "not a page: the name does not end in `.md`" })
  );
  const pages: CheckedPage[] = [];
  const unreadable = new Set<string>();
  for (const file of files) {
    try {
      const page = await readPage(await source.read(file), { file, facts });
      pages.push({ ...page, rendered: await renderMarkdown(page.body) });
    } catch (error) {
      if (!(error instanceof PageFault)) throw error;
      faults.push(...error.places);
      for (const path of pathsOf(file)) unreadable.add(path);
    }
  }
  const context: CheckContext = {
    pages,
    byPath: new Map(pages.flatMap((page) => pathsOf(page.file).map((path) => [path, page]))),
    unreadable,
    knownPaths: new Set(knownPaths),
  };
  for (const page of pages) {
    const translations = LOCALES.map((locale) => `${locale}/${page.name}.md`);
    const missing = translations.filter((file) => !files.includes(file));
    faults.push(
      ...missing.map((file) => placeOf(page.file, { line: 1, state: `${file} is missing` })),
      ...faultsOfPath(page, context),
      ...faultsOfText(page),
      ...faultsOfLinks(page, context),
    );
  }
  return faults;
}

function pathsOf(file: string): string[] {
  try {
    const { path, markdownPath, markdownAliases } = addressOf(file);
    return [path, markdownPath, ...markdownAliases];
  } catch {
    return [];
  }
}

/** No two pages may have the same path, nor a page that of another route, which would hide it. */
function faultsOfPath({ file, path }: Page, { pages, knownPaths }: CheckContext): string[] {
  const others = pages.filter((page) => page.path === path && page.file !== file);
  const owners = [
    ...others.map((page) => page.file),
    ...knownPaths.has(path) ? ["another route"] : [],
  ];
  return owners.map((owner) =>
    placeOf(file, { line: 1, state: `${path} already belongs to ${owner}` })
  );
}

function faultsOfText({ file, description, body, lines, rendered }: CheckedPage): string[] {
  const faults: string[] = [];
  const { min, max } = DESCRIPTION_LENGTH;
  if (description.length < min || description.length > max) {
    const state = `\`description\` must have ${min} to ${max} characters`;
    faults.push(placeOf(file, { line: 1, state }));
  }
  const main = rendered.headings.filter(({ depth }) => depth === 1).length;
  if (main !== 1 || !body.startsWith("# ")) {
    const state = "the text must begin with its only level-1 heading";
    faults.push(placeOf(file, { line: lines[0]!, state }));
  }
  return faults;
}

function faultsOfLinks(page: CheckedPage, context: CheckContext): string[] {
  const { file, body, lines, rendered } = page;
  const found = findLinks(body);
  const faults = found.flatMap(({ href, line }) => {
    const state = faultOfLink(href, { page, context });
    return state === undefined ? [] : [placeOf(file, { line: lines[line - 1]!, state })];
  });
  const known = new Set(found.map(({ href }) => href));
  // Links that only the renderer recognises would stay relative in the markdown.
  const unseen = rendered.hrefs
    .filter((href) => !/^(?:https?|mailto):/i.test(href) && !known.has(href));
  return [
    ...faults,
    ...unseen.map((href) => {
      const state = `the link to ${href} must be written as [text](${href}) on one line`;
      return placeOf(file, { line: lines[0]!, state });
    }),
  ];
}

function faultOfLink(
  href: string,
  { page, context }: { readonly page: CheckedPage; readonly context: CheckContext },
): string | undefined {
  const { pages, byPath, unreadable, knownPaths } = context;
  if (!isSafeLink(href)) {
    return `a link must be a path from /, a #fragment, http, https or mailto: ${href}`;
  }
  if (!isSitePath(href) && !href.startsWith("#")) return undefined;
  const [, path = "", fragment] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(href) ?? [];
  if (unreadable.has(path)) return undefined;
  const target = path === "" ? page : byPath.get(path);
  if (target === undefined && !knownPaths.has(path)) return `dead link: ${href}`;
  if (fragment !== undefined && !target?.rendered.headings.some(({ id }) => id === fragment)) {
    return `link to a missing heading: ${href}`;
  }
  // A link to a translation of the page itself is intended: it switches the language.
  if (target === undefined || target.locale === page.locale || target.name === page.name) {
    return undefined;
  }
  const own = pages.find(({ name, locale }) => name === target.name && locale === page.locale);
  if (own === undefined) return undefined; // reported as a missing translation
  const expected = path === target.path ? own.path : own.markdownPath;
  return `link into another language: ${path} instead of ${expected}`;
}
