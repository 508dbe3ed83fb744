/**
 * @module Checks the sources of all pages as a whole and names every fault with file and line: a
 * missing twin, front matter, placeholders, headings, and links that lead nowhere.
 *
 * For tests and authors; serving does not need it. Looks at no address outside this site.
 */

import type { SiteFacts } from "./facts.ts";
import { findLinks, isSafeLink, isSitePath } from "./links.ts";
import { type RenderedMarkdown, renderMarkdown } from "./markdown.ts";
import { type Page, readPage } from "./page.ts";
import { PageFault } from "./page_fault.ts";
import { LOCALES } from "./page_path.ts";
import type { PageSource } from "./site.ts";

/** Search engines and graders want a description that says something and is not cut. */
const DESCRIPTION_LENGTH = { least: 50, most: 200 };

/** What {@link checkSite} holds the sources against. */
export interface SiteCheck {
  readonly facts: SiteFacts;
  /** Paths that are no pages but may be linked: the API, discovery documents, assets. */
  readonly knownPaths: readonly string[];
}

interface CheckedPage {
  readonly page: Page;
  readonly rendered: RenderedMarkdown;
}

/** Finds every fault of the site's sources; none for a sound site. In the order of the files. */
export async function checkSite(
  source: PageSource,
  { facts, knownPaths }: SiteCheck,
): Promise<string[]> {
  const files = (await source.list()).filter((file) => file.endsWith(".md")).toSorted();
  const faults: PageFault[] = [];
  const checked: CheckedPage[] = [];
  for (const file of files) {
    try {
      const page = readPage(await source.read(file), { file, facts });
      checked.push({ page, rendered: await renderMarkdown(page.body) });
    } catch (error) {
      if (!(error instanceof PageFault)) throw error;
      faults.push(error);
    }
  }
  const targets = targetsOf(checked, knownPaths);
  for (const each of checked) {
    faults.push(
      ...faultsOfTwins(each.page, files),
      ...faultsOfPath(each.page, { checked, knownPaths }),
      ...faultsOfText(each),
      ...faultsOfLinks(each, targets),
    );
  }
  return faults.map((fault) => fault.message);
}

/** Every path that a link may name, with the fragments that exist there. */
function targetsOf(
  checked: readonly CheckedPage[],
  knownPaths: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const targets = new Map<string, ReadonlySet<string>>();
  for (const path of knownPaths) targets.set(path, new Set());
  for (const { page, rendered } of checked) {
    const ids = new Set(rendered.headings.map(({ id }) => id));
    for (const path of [page.path, page.markdownPath, page.markdownAlias]) {
      if (path !== undefined) targets.set(path, ids);
    }
  }
  return targets;
}

function faultsOfTwins({ file, locale, name }: Page, files: readonly string[]): PageFault[] {
  return LOCALES.filter((other) => other !== locale && !files.includes(`${other}/${name}.md`))
    .map((other) => new PageFault(file, { line: 1, state: `${other}/${name}.md is missing` }));
}

/** A path belongs to one page, and an API or discovery path to none: there, routing never gets. */
function faultsOfPath(
  { file, path }: Page,
  { checked, knownPaths }: {
    readonly checked: readonly CheckedPage[];
    readonly knownPaths: readonly string[];
  },
): PageFault[] {
  const others = checked.filter(({ page }) => page.path === path && page.file !== file)
    .map(({ page }) => page.file);
  const holders = [...others, ...knownPaths.includes(path) ? ["another route"] : []];
  return holders.map((holder) =>
    new PageFault(file, { line: 1, state: `${path} already belongs to ${holder}` })
  );
}

function faultsOfText({ page, rendered }: CheckedPage): PageFault[] {
  const { file, description, body, bodyLine } = page;
  const faults: PageFault[] = [];
  const { least, most } = DESCRIPTION_LENGTH;
  if (description.length < least || description.length > most) {
    const state = `\`description\` has not ${least} to ${most} characters`;
    faults.push(new PageFault(file, { line: 1, state }));
  }
  const main = rendered.headings.filter(({ depth }) => depth === 1).length;
  if (main !== 1 || !body.startsWith("# ")) {
    const state = "the text does not begin with its one and only level-1 heading";
    faults.push(new PageFault(file, { line: bodyLine, state }));
  }
  return faults;
}

function faultsOfLinks(
  { page, rendered }: CheckedPage,
  targets: ReadonlyMap<string, ReadonlySet<string>>,
): PageFault[] {
  const { file, body, bodyLine } = page;
  const found = findLinks(body);
  const faults = found.flatMap(({ href, line }) => {
    const state = faultOfLink(href, { page, targets });
    return state === undefined ? [] : [new PageFault(file, { line: bodyLine + line - 1, state })];
  });
  const known = new Set(found.map(({ href }) => href));
  // What only the renderer takes for a link would stay relative in the markdown.
  const unseen = rendered.hrefs.filter((href) => !/^(?:https?|mailto):/i.test(href))
    .filter((href) => !known.has(href));
  return [
    ...faults,
    ...unseen.map((href) =>
      new PageFault(file, {
        line: bodyLine,
        state: `the link to ${href} is not in the form [text](${href}) on one line`,
      })
    ),
  ];
}

function faultOfLink(
  href: string,
  { page, targets }: {
    readonly page: Page;
    readonly targets: ReadonlyMap<string, ReadonlySet<string>>;
  },
): string | undefined {
  if (!isSafeLink(href)) {
    return `a link is neither a path from /, a #fragment, http, https nor mailto: ${href}`;
  }
  if (!isSitePath(href) && !href.startsWith("#")) return undefined;
  const [, path = "", fragment] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(href) ?? [];
  const ids = targets.get(path === "" ? page.path : path);
  if (ids === undefined) return `the link leads nowhere: ${href}`;
  if (fragment !== undefined && !ids.has(fragment)) {
    return `the link leads to a heading that does not exist: ${href}`;
  }
  return undefined;
}
