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
import { PageFault } from "./page_fault.ts";
import { addressOf, LOCALES, type PageAddress } from "./page_path.ts";
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
  /** The line of the source that each line of the body is from, both counted from 1. */
  lineOf(line: number): number;
}

/** Every path that a link may name, with the fragments there; undefined where none can be told. */
type Targets = ReadonlyMap<string, ReadonlySet<string> | undefined>;

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
    new PageFault(file, { line: 1, state: "this is no page: its name does not end in `.md`" })
  );
  const checked: CheckedPage[] = [];
  for (const file of files) {
    try {
      const text = await source.read(file);
      const page = await readPage(text, { file, facts });
      const lines = await sourceLines(text, { page, facts });
      checked.push({
        page,
        rendered: await renderMarkdown(page.body),
        lineOf: (line) => lines[line - 1] ?? page.bodyLine,
      });
    } catch (error) {
      if (!(error instanceof PageFault)) throw error;
      faults.push(error);
    }
  }
  const targets = targetsOf(checked, { files, knownPaths });
  const twins = twinsOf(checked.map(({ page }) => page));
  for (const each of checked) {
    faults.push(
      ...faultsOfTwins(each.page, files),
      ...faultsOfPath(each.page, { checked, knownPaths }),
      ...faultsOfText(each),
      ...faultsOfLinks(each, { targets, twins }),
    );
  }
  return faults.flatMap(({ places }) => places);
}

/** A placeholder may stand for several lines, so the lines of a page's body are not the author's. */
async function sourceLines(
  text: string,
  { page: { file, body, bodyLine }, facts }: { readonly page: Page; readonly facts: SiteFacts },
): Promise<number[]> {
  const written = text.split("\n");
  const count = body.split("\n").length;
  if (count === written.length - bodyLine + 1) return written.map((_, index) => bodyLine + index);
  const lines: number[] = [];
  for (let line = bodyLine; line <= written.length; line++) {
    const begun = await readPage(written.slice(0, line).join("\n"), { file, facts });
    while (lines.length < begun.body.split("\n").length) lines.push(line);
  }
  return lines;
}

function targetsOf(
  checked: readonly CheckedPage[],
  { files, knownPaths }: {
    readonly files: readonly string[];
    readonly knownPaths: readonly string[];
  },
): Targets {
  const targets = new Map<string, ReadonlySet<string> | undefined>();
  // A page that cannot be read has its own fault; the links to it need none.
  for (const path of files.flatMap(pathsOf)) targets.set(path, undefined);
  for (const path of knownPaths) targets.set(path, new Set());
  for (const { page, rendered } of checked) {
    const ids = new Set(rendered.headings.map(({ id }) => id));
    for (const path of pathsOf(page.file)) targets.set(path, ids);
  }
  return targets;
}

function pathsOf(file: string): string[] {
  try {
    const { path, markdownPath, markdownAliases } = addressOf(file);
    return [path, markdownPath, ...markdownAliases];
  } catch {
    return [];
  }
}

/**
 * Where the pages of each language are in the others: by language and path, the page there and the
 * same path (of the page, or of its markdown) here. A missing twin has a fault of its own.
 */
type Twins = ReadonlyMap<string, { readonly name: string; readonly here: string }>;

function twinsOf(pages: readonly PageAddress[]): Twins {
  const twins = new Map<string, { readonly name: string; readonly here: string }>();
  for (const { locale, name, path, markdownPath } of pages) {
    for (const other of pages.filter((one) => one.name === name && one.locale !== locale)) {
      twins.set(`${locale} ${other.path}`, { name, here: path });
      for (const markdown of [other.markdownPath, ...other.markdownAliases]) {
        twins.set(`${locale} ${markdown}`, { name, here: markdownPath });
      }
    }
  }
  return twins;
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
  { page, rendered, lineOf }: CheckedPage,
  { targets, twins }: { readonly targets: Targets; readonly twins: Twins },
): PageFault[] {
  const { file, body, bodyLine } = page;
  const found = findLinks(body);
  const faults = found.flatMap(({ href, line }) => {
    const state = faultOfLink(href, { page, targets, twins });
    return state === undefined ? [] : [new PageFault(file, { line: lineOf(line), state })];
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
  { page, targets, twins }: {
    readonly page: Page;
    readonly targets: Targets;
    readonly twins: Twins;
  },
): string | undefined {
  if (!isSafeLink(href)) {
    return `a link is neither a path from /, a #fragment, http, https nor mailto: ${href}`;
  }
  if (!isSitePath(href) && !href.startsWith("#")) return undefined;
  const [, path = "", fragment] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(href) ?? [];
  const target = path === "" ? page.path : path;
  if (!targets.has(target)) return `the link leads nowhere: ${href}`;
  const ids = targets.get(target);
  if (fragment !== undefined && ids !== undefined && !ids.has(fragment)) {
    return `the link leads to a heading that does not exist: ${href}`;
  }
  // A link to the page's own twin is meant: it switches the language.
  const twin = twins.get(`${page.locale} ${target}`);
  if (twin !== undefined && twin.name !== page.name) {
    return `the link leads to another language: ${target}; here it is ${twin.here}`;
  }
  return undefined;
}
