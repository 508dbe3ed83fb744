/**
 * @module Checks all page sources and reports each problem with file and line: front matter, placeholders,
 * missing translations and those that differ, headings, HTML, dead links, other files.
 *
 * Serving does not need it. Does not check external links.
 */

import { DEFAULT_LOCALE, LOCALES } from "../schemas/site_data.ts";
import { WORD_PROBLEMS } from "../schemas/words.ts";
import { apiReference } from "./api_reference.ts";
import { type LinkContext, problemsOfLinks } from "./check_links.ts";
import { type CheckedPage, headingLines, problemsOfText } from "./check_text.ts";
import type { PageSource } from "./files.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Page, PageText } from "./page.ts";
import type { SiteFacts } from "./placeholders.ts";
import { Site } from "./site.ts";
import { PageError, placeOf, type SourceProblem } from "./source_problem.ts";
import {
  isFolderIndex,
  isListed,
  isPage,
  localPaths,
  pathsIn,
  REQUIRED_PAGES,
  unlistedLanguage,
  validAddresses,
} from "./urls.ts";

interface CheckContext extends LinkContext {
  readonly files: readonly string[];
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
  const forms = LOCALES.map((locale) => pathsIn(locale).contact);
  return [...new Set(routes.map(({ path }) => path)).difference(new Set(["/*", ...forms]))];
}

/** All pages with their texts; the problems are those of pages that cannot be served. */
async function readTexts(
  source: PageSource,
  facts: SiteFacts,
): Promise<{ site: Site; texts: readonly (Page & PageText)[]; problems: readonly PageError[] }> {
  const problems: PageError[] = [];
  async function all<T>(files: Iterable<string>, read: (file: string) => Promise<T>): Promise<T[]> {
    const found = await Promise.allSettled([...files].map(read));
    return found.flatMap((one) => {
      if (one.status === "fulfilled") return one.value;
      if (!(one.reason instanceof PageError)) throw one.reason;
      problems.push(one.reason);
      return [];
    });
  }
  const files = (await source.list()).filter(isPage).toSorted();
  const sources = await all(files, async (file) => {
    const text = source.read(file).catch((error: Error) => { // a folder, or a link to nothing
      const reason = error.message.replace(/: readfile .*$/s, ""); // the path on this machine
      throw new PageError(file, [{ line: 1, state: `the file cannot be read: ${reason}` }]);
    });
    return { file, text: await text };
  });
  const site = new Site(facts, new Map(sources.map(({ file, text }) => [file, text])));
  const texts = await all(site.sources.keys(), async (file) => {
    const page = site.page(file);
    return { ...page, ...await site.text(page) };
  });
  return { site, texts, problems };
}

/**
 * Requires that every page can be served, and that there is every page to which the service links.
 *
 * @throws {Error} naming every problem as `FILE:LINE: what is wrong`, or why the sources cannot be read
 */
export async function requireSoundSources(source: PageSource, facts: SiteFacts): Promise<void> {
  const { texts, problems } = await readTexts(source, facts).catch((error: Error) => {
    throw new Error(`Cannot read the pages: ${error.message}`, { cause: error });
  });
  const files = [...texts, ...problems].map(({ file }) => file);
  const places = [...missingPages(files), ...placesOf(problems)];
  if (places.length === 0) return;
  throw new Error(`Cannot use the pages:\n${places.map((place) => `  ${place}`).join("\n")}`);
}

/**
 * Finds the problems of all sources, each as `FILE:LINE: what is wrong`: first those of single files,
 * then those between files.
 *
 * @param options.knownPaths see {@link knownPathsOf}
 */
export async function checkSite(
  source: PageSource,
  { facts, knownPaths }: Pick<CheckContext, "knownPaths"> & { readonly facts: SiteFacts },
): Promise<string[]> {
  const files = (await source.list()).toSorted();
  const { site, texts, problems } = await readTexts(source, facts);
  const pages = await Promise.all(
    texts.map(async (page) => ({ ...page, ...await renderMarkdown(page.body, page.locale) })),
  );
  const context = {
    files,
    pages,
    unreadable: localPaths(validAddresses(problems.map(({ file }) => file))),
    knownPaths: [...knownPaths, ...pages.flatMap(({ feedPath }) => feedPath ?? [])],
  };
  const state = "not a page: its name must end in `.md`, or it belongs in static/assets";
  return [
    ...missingPages(files),
    ...unlistedFolders(files),
    ...files.filter((file) => !file.endsWith(".md")).map((file) =>
      placeOf(file, { line: 1, state })
    ),
    ...placesOf(problems),
    ...(await Promise.all(pages.map(async (page) =>
      [
        ...page.problems,
        ...await problemsOfReference(page, site),
        ...problemsOfPath(page, context),
        ...problemsOfText(page, facts),
        ...problemsOfLinks(page, context),
        ...problemsOfMenus(page, context),
        ...problemsOfTwin(page, context),
      ].toSorted((one, other) => one.line - other.line)
        .map((problem) => placeOf(page.file, problem))
    ))).flat(),
    ...WORD_PROBLEMS,
  ];
}

/** Every language needs every required page. */
function missingPages(files: readonly string[]): string[] {
  const state = "this page is missing, but the service links to it";
  return LOCALES.flatMap((locale) => REQUIRED_PAGES.map((name) => `${locale}/${name}.md`))
    .filter((file) => !files.includes(file))
    .map((file) => placeOf(file, { line: 1, state }));
}

function placesOf(problems: readonly PageError[]): string[] {
  return problems.toSorted((one, other) => one.file < other.file ? -1 : 1)
    .flatMap(({ places }) => places);
}

/** The page with the API's reference names the texts to translate. */
async function problemsOfReference(
  { locale, source: { body, bodyLine } }: CheckedPage,
  { openApi }: Site,
): Promise<SourceProblem[]> {
  if (!/\{\{\s*api_reference/.test(body)) return [];
  const missing = new Set<string>();
  apiReference(await openApi(), locale, missing);
  if (missing.size === 0) return [];
  const list = [...missing].map((text) => `\n  ${JSON.stringify(text)}`).join("");
  const words = `static/words/${locale}.json`;
  const state = `the API's texts need a translation under "description" in ${words}:${list}`;
  return [{ line: bodyLine, state }];
}

/** Pages of a language that the site does not have are not served. */
function unlistedFolders(files: readonly string[]): string[] {
  const languages = new Set(files.map(unlistedLanguage).filter((one) => one !== undefined));
  return [...languages].map((language) =>
    `static/site.json:1: languages lacks ${language}, so static/pages/${language} is not served: ` +
    "add the language, or delete the folder"
  );
}

/**
 * Every page needs its translations, but for posts and those that say otherwise. No two pages may have the
 * same path, nor a page that of another route, which would hide it.
 */
function problemsOfPath(
  { file, locale, name, path, feedPath, date, source, translations }: CheckedPage,
  { files, pages, knownPaths }: CheckContext,
): SourceProblem[] {
  // Those of required pages are reported already.
  const missing = LOCALES.map((locale) => `${locale}/${name}.md`)
    .filter((translation) => !files.includes(translation) && !REQUIRED_PAGES.includes(name))
    .filter(() => date === undefined && translations !== "none")
    // Of several versions, only the first reports it.
    .filter(() => LOCALES.find((one) => files.includes(`${one}/${name}.md`)) === locale);
  const others = pages.filter((page) => page.path === path && page.file !== file);
  const owners = [
    ...others.map((page) => page.file),
    ...knownPaths.includes(path) ? ["another route"] : [],
  ];
  const folder = file.slice(0, -"index.md".length);
  const isList = feedPath === undefined && isFolderIndex(file) &&
    pages.some((page) => page.date && page.file !== file && page.file.startsWith(folder));
  return [
    ...missing.map((other) => {
      const state = `its translation ${other} is missing: write it, or add \`translations: none\``;
      return { line: 1, state };
    }),
    ...owners.map((owner) => ({ line: 1, state: `its path ${path} already belongs to ${owner}` })),
    ...isList
      ? [{
        line: source.bodyLine,
        state: "its folder has pages with a `date`: list them by {{posts}}",
      }]
      : [],
  ];
}

/** In one language no two pages may have the same place in a menu: their order would be chance. */
function problemsOfMenus(page: CheckedPage, { pages }: CheckContext): SourceProblem[] {
  return (["nav", "footer"] as const).flatMap((menu) => {
    const place = page[menu];
    if (place !== undefined && !isListed(page)) {
      return [{ line: page.memberLines[menu]!, state: "no menu lists this page: remove it" }];
    }
    const first = pages.find((one) => one.locale === page.locale && one[menu] === place);
    if (place === undefined || first === undefined || first === page) return [];
    const state = `\`${menu}: ${place}\` is the place of ${first.file} too: change one of them`;
    return [{ line: page.memberLines[menu]!, state }];
  });
}

/** Translations have the same places, layout and outline, but for lists of posts. */
function problemsOfTwin(page: CheckedPage, { pages }: CheckContext): SourceProblem[] {
  const twin = pages.find(({ name, locale }) => name === page.name && locale === DEFAULT_LOCALE);
  if (twin === undefined || twin === page) return [];
  const problems: SourceProblem[] = (["nav", "footer", "layout"] as const)
    .filter((member) => page[member] !== twin[member])
    .map((member) => {
      const must = twin[member] === undefined ? "be left out" : `be ${twin[member]}`;
      const line = page.memberLines[member] ?? 1;
      return { line, state: `\`${member}\` must ${must}, as in ${twin.file}` };
    });
  if (page.feedPath !== undefined && isFolderIndex(page.file)) return problems;
  const [own, others] = [page, twin].map(({ headings }) => headings.map(({ depth }) => depth));
  const at = [...own!, 0].findIndex((depth, index) => depth !== (others![index] ?? 0));
  if (at === -1) return problems;
  const line = headingLines(page)[at] ?? page.lines.at(-1)!;
  const heading = (depth?: number) => depth ? `a level-${depth} heading` : "no further heading";
  const state = `${twin.file} has ${heading(others![at])} here, this page ${heading(own![at])}: ` +
    "translations have the same sections";
  return [...problems, { line, state }];
}
