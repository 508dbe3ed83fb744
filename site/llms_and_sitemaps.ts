/** @module The site index, llms.txt, llms-full.txt (llmstxt.org) and sitemaps (sitemaps.org 0.9). */

import { html as markup } from "@hono/hono/html";
import type { SiteIndex } from "../schemas/operations/site.ts";
import { languageName } from "./language.ts";
import type { Catalogue, Page } from "./page.ts";
import { portableText } from "./page_text.ts";
import { enquiryText } from "./agent_recipe.ts";
import { DEFAULT_LOCALE, type Locale, LOCALES } from "../schemas/site_data.ts";
import { AGENT_SKILLS, alternatesOf, ARD, pathsIn, SKILL } from "./urls.ts";
import { escapeMarkdown } from "./placeholders.ts";
import { fill, wordsOf } from "../schemas/words.ts";

/** Documents that are not pages, by their names in the site index. */
const DOCUMENTS = {
  health: "/api/health",
  openapiJson: "/openapi.json",
  openapiYaml: "/api/openapi.yaml",
  ...inEachLanguage("llms"),
  ...inEachLanguage("llmsFull"),
  sitemap: "/sitemap.xml",
  sitemapMarkdown: "/sitemap.md",
  robots: "/robots.txt",
  apiCatalog: "/.well-known/api-catalog",
  agentSkills: AGENT_SKILLS,
  ard: ARD,
  securityTxt: "/.well-known/security.txt",
};

/** The answer of GET /api/site: every page under its name, and with `.de` in another language. */
export function siteIndexOf(site: Catalogue): SiteIndex {
  const { siteName, siteUrl } = site.facts;
  const pages = site.pages.map(({ name, locale, path }) => {
    return [nameIn(locale, name === "index" ? "home" : name), path] as const;
  });
  return {
    name: siteName,
    url: siteUrl,
    kind: "marketing-site",
    description: site.pages.find(({ path }) => path === "/")?.description ?? siteName,
    resources: Object.fromEntries(
      [...pages, ...Object.entries(DOCUMENTS)].map(([name, path]) => [name, siteUrl + path]),
    ),
    productApi: {
      status: "not-on-this-host",
      note: "The product API is a separate application that this host does not serve. " +
        "This host has no MCP server and no webhook receiver.",
    },
  };
}

function nameIn(locale: Locale, name: string): string {
  return locale === DEFAULT_LOCALE ? name : `${name}.${locale}`;
}

function inEachLanguage(name: "llms" | "llmsFull"): Record<string, string> {
  return Object.fromEntries(LOCALES.map((locale) => [nameIn(locale, name), pathsIn(locale)[name]]));
}

/**
 * Renders llms.txt. Below a level-2 heading there are links to markdown only: the proposal's parser
 * crashes on other entries, and agents and graders follow each link as a page.
 */
export function llmsOf(locale: Locale, site: Catalogue): string {
  const { siteName, siteUrl } = site.facts;
  const text = wordsOf(locale).llms;
  const home = site.pagesIn(locale).find(({ path }) => path === pathsIn(locale).home);
  const { main, optional } = sectionsOf(locale, site);
  const line = (path: string, { name, note }: { name: string; note: string }) =>
    `- [${name}](${siteUrl}${path}): ${note}`;
  const bare = (path: string, note: string) => `- ${note}: ${siteUrl}${path}`;
  const otherLocales = LOCALES.filter((other) => other !== locale);
  return [
    `# ${siteName}`,
    "",
    ...(home === undefined ? [] : [`> ${home.description}`, ""]),
    text.note,
    "",
    enquiryText(locale, site.facts),
    "",
    text.documents,
    "",
    bare("/openapi.json", text.openApiJson),
    bare("/api/openapi.yaml", text.openApiYaml),
    bare(SKILL, text.skill),
    bare("/api/site", text.siteIndex),
    bare("/api/health", text.health),
    ...otherLocales.map((other) =>
      bare(pathsIn(other).llms, fill(text.thisFileIn, { language: languageName(other, locale) }))
    ),
    "",
    `## ${text.pages}`,
    "",
    ...main.map((page) => pageEntry(page, siteUrl)),
    "",
    // A keyword of llmstxt.org, hence not translated.
    "## Optional",
    "",
    ...optional.map((page) => pageEntry(page, siteUrl)),
    line(pathsIn(locale).llmsFull, { name: "llms-full.txt", note: text.fullText }),
    line("/sitemap.md", { name: "sitemap.md", note: text.sitemap }),
    "",
  ].join("\n");
}

/** Renders llms-full.txt: the text of the main pages below their URLs, then links to the others. */
export async function llmsFullOf(locale: Locale, site: Catalogue): Promise<string> {
  const { siteName, siteUrl } = site.facts;
  const words = wordsOf(locale);
  const { main, optional } = sectionsOf(locale, site);
  const head = `# ${siteName}\n\n> ${words.frame.indexForAgents}: ` +
    `[llms.txt](${siteUrl}${pathsIn(locale).llms})\n`;
  const texts = await Promise.all(
    main.map(async (page) =>
      `---\n\nURL: ${siteUrl}${page.path}\n\n${await portableText(page, site)}`
    ),
  );
  const others = optional.map((page) => `${pageEntry(page, siteUrl)}\n`).join("");
  const rest = others === "" ? [] : [`---\n\n${words.llms.notHere}\n\n${others}`];
  return [head, ...texts, ...rest].join("\n");
}

/** Home and the pages of the navigation, and the others, which agents can do without. */
function sectionsOf(locale: Locale, site: Catalogue): Record<"main" | "optional", Page[]> {
  const isMain = ({ path, nav }: Page) => path === pathsIn(locale).home || nav !== undefined;
  const pages = site.pagesIn(locale);
  return { main: pages.filter(isMain), optional: pages.filter((page) => !isMain(page)) };
}

/** Renders sitemap.xml: one `<url>` per page and language, with all its languages as alternates. */
export function sitemapOf(site: Catalogue): string {
  const { siteUrl } = site.facts;
  const entries = site.pages.map(({ name, path, updated }) =>
    [
      "<url>",
      markup`<loc>${siteUrl + path}</loc>`,
      `<lastmod>${updated}</lastmod>`,
      ...alternatesOf(site.versionsOf(name)).map(([language, path]) =>
        markup`<xhtml:link rel="alternate" hreflang="${language}" href="${siteUrl + path}"/>`
      ),
      "</url>",
    ].join("\n")
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" ' +
    'xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    "</urlset>",
    "",
  ].join("\n");
}

export function sitemapMarkdownOf(site: Catalogue): string {
  const { siteName, siteUrl } = site.facts;
  const sections = LOCALES.map((locale) => {
    const lines = site.pagesIn(locale).map((page) => pageEntry(page, siteUrl));
    const { language, llms } = wordsOf(locale);
    return [`## ${LOCALES.length > 1 ? language : llms.pages}`, "", ...lines, ""].join("\n");
  });
  return [`# ${siteName}: ${wordsOf(DEFAULT_LOCALE).frame.sitemap}`, "", ...sections].join("\n");
}

function pageEntry({ title, markdownPath, description }: Page, siteUrl: string): string {
  return `- [${escapeMarkdown(title)}](${siteUrl}${markdownPath}): ${description}`;
}
