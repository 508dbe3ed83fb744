/**
 * @module The whole URL space of the service on one page: composes handlers, and answers where one of
 * them fails.
 *
 * There is no middleware: what every answer carries is part of what each handler has prebuilt.
 */

import type { Config } from "../config/config.ts";
import type { Leads } from "../leads/leads.ts";
import { errorName, type Log } from "../leads/log.ts";
import { failureDocument } from "../site/failure.ts";
import { contactPaths, localeOfPath, LOCALES } from "../site/page_path.ts";
import { PageFault } from "../site/page_fault.ts";
import type { PageSource } from "../site/site.ts";
import { createApiErrors } from "./api_error.ts";
import { ASSETS, type AssetSource, createAssets } from "./assets.ts";
import { createContactForm } from "./contact_form.ts";
import { createDiscovery } from "./discovery.ts";
import { createHealth } from "./health.ts";
import { chooseRepresentation } from "./http/negotiation.ts";
import { pathTable } from "./http/path_table.ts";
import { answer, once } from "./http/prebuilt.ts";
import { isGoodHost, pathOf } from "./http/request_path.ts";
import {
  type Connection,
  type Handler,
  type Methods,
  preflightHeaders,
  resource,
} from "./http/resource.ts";
import { apiSecurityHeaders, pageSecurityHeaders } from "./http/security_headers.ts";
import { createLead } from "./lead.ts";
import { createOpenApi } from "./openapi.ts";
import { createPages } from "./pages.ts";
import { createSiteIndex } from "./site_index.ts";

/** What the app works with; everything that reaches outside the process comes in here. */
export interface AppDeps {
  readonly config: Config;
  /** Loaded with the first lead. */
  readonly leads: () => Promise<Pick<Leads, "intake" | "log">>;
  readonly pages: PageSource;
  readonly assets: AssetSource;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The service as a fetch handler. */
export interface App {
  /** Every path that has a route of its own; all others are pages, or are not there. */
  readonly paths: readonly string[];
  /** Answers a request, also one that breaks something. Never rejects. */
  fetch(request: Request, connection: Connection): Response | Promise<Response>;
  /** To be told before the server stops: a body that breaks off then is not its sender's fault. */
  stop(): void;
}

/** Puts all routes together. Loads nothing that a first `GET /api/health` can do without. */
export function createApp({ config, leads, pages, assets, log, now }: AppDeps): App {
  const routes = new Map<string, Handler>();
  const errors = createApiErrors(config.siteUrl);
  const openApi = createOpenApi(config);
  const { siteUrl } = config;
  let stopping = false;
  const isStopping = () => stopping;
  const site = once(async () => {
    const { createSite } = await import("../site/site.ts");
    return createSite(pages, config);
  });

  function serve(path: string, methods: Methods, headers = forAnyOrigin(methods)): void {
    const { methodNotAllowed } = errors;
    routes.set(path, resource(methods, { methodNotAllowed, headers }));
  }
  function forAnyOrigin(methods: Methods): Record<string, string> {
    return { ...apiSecurityHeaders(siteUrl), ...preflightHeaders(methods) };
  }

  serve("/api/health", { get: createHealth(config) });
  serve("/api/site", { get: createSiteIndex(config) });
  serve("/api/lead", { post: createLead({ config, errors, leads, isStopping }) });
  serve("/openapi.json", { get: openApi.json });
  serve("/api/openapi.yaml", { get: openApi.yaml });

  // /llms.txt, /llms-full.txt, each also below /de; /sitemap.xml, /sitemap.md, /robots.txt,
  // /site.webmanifest, /.well-known/api-catalog, /.well-known/security.txt
  for (const [path, get] of Object.entries(createDiscovery({ site, facts: config, now }))) {
    serve(path, { get });
  }
  const page = createPages({ site, siteUrl, errors });
  serve(ASSETS, { get: createAssets(assets, { siteUrl, notFound: page }) });
  // /contact and /de/contact, each with its page of thanks
  for (const locale of LOCALES) {
    const paths = contactPaths(locale);
    const form = createContactForm(locale, { config, site, leads, isStopping });
    serve(paths.form, { get: page, post: form.post }, pageSecurityHeaders(siteUrl));
    serve(paths.sent, { get: form.sent }, pageSecurityHeaders(siteUrl));
  }

  const notFound = errors.prebuild("not_found");
  const noSuchApi: Handler = (request) => answer(request, notFound);
  const badHost = errors.prebuild("bad_host");

  const table = pathTable(routes);

  function find(path: string): Handler {
    return table(path) ?? (path.startsWith(ASSETS) ? table(ASSETS) : undefined) ??
      (/^\/api(?:\/|$)/.test(path) ? noSuchApi : page);
  }

  const forms = LOCALES.flatMap((locale) => Object.values(contactPaths(locale)));

  /** Whoever asked for a page gets one; whatever else was asked for, the error as JSON. */
  function fail(error: unknown, request: Request): Response {
    const requestId = crypto.randomUUID();
    log.error("request.failed", {
      requestId,
      reason: errorName(error),
      at: placeOf(error),
      // Where an author has to look; what any other error says may be a visitor's words.
      ...(error instanceof PageFault ? { fault: error.message } : {}),
    });
    const path = pathOf(request.url);
    const isPage = find(path) === page || forms.includes(path);
    if (!isPage || chooseRepresentation(request.headers.get("accept")) !== "html") {
      return errors.respond("internal_error", { headers: { "x-request-id": requestId } });
    }
    const locale = localeOfPath(path);
    return new Response(failureDocument(locale, requestId), {
      status: 500,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-language": locale,
        "cache-control": "no-store",
        ...pageSecurityHeaders(siteUrl),
        "x-request-id": requestId,
      },
    });
  }

  return {
    paths: [...routes.keys()],
    fetch(request, connection) {
      try {
        if (!isGoodHost(request.headers.get("host"))) return answer(request, badHost);
        const path = pathOf(request.url);
        const response = find(path)(request, { path, connection });
        return response instanceof Promise
          ? response.catch((error) => fail(error, request))
          : response;
      } catch (error) {
        return fail(error, request);
      }
    },
    stop() {
      stopping = true;
    },
  };
}

/** Where an error was thrown: the innermost place in the code, without the message before it. */
function placeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  const frames = error.stack.slice(error.stack.indexOf(error.message) + error.message.length);
  return frames.split("\n").find((line) => /^\s+at /.test(line))?.trim();
}
