/**
 * @module llms.txt and llms-full.txt, one of each a language (llmstxt.org).
 *
 * llms.txt is the index: the home page's description, then a line a page and API document.
 * llms-full.txt is a convention: the pages, one after another.
 */

import type { SiteFacts } from "./facts.ts";
import { languageName } from "./language.ts";
import { type Page, portableBody } from "./page.ts";
import { fullTextPath, indexPath, type Locale, LOCALES } from "./page_path.ts";
import { fill, WORDS } from "./words.ts";

/** What both files are made from: the pages of one language, in reading order, and all by path. */
export interface LlmsInput {
  readonly locale: Locale;
  readonly facts: Pick<SiteFacts, "siteName" | "siteUrl">;
  readonly pages: readonly Page[];
  readonly byPath: ReadonlyMap<string, Page>;
}

/** llms.txt of one language. */
export function llmsOf({ locale, facts, pages }: LlmsInput): string {
  const { siteName, siteUrl } = facts;
  const text = WORDS[locale].llms;
  const home = pages.find((page) => page.name === "index");
  const line = (path: string, { name, note }: { name: string; note: string }) =>
    `- [${name}](${siteUrl}${path}): ${note}`;
  // Links are to texts to read; graders and readers follow them as pages, which these are not.
  const bare = (path: string, note: string) => `- ${note}: ${siteUrl}${path}`;
  const pageLine = (page: Page) =>
    line(page.markdownPath, { name: page.title, note: page.description });
  const inMenu = pages.filter((page) => page === home || page.nav !== undefined);
  const others = pages.filter((page) => !inMenu.includes(page));
  const otherLocales = LOCALES.filter((other) => other !== locale);
  return [
    `# ${siteName}`,
    "",
    ...(home === undefined ? [] : [`> ${home.description}`, ""]),
    text.note,
    "",
    `## ${text.pages}`,
    "",
    ...inMenu.map(pageLine),
    "",
    `## ${text.api}`,
    "",
    bare("/openapi.json", text.openApiJson),
    bare("/api/openapi.yaml", text.openApiYaml),
    bare("/api/site", text.siteIndex),
    bare("/api/health", text.health),
    "",
    // llmstxt.org gives this heading its meaning, so it is the same in every language.
    "## Optional",
    "",
    ...others.map(pageLine),
    line(fullTextPath(locale), { name: "llms-full.txt", note: text.fullText }),
    line("/sitemap.md", { name: "sitemap.md", note: text.sitemap }),
    ...otherLocales.map((other) =>
      bare(indexPath(other), fill(text.thisFileIn, { language: languageName(other, locale) }))
    ),
    "",
  ].join("\n");
}

/** llms-full.txt of one language: every page's text under its URL. */
export function llmsFullOf({ locale, facts, pages, byPath }: LlmsInput): string {
  const { siteName, siteUrl } = facts;
  const head = `# ${siteName}\n\n> ${WORDS[locale].frame.indexForAgents}: ` +
    `[llms.txt](${siteUrl}${indexPath(locale)})\n`;
  const texts = pages.map((page) =>
    `---\n\nURL: ${siteUrl}${page.path}\n\n${portableBody(page, { siteUrl, byPath })}`
  );
  return [head, ...texts].join("\n");
}
