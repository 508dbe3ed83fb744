/**
 * @module The Hono app: every URL of the service on one page.
 *
 * There is no global middleware: common headers are part of each prebuilt answer, and Hono calls a
 * route's only handler synchronously.
 */

import { Hono } from "@hono/hono";
import { lazy } from "../lib/lazy.ts";
import type { AssetSource } from "../site/assets.ts";
import type { PageSource } from "../site/files.ts";
import { LOCALES } from "../schemas/site_data.ts";
import {
  addressesOf,
  AGENT_SKILLS,
  ARD,
  NOT_FOUND_PAGE,
  pathsIn,
  pathsOf,
  SKILL,
} from "../site/urls.ts";
import { ApiErrors } from "./api_error.ts";
import { asset, pathsOfAsset, readAssets } from "./assets.ts";
import { contactForm } from "./contact_form.ts";
import { discovery } from "./discovery.ts";
import type { Env, RouteDeps } from "./env.ts";
import { health } from "./health.ts";
import { pathOf } from "./http/host.ts";
import { allowedMethods, preflight } from "./http/methods.ts";
import { apiSecurityHeaders, pageSecurityHeaders } from "./http/security_headers.ts";
import { internalError } from "./internal_error.ts";
import { countAttempt, lead, type LoadLeads } from "./lead.ts";
import { notFoundOrMethodNotAllowed } from "./not_found.ts";
import { API_CATALOG, page } from "./pages.ts";

/** Dependencies of the app; everything outside the process is injected here. */
export interface AppDeps extends Omit<RouteDeps, "errors" | "site" | "assets"> {
  /** Loaded with the first lead. */
  readonly leads: LoadLeads;
  readonly pages: PageSource;
  readonly assets: AssetSource;
}

/**
 * Loads nothing that a first `GET /api/health` does not need.
 *
 * @throws {PageError} if the name of a page's source cannot be a URL
 */
export async function createApp(
  { config, leads, pages, assets: source, log, stopping, now }: AppDeps,
): Promise<Hono<Env>> {
  const { siteUrl } = config;
  const [assets, addresses] = await Promise.all([readAssets(source), addressesOf(pages)]);
  const app = new Hono<Env>({ getPath: (request) => assets.routePath(pathOf(request)) });
  const site = lazy(async () => (await import("../site/site.ts")).Site.read(pages, config, assets));
  const deps = { assets, config, errors: new ApiErrors(siteUrl), site, log, stopping, now };

  // API (specification §4)
  const documents = discovery(deps);
  const attempt = countAttempt(leads, config);
  app.get("/api/health", health(config));
  app.get("/api/site", documents.siteIndex);
  app.post("/api/lead", attempt, lead(deps));
  app.get("/openapi.json", documents.openApiJson);
  app.get("/api/openapi.yaml", documents.openApiYaml);

  // Discovery
  for (const locale of LOCALES) {
    app.get(pathsIn(locale).llms, documents.llms(locale)); // /llms.txt, /de/llms.txt
    app.get(pathsIn(locale).llmsFull, documents.llmsFull(locale)); // /llms-full.txt, /de/llms-full.txt
    app.get(pathsIn(locale).search, documents.searchIndex(locale)); // /search.json, /de/search.json
  }
  app.get("/sitemap.xml", documents.sitemap);
  app.get("/sitemap.md", documents.sitemapMarkdown);
  app.get("/robots.txt", documents.robots);
  app.get("/site.webmanifest", documents.webManifest);
  app.get(API_CATALOG, documents.apiCatalog); // /.well-known/api-catalog
  app.get("/.well-known/security.txt", documents.securityTxt);
  app.get(ARD, documents.ard); // /.well-known/ard.json
  app.get(AGENT_SKILLS, documents.agentSkills); // /.well-known/agent-skills/index.json
  app.get(SKILL, documents.skill); // /.well-known/agent-skills/send-an-enquiry/SKILL.md

  // Stylesheet, scripts and images
  for (const name of assets.names) {
    for (const path of pathsOfAsset(name)) app.get(path, asset(name, { assets, siteUrl }));
  }

  // Pages: each file of static/pages at its URL, and as markdown at the URL with .md
  const known = addresses.filter(({ name }) => name !== NOT_FOUND_PAGE);
  for (const address of known) {
    const { path, markdownPath, markdownAliases, feedPath } = address;
    const handlers = page(address, { ...deps, pages: known });
    app.get(path, handlers.negotiated);
    for (const url of [markdownPath, ...markdownAliases]) app.get(url, handlers.markdown);
    if (feedPath) app.get(feedPath, documents.feed(address)); // /changelog.xml, /blog.xml
  }

  // The contact form without JavaScript: /contact, /de/contact
  for (const locale of LOCALES) {
    app.post(pathsIn(locale).contact, attempt, contactForm(locale, deps));
  }

  const pagePaths = new Set(known.flatMap(pathsOf));
  const allowed = allowedMethods(app.routes); // from path to Allow
  const headersOf = (path: string) =>
    (pagePaths.has(path) ? pageSecurityHeaders : apiSecurityHeaders)(siteUrl);
  app.options("*", preflight(allowed, { headersOf }));
  app.notFound(notFoundOrMethodNotAllowed(deps, { allowed, pages: addresses }));
  app.onError(internalError(deps, (path) => pagePaths.has(path) || !allowed.has(path)));
  return app;
}
