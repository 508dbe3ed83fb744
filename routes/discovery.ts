/**
 * @module Documents for crawlers, agents and clients of the API, built with the first request and once,
 * but for security.txt, which has a date.
 */

import { lazy } from "../lib/lazy.ts";
import type { Locale } from "../schemas/site_data.ts";
import type { PageAddress } from "../site/urls.ts";
import type { AppHandler, RouteDeps } from "./env.ts";
import { prebuildPlain, respond } from "./http/prebuilt.ts";
import { MINUTES_5, publicDocument } from "./http/public_document.ts";
import { apiSecurityHeaders } from "./http/security_headers.ts";
import { API_CATALOG, API_CATALOG_TYPE, CONTENT_TYPES } from "./pages.ts";

const PLAIN = "text/plain; charset=utf-8";
const MARKDOWN = CONTENT_TYPES.markdown;

/** Search engines should show pages, not what is meant for agents. */
const NO_INDEX = { "x-robots-tag": "noindex" };

/** RFC 9727 §4: the profile distinguishes a catalog from other linksets. */
const CATALOG_PROFILE = "https://www.rfc-editor.org/info/rfc9727";

type Name =
  | ("siteIndex" | "openApiJson" | "openApiYaml" | "sitemap" | "sitemapMarkdown" | "robots")
  | ("webManifest" | "apiCatalog" | "securityTxt" | "ard" | "agentSkills" | "skill");

export function discovery(
  { site, assets, config, now }: Pick<RouteDeps, "site" | "assets" | "config" | "now">,
):
  & Record<Name, AppHandler>
  & Record<"llms" | "llmsFull" | "searchIndex", (locale: Locale) => AppHandler>
  & { readonly feed: (page: PageAddress) => AppHandler } {
  const { siteUrl } = config;
  function document(contentType: string, build: () => Promise<string>, headers = {}): AppHandler {
    return publicDocument(contentType, { siteUrl, build, headers });
  }
  const json = (build: () => Promise<unknown>) =>
    document("application/json", async () => JSON.stringify(await build()));
  const indexes = () => import("../site/llms_and_sitemaps.ts");
  const wellKnown = () => import("../site/well_known.ts");
  const agents = () => import("../site/agent_skills.ts");
  const openApi = lazy(async () => (await import("../schemas/openapi.ts")).openApiDocument(config));
  return {
    siteIndex: json(async () => (await indexes()).siteIndexOf(await site())),
    openApiJson: json(openApi),
    openApiYaml: document("application/yaml", async () => {
      const { dump } = await import("js-yaml");
      // Anchors would be legal YAML, but many OpenAPI readers do not follow them.
      return dump(await openApi(), { noRefs: true });
    }),
    llms: (locale) => document(PLAIN, async () => (await indexes()).llmsOf(locale, await site())),
    llmsFull: (locale) =>
      document(PLAIN, async () => (await indexes()).llmsFullOf(locale, await site())),
    searchIndex: (locale) =>
      document("application/json", async () => {
        const { searchIndexOf } = await import("../site/search_index.ts");
        return JSON.stringify(await searchIndexOf(locale, await site()));
      }, NO_INDEX),
    sitemap: document(
      "application/xml; charset=utf-8",
      async () => (await indexes()).sitemapOf(await site()),
    ),
    sitemapMarkdown: document(
      MARKDOWN,
      async () => (await indexes()).sitemapMarkdownOf(await site()),
      NO_INDEX,
    ),
    feed: (page) =>
      document("application/atom+xml; charset=utf-8", async () => (await site()).feed(page)),
    robots: document(PLAIN, async () => (await wellKnown()).robotsOf(config)),
    webManifest: document(
      "application/manifest+json",
      async () => assets.link(JSON.stringify((await wellKnown()).webManifest(config)), "json"),
    ),
    apiCatalog: document(
      `${API_CATALOG_TYPE}; profile="${CATALOG_PROFILE}"`,
      async () => JSON.stringify((await wellKnown()).apiCatalog(config)),
      { link: `<${siteUrl}${API_CATALOG}>; rel="api-catalog"` },
    ),
    ard: json(async () => (await agents()).ardOf(config)),
    agentSkills: json(async () => (await agents()).skillIndexOf(config)),
    skill: document(MARKDOWN, async () => (await agents()).skillOf(config), NO_INDEX),
    securityTxt: async (c) => {
      const text = (await wellKnown()).securityTxt(config, now());
      const headers = { "content-type": PLAIN, ...MINUTES_5, ...apiSecurityHeaders(siteUrl) };
      return respond(c, prebuildPlain(text, { status: 200, headers }));
    },
  };
}
