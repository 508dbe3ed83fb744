/** @module The GET operations of the API (specification §4): health, site index and description. */

import type { Config } from "../config/config.ts";
import type { Health, SiteIndex } from "../schemas/answers.ts";
import { lazy } from "../schemas/lazy.ts";
import type { AppHandler } from "./env.ts";
import { prebuildPlain, respond } from "./http/prebuilt.ts";
import { publicDocument, uncachedJson } from "./http/public_document.ts";

/** The liveness probe, without any I/O; uncached, because it is about this moment. */
export function health({ siteName, serviceId, siteUrl }: Config): AppHandler {
  const body: Health = { ok: true, name: siteName, service: serviceId, status: "healthy" };
  const prebuilt = prebuildPlain(JSON.stringify(body), {
    status: 200,
    headers: uncachedJson(siteUrl),
  });
  return (c) => respond(c, prebuilt);
}

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

/** Brand, public pages, discovery documents, and that there is no product API here. */
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

/** One document in two formats, whose libraries the first request loads. */
export function openApi(config: Config): { json: AppHandler; yaml: AppHandler } {
  const { siteUrl } = config;
  const document = lazy(async () =>
    (await import("../schemas/openapi.ts")).openApiDocument(config)
  );
  return {
    json: publicDocument("application/json", {
      siteUrl,
      build: async () => JSON.stringify(await document()),
    }),
    yaml: publicDocument("application/yaml", {
      siteUrl,
      async build() {
        const { stringify } = await import("yaml");
        // Anchors would be legal YAML, but many OpenAPI readers do not follow them.
        return stringify(await document(), { aliasDuplicateObjects: false });
      },
    }),
  };
}
