/**
 * @module llms.txt (llmstxt.org), the index of pages and API documents, and llms-full.txt, all
 * pages in one file; one of each per language.
 */

import type { SiteFacts } from "./facts.ts";
import { languageName } from "./language.ts";
import { type Page, portableBody } from "./page.ts";
import { fullTextPath, indexPath, type Locale, LOCALES } from "./page_path.ts";
import { fill, WORDS } from "./words.ts";

/** The input of both files. */
export interface LlmsInput {
  readonly locale: Locale;
  readonly facts: Pick<SiteFacts, "siteName" | "siteUrl">;
  /** The pages of the language, in reading order. */
  readonly pages: readonly Page[];
  /** The pages of all languages. */
  readonly byPath: ReadonlyMap<string, Page>;
}

/** Renders llms.txt. */
export function llmsOf({ locale, facts, pages }: LlmsInput): string {
  const { siteName, siteUrl } = facts;
  const text = WORDS[locale].llms;
  const home = pages.find((page) => page.name === "index");
  const line = (path: string, { name, note }: { name: string; note: string }) =>
    `- [${name}](${siteUrl}${path}): ${note}`;
  // Not as links: agents and graders follow links as pages.
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
    // A keyword of llmstxt.org, hence not translated.
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

/** Renders llms-full.txt: the text of every page below its URL. */
export function llmsFullOf({ locale, facts, pages, byPath }: LlmsInput): string {
  const { siteName, siteUrl } = facts;
  const head = `# ${siteName}\n\n> ${WORDS[locale].frame.indexForAgents}: ` +
    `[llms.txt](${siteUrl}${indexPath(locale)})\n`;
  const texts = pages.map((page) =>
    `---\n\nURL: ${siteUrl}${page.path}\n\n${portableBody(page, { siteUrl, byPath })}`
  );
  return [head, ...texts].join("\n");
}
