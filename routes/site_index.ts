/**
 * @module GET /api/site: the read model of the site (specification §4.2): brand, public pages,
 * discovery documents, and the note that the product API is not on this host.
 */

import type { Config } from "../config/config.ts";
import type { AppHandler } from "./env.ts";
import type { SiteIndex } from "../schemas/site_index.ts";
import { prebuild, prebuiltOnce } from "./http/prebuilt.ts";
import { apiSecurityHeaders } from "./http/security_headers.ts";

/** What the index names; every value is a path of this service. */
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
} as const;

/** Creates the handler of GET, which builds its answer once. */
export function siteIndex(config: Config): AppHandler {
  return prebuiltOnce(() =>
    prebuild(JSON.stringify(siteIndexOf(config)), {
      "content-type": "application/json",
      "cache-control": "public, max-age=300",
      ...apiSecurityHeaders(config.siteUrl),
    })
  );
}

function siteIndexOf({ siteName, siteUrl }: Config): SiteIndex {
  return {
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
}
