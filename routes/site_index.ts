/**
 * @module GET /api/site (specification §4.2): brand, public pages, discovery documents, and the note
 * that the product API is not on this host.
 */

import type { Config } from "../config/config.ts";
import type { SiteIndex } from "../schemas/site.ts";
import type { AppHandler } from "./env.ts";
import { publicDocument } from "./http/public_document.ts";

/** Resources by name; every value is a path of this service. */
const RESOURCES = {
  home: "/",
  homeGerman: "/de",
  product: "/product",
  pricing: "/pricing",
  security: "/security",
  about: "/about",
  contact: "/contact",
  privacy: "/privacy",
  imprint: "/imprint",
  developers: "/developers",
  docs: "/docs",
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

export function siteIndex({ siteName, siteUrl }: Config): AppHandler {
  const index: SiteIndex = {
    name: siteName,
    url: siteUrl,
    kind: "marketing-site",
    description: `Marketing and discovery site of ${siteName}, an enterprise AI agent platform.`,
    resources: Object.fromEntries(
      Object.entries(RESOURCES).map(([name, path]) => [name, siteUrl + path]),
    ),
    productApi: {
      status: "not-on-this-host",
      note: "The product API is a separate application that this host does not serve. " +
        "There is no MCP server and no webhook receiver here.",
    },
  };
  return publicDocument("application/json", { siteUrl, build: () => JSON.stringify(index) });
}
