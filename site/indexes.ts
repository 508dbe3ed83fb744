/** @module The site index, llms.txt, llms-full.txt (llmstxt.org) and sitemaps (sitemaps.org 0.9). */

import { html as markup } from "@hono/hono/html";
import type { SiteIndex } from "../schemas/answers.ts";
import { languageName } from "./language.ts";
import { type Catalogue, type Page, portableBody, versionsOf } from "./page.ts";
import {
  alternatesOf,
  DEFAULT_LOCALE,
  indexPath,
  type Locale,
  localePrefix,
  LOCALES,
} from "./page_path.ts";
import { escapeMarkdown } from "./placeholders.ts";
import { fill, WORDS } from "./words.ts";

/** Documents that are not pages, by their names in the site index. */
const DOCUMENTS = {
  health: "/api/health",
  openapiJson: "/openapi.json",
  openapiYaml: "/api/openapi.yaml",
  llms: "/llms.txt",
  llmsFull: "/llms-full.txt",
  sitemap: "/sitemap.xml",
  sitemapMarkdown: "/sitemap.md",
  robots: "/robots.txt",
  apiCatalog: "/.well-known/api-catalog",
  securityTxt: "/.well-known/security.txt",
};

/** The answer of GET /api/site: every page under its name, and with `.de` in another language. */
export function siteIndexOf(site: Catalogue): SiteIndex {
  const { siteName, siteUrl } = site.facts;
  const pages = site.pages.map(({ name, locale, path }) => {
    const own = name === "index" ? "home" : name;
    return [locale === DEFAULT_LOCALE ? own : `${own}.${locale}`, path] as const;
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
        "There is no MCP server and no webhook receiver here.",
    },
  };
}

/** Renders llms.txt, the pages and the API's documents. */
export function llmsOf(locale: Locale, site: Catalogue): string {
  const { siteName, siteUrl } = site.facts;
  const text = WORDS[locale].llms;
  const pages = pagesIn(locale, site);
  const home = pages.find((page) => page.name === "index");
  const line = (path: string, { name, note }: { name: string; note: string }) =>
    `- [${name}](${siteUrl}${path}): ${note}`;
  // Not as links: agents and graders follow links as pages.
  const bare = (path: string, note: string) => `- ${note}: ${siteUrl}${path}`;
  const pageLine = (page: Page) => pageEntry(page, siteUrl);
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
    line(`${localePrefix(locale)}/llms-full.txt`, { name: "llms-full.txt", note: text.fullText }),
    line("/sitemap.md", { name: "sitemap.md", note: text.sitemap }),
    ...otherLocales.map((other) =>
      bare(indexPath(other), fill(text.thisFileIn, { language: languageName(other, locale) }))
    ),
    "",
  ].join("\n");
}

/** Renders llms-full.txt: the text of every page below its URL. */
export function llmsFullOf(locale: Locale, site: Catalogue): string {
  const { siteName, siteUrl } = site.facts;
  const head = `# ${siteName}\n\n> ${WORDS[locale].frame.indexForAgents}: ` +
    `[llms.txt](${siteUrl}${indexPath(locale)})\n`;
  const texts = pagesIn(locale, site).map((page) =>
    `---\n\nURL: ${siteUrl}${page.path}\n\n${portableBody(page, site)}`
  );
  return [head, ...texts].join("\n");
}

/** Renders sitemap.xml: one `<url>` per page and language, with all its languages as alternates. */
export function sitemapOf(site: Catalogue): string {
  const { siteUrl } = site.facts;
  const entries = site.pages.map(({ name, path, updated }) =>
    [
      "<url>",
      markup`<loc>${siteUrl + path}</loc>`,
      `<lastmod>${updated}</lastmod>`,
      ...alternatesOf(versionsOf(name, site)).map(([language, path]) =>
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

/** Renders sitemap.md: all pages with their descriptions, by language. */
export function sitemapMarkdownOf(site: Catalogue): string {
  const { siteName, siteUrl } = site.facts;
  const sections = LOCALES.map((locale) => {
    const lines = pagesIn(locale, site).map((page) => pageEntry(page, siteUrl));
    return [`## ${languageName(locale, locale)}`, "", ...lines, ""].join("\n");
  });
  return [`# ${siteName}: ${WORDS[DEFAULT_LOCALE].frame.sitemap}`, "", ...sections].join("\n");
}

function pageEntry({ title, markdownPath, description }: Page, siteUrl: string): string {
  return `- [${escapeMarkdown(title)}](${siteUrl}${markdownPath}): ${description}`;
}

function pagesIn(locale: Locale, { pages }: Catalogue): Page[] {
  return pages.filter((page) => page.locale === locale);
}
