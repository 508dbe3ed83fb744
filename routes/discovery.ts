/**
 * @module What crawlers and agents look for at fixed addresses: llms.txt and llms-full.txt in each
 * language, the sitemaps, robots.txt, the API catalog, security.txt, the web app manifest.
 *
 * Each answer but security.txt, which has a date, is built with its first request.
 */

import type { SiteFacts } from "../site/facts.ts";
import type { Locale } from "../site/page_path.ts";
import type { Site } from "../site/site.ts";
import type { AppHandler } from "./env.ts";
import { prebuild, prebuildPlain, prebuiltOnce, respond } from "./http/prebuilt.ts";
import { apiSecurityHeaders } from "./http/security_headers.ts";
import { API_CATALOG, API_CATALOG_TYPE } from "./page_links.ts";

/** What discovery works with. */
export interface DiscoveryDeps {
  readonly site: () => Promise<Site>;
  readonly facts: SiteFacts;
  /** Milliseconds since the epoch. */
  now(): number;
}

const PLAIN = "text/plain; charset=utf-8";
const CACHING = { "cache-control": "public, max-age=300" };

/** RFC 9727 §4: the profile tells a catalog from other linksets. */
const CATALOG_PROFILE = "https://www.rfc-editor.org/info/rfc9727";

/** The handlers of GET. */
export interface Discovery {
  llms(locale: Locale): AppHandler;
  llmsFull(locale: Locale): AppHandler;
  readonly sitemap: AppHandler;
  readonly sitemapMarkdown: AppHandler;
  readonly robots: AppHandler;
  readonly webManifest: AppHandler;
  readonly apiCatalog: AppHandler;
  readonly securityTxt: AppHandler;
}

/** Creates the handlers. */
export function discovery({ site, facts, now }: DiscoveryDeps): Discovery {
  const { siteUrl } = facts;
  const common = { ...CACHING, ...apiSecurityHeaders(siteUrl) };

  function document(
    contentType: string,
    { text, headers = {} }: {
      readonly text: () => Promise<string>;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): AppHandler {
    return prebuiltOnce(async () =>
      prebuild(await text(), { "content-type": contentType, ...common, ...headers })
    );
  }

  const wellKnown = () => import("../site/well_known.ts");
  return {
    llms: (locale) => document(PLAIN, { text: async () => (await site()).llms(locale) }),
    llmsFull: (locale) => document(PLAIN, { text: async () => (await site()).llmsFull(locale) }),
    sitemap: document("application/xml; charset=utf-8", {
      text: async () => (await site()).sitemap(),
    }),
    sitemapMarkdown: document("text/markdown; charset=utf-8", {
      text: async () => (await site()).sitemapMarkdown(),
      headers: { "x-robots-tag": "noindex" },
    }),
    robots: document(PLAIN, {
      text: async () => (await wellKnown()).robotsOf(facts),
    }),
    webManifest: document("application/manifest+json", {
      text: async () => JSON.stringify((await wellKnown()).webManifest(facts)),
    }),
    apiCatalog: document(`${API_CATALOG_TYPE}; profile="${CATALOG_PROFILE}"`, {
      text: async () => JSON.stringify((await wellKnown()).apiCatalog(facts)),
      headers: { link: `<${siteUrl}${API_CATALOG}>; rel="api-catalog"` },
    }),
    securityTxt: async (c) => {
      const text = (await wellKnown()).securityTxt(facts, now());
      return respond(c, prebuildPlain(text, 200, { "content-type": PLAIN, ...common }));
    },
  };
}
