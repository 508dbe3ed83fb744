/**
 * @module The whole URL space of the service on one page. Composes handlers and nothing else.
 *
 * There is no middleware: what every answer carries is part of what each handler has prebuilt.
 */

import { Hono } from "@hono/hono";
import type { Config } from "../config.ts";
import type { Leads } from "../leads/leads.ts";
import { errorName, type Log } from "../leads/log.ts";
import { createApiErrors } from "./api_error.ts";
import { type AssetSource, createAssets } from "./assets.ts";
import { createContactForm } from "./contact_form.ts";
import { createDiscovery } from "./discovery.ts";
import { createHealth } from "./health.ts";
import { answer } from "./http/prebuilt.ts";
import { type AppEnv, type Methods, preflightHeaders, resource } from "./http/resource.ts";
import { apiSecurityHeaders, pageSecurityHeaders } from "./http/security_headers.ts";
import { createLead } from "./lead.ts";
import { createOpenApi } from "./openapi.ts";
import { createPages } from "./pages.ts";
import { createSiteIndex } from "./site_index.ts";
import { contactPaths, LOCALES } from "../site/page_path.ts";
import { createSite, type PageSource } from "../site/site.ts";

/** What the app works with; everything that reaches outside the process comes in here. */
export interface AppDeps {
  readonly config: Config;
  readonly leads: () => Promise<Pick<Leads, "intake" | "log">>;
  readonly pages: PageSource;
  readonly assets: AssetSource;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The service as a fetch handler: `app.fetch(request, connection)`. */
export function createApp({ config, leads, pages, assets, log, now }: AppDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const errors = createApiErrors(config.siteUrl);
  const openApi = createOpenApi(config);
  const { siteUrl } = config;
  const site = createSite(pages, config);

  function serve(path: string, methods: Methods, headers?: Record<string, string>): void {
    resource(app, path, {
      ...methods,
      methodNotAllowed: (allow) => errors.prebuild("method_not_allowed", { headers: { allow } }),
      headers: headers ?? { ...apiSecurityHeaders(siteUrl), ...preflightHeaders(methods) },
    });
  }

  serve("/api/health", { get: createHealth(config) });
  serve("/api/site", { get: createSiteIndex(config) });
  serve("/api/lead", { post: createLead({ config, errors, leads }) });
  serve("/openapi.json", { get: openApi.json });
  serve("/api/openapi.yaml", { get: openApi.yaml });

  // /llms.txt, /llms-full.txt, each also below /de; /sitemap.xml, /sitemap.md, /robots.txt,
  // /site.webmanifest, /.well-known/api-catalog, /.well-known/security.txt
  for (const [path, get] of Object.entries(createDiscovery({ site, facts: config, now }))) {
    serve(path, { get });
  }
  serve("/assets/:name", { get: createAssets(assets, siteUrl) });

  const page = createPages({ site, siteUrl, errors });
  // /contact and /de/contact, each with its page of thanks
  for (const locale of LOCALES) {
    const paths = contactPaths(locale);
    const form = createContactForm(locale, { config, site, leads });
    serve(paths.form, { get: page, post: form.post }, pageSecurityHeaders(siteUrl));
    serve(paths.sent, { get: form.sent }, pageSecurityHeaders(siteUrl));
  }

  const noSuchApi = errors.prebuild("not_found");
  app.notFound((c) => /^\/api(?:\/|$)/.test(c.req.path) ? answer(c.req.raw, noSuchApi) : page(c));

  function fail(error: unknown): Response {
    const requestId = crypto.randomUUID();
    log.error("request.failed", { requestId, reason: errorName(error), at: placeOf(error) });
    return errors.respond("internal_error", { headers: { "x-request-id": requestId } });
  }
  app.onError(fail);
  // Hono hands on only what is an Error; anything else that is thrown must not get out either.
  const { fetch } = app;
  app.fetch = (request, ...rest) => {
    try {
      const response = fetch(request, ...rest);
      return response instanceof Promise ? response.catch(fail) : response;
    } catch (error) {
      return fail(error);
    }
  };
  return app;
}

/** Where an error was thrown: the innermost place in the code, without the message before it. */
function placeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  const frames = error.stack.slice(error.stack.indexOf(error.message) + error.message.length);
  return frames.split("\n").find((line) => /^\s+at /.test(line))?.trim();
}
