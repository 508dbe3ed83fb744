/**
 * @module llms.txt and llms-full.txt, one of each a language (llmstxt.org).
 *
 * llms.txt is the index: the home page's description, then a line a page and API document.
 * llms-full.txt is a convention: the pages, one after another.
 */

import type { SiteFacts } from "./facts.ts";
import { languageName } from "./language.ts";
import { type Page, portableBody } from "./page.ts";
import { type Locale, LOCALES } from "./page_path.ts";
import { fullTextPath, indexPath, WORDS } from "./words.ts";

/** What both files are made from: the pages of one language, in reading order, and all by path. */
export interface LlmsInput {
  readonly locale: Locale;
  readonly facts: Pick<SiteFacts, "siteName" | "siteUrl">;
  readonly pages: readonly Page[];
  readonly byPath: ReadonlyMap<string, Page>;
}

const EN = {
  note: "Suggested reading order: this file, the API description, the developer page. Every page " +
    "answers `Accept: text/markdown` at its own URL; the links below lead to the markdown. The " +
    "product itself (agents, connectors, approvals) is a separate application: this host has no " +
    "product API, no MCP server and no webhook receiver. Nothing here needs authentication.",
  pages: "Pages",
  api: "API",
  health: "liveness probe (GET)",
  siteIndex: "brand, pages and discovery documents as JSON (GET)",
  openApiJson: "the canonical API description, OpenAPI 3.1, including `POST /api/lead`",
  openApiYaml: "the same description as YAML",
  fullText: "the text of all pages in one file",
  thisFileIn: (language: string) => `this file in ${language}`,
  sitemap: "every page with its language versions",
};

const TEXT: Readonly<Record<Locale, typeof EN>> = {
  en: EN,
  de: {
    note:
      "Empfohlene Reihenfolge: diese Datei, die API-Beschreibung, die Seite für Entwickler. Jede " +
      "Seite antwortet unter ihrer eigenen URL auf `Accept: text/markdown`; die Links unten führen " +
      "zum Markdown. Das Produkt selbst (Agenten, Konnektoren, Freigaben) ist eine eigene " +
      "Anwendung: Auf diesem Host gibt es keine Produkt-API, keinen MCP-Server und keinen " +
      "Webhook-Empfänger. Nichts hier verlangt eine Anmeldung.",
    pages: "Seiten",
    api: "API",
    health: "Lebenszeichen des Dienstes (GET)",
    siteIndex: "Marke, Seiten und maschinenlesbare Dokumente als JSON (GET)",
    openApiJson: "die maßgebliche API-Beschreibung, OpenAPI 3.1, mit `POST /api/lead`",
    openApiYaml: "dieselbe Beschreibung als YAML",
    fullText: "der Text aller Seiten in einer Datei",
    thisFileIn: (language) => `diese Datei auf ${language}`,
    sitemap: "alle Seiten mit ihren Sprachfassungen",
  },
};

/** llms.txt of one language. */
export function llmsOf({ locale, facts, pages }: LlmsInput): string {
  const { siteName, siteUrl } = facts;
  const text = TEXT[locale];
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
      bare(indexPath(other), text.thisFileIn(languageName(other, locale)))
    ),
    "",
  ].join("\n");
}

/** llms-full.txt of one language: every page's text under its URL. */
export function llmsFullOf({ locale, facts, pages, byPath }: LlmsInput): string {
  const { siteName, siteUrl } = facts;
  const head = `# ${siteName}\n\n> ${WORDS[locale].indexForAgents}: ` +
    `[llms.txt](${siteUrl}${indexPath(locale)})\n`;
  const texts = pages.map((page) =>
    `---\n\nURL: ${siteUrl}${page.path}\n\n${portableBody(page, { siteUrl, byPath })}`
  );
  return [head, ...texts].join("\n");
}
