/**
 * @module Checks the sources of all pages as a whole and names every fault with file and line: a
 * missing twin, front matter, placeholders, headings, files that are no pages, links that lead
 * nowhere, and links that leave the language of their page.
 *
 * For tests and authors; serving does not need it. Looks at no address outside this site.
 */

import type { SiteFacts } from "./facts.ts";
import { findLinks, isSafeLink, isSitePath } from "./links.ts";
import { type RenderedMarkdown, renderMarkdown } from "./markdown.ts";
import { type Page, readPage } from "./page.ts";
import { PageFault, placeOf } from "./page_fault.ts";
import { addressOf, LOCALES } from "./page_path.ts";
import type { PageSource } from "./site.ts";

/** Search engines and graders want a description that says something and is not cut. */
const DESCRIPTION_LENGTH = { least: 50, most: 200 };

/** What {@link checkSite} compares the sources with. */
export interface SiteCheck {
  readonly facts: SiteFacts;
  /** Paths that are no pages but may be linked: the API, discovery documents, assets. */
  readonly knownPaths: readonly string[];
}

interface CheckedPage extends Page {
  readonly rendered: RenderedMarkdown;
}

/** All that a fault of one page may depend on. */
interface Surroundings {
  readonly pages: readonly CheckedPage[];
  /** The page at each path, its markdown's included. */
  readonly byPath: ReadonlyMap<string, CheckedPage>;
  /** The paths of pages that cannot be read: links to them are no faults. */
  readonly unreadable: ReadonlySet<string>;
  readonly knownPaths: ReadonlySet<string>;
}

/**
 * Finds every fault of the site's sources; none for a sound site. What a file says comes first, in
 * the order of the files, then how they fit together. Each fault is `FILE:LINE: what is wrong`.
 */
export async function checkSite(
  source: PageSource,
  { facts, knownPaths }: SiteCheck,
): Promise<string[]> {
  const all = (await source.list()).toSorted();
  const files = all.filter((file) => file.endsWith(".md"));
  const faults = all.filter((file) => !files.includes(file)).map((file) =>
    placeOf(file, { line: 1, state: "this is no page: its name does not end in `.md`" })
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
  const surroundings: Surroundings = {
    pages,
    byPath: new Map(pages.flatMap((page) => pathsOf(page.file).map((path) => [path, page]))),
    unreadable,
    knownPaths: new Set(knownPaths),
  };
  for (const page of pages) {
    const twins = LOCALES.map((locale) => `${locale}/${page.name}.md`);
    const missing = twins.filter((file) => !files.includes(file));
    faults.push(
      ...missing.map((file) => placeOf(page.file, { line: 1, state: `${file} is missing` })),
      ...faultsOfPath(page, surroundings),
      ...faultsOfText(page),
      ...faultsOfLinks(page, surroundings),
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

/** A path belongs to one page, and an API or discovery path to none: routing would hide the page. */
function faultsOfPath({ file, path }: Page, { pages, knownPaths }: Surroundings): string[] {
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
  const { least, most } = DESCRIPTION_LENGTH;
  if (description.length < least || description.length > most) {
    const state = `\`description\` has not ${least} to ${most} characters`;
    faults.push(placeOf(file, { line: 1, state }));
  }
  const main = rendered.headings.filter(({ depth }) => depth === 1).length;
  if (main !== 1 || !body.startsWith("# ")) {
    const state = "the text does not begin with its one and only level-1 heading";
    faults.push(placeOf(file, { line: lines[0]!, state }));
  }
  return faults;
}

function faultsOfLinks(page: CheckedPage, surroundings: Surroundings): string[] {
  const { file, body, lines, rendered } = page;
  const found = findLinks(body);
  const faults = found.flatMap(({ href, line }) => {
    const state = faultOfLink(href, { page, surroundings });
    return state === undefined ? [] : [placeOf(file, { line: lines[line - 1]!, state })];
  });
  const known = new Set(found.map(({ href }) => href));
  // What only the renderer takes for a link would stay relative in the markdown.
  const unseen = rendered.hrefs
    .filter((href) => !/^(?:https?|mailto):/i.test(href) && !known.has(href));
  return [
    ...faults,
    ...unseen.map((href) => {
      const state = `the link to ${href} is not in the form [text](${href}) on one line`;
      return placeOf(file, { line: lines[0]!, state });
    }),
  ];
}

function faultOfLink(
  href: string,
  { page, surroundings }: { readonly page: CheckedPage; readonly surroundings: Surroundings },
): string | undefined {
  const { pages, byPath, unreadable, knownPaths } = surroundings;
  if (!isSafeLink(href)) {
    return `a link is neither a path from /, a #fragment, http, https nor mailto: ${href}`;
  }
  if (!isSitePath(href) && !href.startsWith("#")) return undefined;
  const [, path = "", fragment] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(href) ?? [];
  if (unreadable.has(path)) return undefined;
  const target = path === "" ? page : byPath.get(path);
  if (target === undefined && !knownPaths.has(path)) return `the link leads nowhere: ${href}`;
  if (fragment !== undefined && !target?.rendered.headings.some(({ id }) => id === fragment)) {
    return `the link leads to a heading that does not exist: ${href}`;
  }
  // A link to the page's own twin is meant: it switches the language.
  if (target === undefined || target.locale === page.locale || target.name === page.name) {
    return undefined;
  }
  const twin = pages.find(({ name, locale }) => name === target.name && locale === page.locale);
  if (twin === undefined) return undefined; // a fault of its own
  const here = path === target.path ? twin.path : twin.markdownPath;
  return `the link leads to another language: ${path}; here it is ${here}`;
}
