/** @module The text of a page: its placeholders filled in, its links localised; and its markdown. */

import { ERROR_CODES, errorBody, type ErrorCode } from "../schemas/error_codes.ts";
import { wordsOf } from "../schemas/words.ts";
import { isSitePath, rewriteLinks, withoutCode, withoutDecoration } from "./links.ts";
import type { Catalogue, Page, PageText } from "./page.ts";
import {
  conditionsOf,
  escapeMarkdown,
  fillPlaceholders,
  keptLines,
  placeholderValues,
  type SiteFacts,
} from "./placeholders.ts";
import { PageError, type SourceProblem } from "./source_problem.ts";
import { isFolderIndex, isListed, localisedPath, pathsIn } from "./urls.ts";

type Loader = (page: Page, site: Catalogue) => string | Promise<string>;

/** Placeholders of a body alone; those that load the schemas do it for the pages that have them. */
const LOADERS: Readonly<Record<string, Loader>> = {
  optional_fields: async ({ locale }) =>
    (await import("../schemas/lead_words.ts")).optionalFields(locale),
  async api_reference({ locale }, { openApi }) {
    const { apiReference } = await import("./api_reference.ts");
    return apiReference(await openApi(), locale);
  },
  ...Object.fromEntries((Object.keys(ERROR_CODES) as ErrorCode[]).map((code): [string, Loader] => [
    `error_${code}`,
    (_, { facts }) => errorExample(code, facts),
  ])),
};

/** As the OpenAPI document shows it, which would take longer to build. */
export async function errorExample(
  code: ErrorCode,
  { siteUrl }: Pick<SiteFacts, "siteUrl">,
): Promise<string> {
  const details = code === "invalid_lead"
    ? (await import("../schemas/lead.ts")).exampleIssues()
    : undefined;
  return JSON.stringify(errorBody(code, { siteUrl, details }), null, 2);
}

/** @throws {PageError} naming every unknown placeholder */
export async function textOf(page: Page, site: Catalogue): Promise<PageText> {
  const { file, locale, source: { body, bodyLine } } = page;
  const loaders = isFolderIndex(file) ? { ...LOADERS, posts: postsText } : LOADERS;
  const loaded = Object.entries(loaders).map(async ([name, load]) => {
    const text = RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`).test(body) ? await load(page, site) : "";
    return [name, () => text] as const;
  });
  const values = {
    ...placeholderValues(site.facts, locale),
    ...Object.fromEntries(await Promise.all(loaded)),
  };
  const kept = keptLines(body, conditionsOf(site.facts.brand));
  const prose = withoutCode(kept.map(({ text }) => text).join("\n")).split("\n");
  const problems: SourceProblem[] = [];
  const filled = kept.map(({ text, at }, n) =>
    fillPlaceholders(text, { values, line: bodyLine + at, problems, prose: prose[n] })
  );
  if (problems.length > 0) throw new PageError(file, problems);
  const localise = (href: string) =>
    href.replace(/^\/[^?#]*/, (path) => localisedPath(path, { locale, paths: site.paths }));
  return {
    body: rewriteLinks(filled.join("\n"), localise),
    lines: filled.flatMap((text, n) => text.split("\n").map(() => bodyLine + kept[n]!.at)),
  };
}

/** The pages in the folder of this index, newest first, as sections with the headings of the changelog. */
function postsText({ locale, name }: Page, site: Catalogue): string {
  const folder = name.slice(0, -"index".length);
  return site.pagesIn(locale)
    .filter((page) => page.name.startsWith(folder) && !isFolderIndex(page.file))
    .map(({ date, updated, ...page }) => ({ ...page, day: date ?? updated }))
    .toSorted((a, b) => a.day === b.day ? 0 : a.day < b.day ? 1 : -1)
    .map(({ day, title, path, description }) =>
      `## ${day}: [${escapeMarkdown(title)}](${path})\n\n${escapeMarkdown(description)}`
    ).join("\n\n");
}

/** The markdown representation of a page. */
export async function markdownOf(page: Page, site: Catalogue): Promise<string> {
  const text = await portableText(page, site);
  if (!isListed(page)) return text;
  const { siteUrl } = site.facts;
  const words = wordsOf(page.locale).frame;
  const index = `${words.indexForAgents}: [llms.txt](${siteUrl}${pathsIn(page.locale).llms})`;
  const others = site.versionsOf(page.name).filter(({ locale }) => locale !== page.locale)
    .map(({ locale, title, markdownPath }) =>
      `${wordsOf(locale).language}: [${escapeMarkdown(title)}](${siteUrl}${markdownPath})`
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
    text,
  ].join("\n");
}

/** The text without decoration, with absolute links to the markdown of pages; ends with one line feed. */
export async function portableText(page: Page, site: Catalogue): Promise<string> {
  const { facts: { siteUrl }, markdownPaths } = site;
  const { body } = await site.text(page);
  const absolute = rewriteLinks(withoutDecoration(body), (href) => {
    if (href.startsWith("#")) return siteUrl + page.markdownPath + href;
    if (!isSitePath(href)) return href;
    const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
    return siteUrl + (markdownPaths.get(path) ?? path) + rest;
  });
  return `${absolute.trimEnd()}\n`;
}
