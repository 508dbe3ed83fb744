/**
 * @module Checks all page sources and reports each fault with file and line: missing translations,
 * front matter, placeholders, headings, other files, dead links and links into another language.
 *
 * For authors and tests; serving does not need it. Does not check external links.
 */

import { documentTitle } from "./head.ts";
import { findLinks, isSafeLink, isSitePath } from "./links.ts";
import { type RenderedMarkdown, renderMarkdown } from "./markdown.ts";
import { type Page, type PageSource, readPages } from "./page.ts";
import { type PageFault, placeOf, type SourceFault } from "./page_fault.ts";
import { addressOf, contactPaths, LOCALES, pathsOf, REQUIRED_PAGES } from "./page_path.ts";
import type { SiteFacts } from "./placeholders.ts";
import { missingPages } from "./source_faults.ts";

/** Search engines and graders want a meaningful description, and truncate long texts. */
const LONGEST_TITLE = 70;
const DESCRIPTION_LENGTH = { min: 50, max: 200 };

type CheckedPage = Page & RenderedMarkdown;

interface CheckContext {
  readonly files: readonly string[];
  readonly pages: readonly CheckedPage[];
  /** Paths of pages that cannot be read: links to them are not reported. */
  readonly unreadable: readonly string[];
  /** Other paths that may be linked: the API, discovery documents, assets. */
  readonly knownPaths: readonly string[];
}

/**
 * The paths of the routes that are not pages.
 *
 * @param create makes the app with these pages
 */
export async function knownPathsOf(
  create: (pages: PageSource) => Promise<{ readonly routes: readonly { path: string }[] }>,
): Promise<string[]> {
  const { routes } = await create({
    list: () => Promise.resolve([]),
    read: () => Promise.reject(new Error("Cannot read a page: there is none")),
  });
  // These pages have a route of their own, which accepts the form.
  const forms = LOCALES.map((locale) => contactPaths(locale).form);
  return [...new Set(routes.map(({ path }) => path)).difference(new Set(["/*", ...forms]))];
}

/**
 * Finds the faults of all sources, each as `FILE:LINE: what is wrong`: first those of single files,
 * then those between files.
 */
export async function checkSite(
  source: PageSource,
  { facts, knownPaths }: Pick<CheckContext, "knownPaths"> & { readonly facts: SiteFacts },
): Promise<string[]> {
  const files = (await source.list()).toSorted();
  const { pages: read, faults } = await readPages(source, { facts });
  const pages = await Promise.all(
    read.map(async (page) => ({ ...page, ...await renderMarkdown(page.body) })),
  );
  const context = {
    files,
    pages,
    unreadable: faults.flatMap(pathsOfUnreadable),
    knownPaths: [...knownPaths, ...pages.flatMap(({ feedPath }) => feedPath ?? [])],
  };
  const state = "not a page: the name does not end in `.md`";
  return [
    ...missingPages(files),
    ...files.filter((file) => !file.endsWith(".md")).map((file) =>
      placeOf(file, { line: 1, state })
    ),
    ...faults.flatMap(({ places }) => places),
    ...pages.flatMap((page) =>
      [
        ...faultsOfPath(page, context),
        ...faultsOfText(page, facts),
        ...faultsOfLinks(page, context),
      ]
        .map((fault) => placeOf(page.file, fault))
    ),
  ];
}

function pathsOfUnreadable({ file }: PageFault): string[] {
  try {
    return pathsOf(addressOf(file));
  } catch {
    return []; // its name cannot be a URL
  }
}

/**
 * Every page needs its translations. No two pages may have the same path, nor a page that of
 * another route, which would hide it.
 */
function faultsOfPath(
  { file, name, path }: Page,
  { files, pages, knownPaths }: CheckContext,
): SourceFault[] {
  // Those of required pages are reported already.
  const missing = LOCALES.map((locale) => `${locale}/${name}.md`)
    .filter((translation) => !files.includes(translation) && !REQUIRED_PAGES.includes(name));
  const others = pages.filter((page) => page.path === path && page.file !== file);
  const owners = [
    ...others.map((page) => page.file),
    ...knownPaths.includes(path) ? ["another route"] : [],
  ];
  return [
    ...missing.map((translation) => ({ line: 1, state: `${translation} is missing` })),
    ...owners.map((owner) => ({ line: 1, state: `${path} already belongs to ${owner}` })),
  ];
}

function faultsOfText(
  { title, description, body, lines, headings }: CheckedPage,
  { siteName }: Pick<SiteFacts, "siteName">,
): SourceFault[] {
  const faults: SourceFault[] = [];
  const excess = documentTitle(title, siteName).length - LONGEST_TITLE;
  if (excess > 0) {
    const most = title.length - excess;
    faults.push({ line: 1, state: `\`title\` must have at most ${most} characters` });
  }
  const { min, max } = DESCRIPTION_LENGTH;
  if (description.length < min || description.length > max) {
    faults.push({ line: 1, state: `\`description\` must have ${min} to ${max} characters` });
  }
  const main = headings.filter(({ depth }) => depth === 1).length;
  if (main !== 1 || !body.startsWith("# ")) {
    const state = "the text must begin with its only level-1 heading";
    faults.push({ line: lines[0]!, state });
  }
  return faults;
}

function faultsOfLinks(page: CheckedPage, context: CheckContext): SourceFault[] {
  const { body, lines, hrefs } = page;
  const found = findLinks(body);
  const faults = found.flatMap(({ href, line }) => {
    const state = faultOfLink(href, { page, context });
    return state === undefined ? [] : [{ line: lines[line - 1]!, state }];
  });
  // Links that only the renderer recognises would stay relative in the markdown.
  const unseen = hrefs.filter((href) =>
    !/^(?:https?|mailto):/i.test(href) && !found.some((link) => link.href === href)
  );
  return [
    ...faults,
    ...unseen.map((href) => ({
      line: lines[0]!,
      state: `the link to ${href} must be written as [text](${href}) on one line`,
    })),
  ];
}

function faultOfLink(
  href: string,
  { page, context }: { readonly page: CheckedPage; readonly context: CheckContext },
): string | undefined {
  const { pages, unreadable, knownPaths } = context;
  if (!isSafeLink(href)) {
    return `a link must be a path from /, a #fragment, http, https or mailto: ${href}`;
  }
  if (!isSitePath(href) && !href.startsWith("#")) return undefined;
  const [, path = "", fragment] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(href) ?? [];
  if (unreadable.includes(path)) return undefined;
  const target = path === "" ? page : pages.find((other) => pathsOf(other).includes(path));
  if (target === undefined && !knownPaths.includes(path)) return `dead link: ${href}`;
  if (fragment !== undefined && !target?.headings.some(({ id }) => id === fragment)) {
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
