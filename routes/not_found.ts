/**
 * @module Requests that no route matches: 405 with `Allow` where the path has routes (RFC 9110 §15.5.6), a
 * redirect from a page's path with a trailing slash, else 404, as JSON below /api and as a page elsewhere.
 */

import type { NotFoundHandler } from "@hono/hono";
import { localeOfPath, NOT_FOUND_PAGE, type PageAddress } from "../site/urls.ts";
import type { Env, RouteDeps } from "./env.ts";
import { queryOf } from "./http/fields.ts";
import { NO_HOST } from "./http/host.ts";
import { respond } from "./http/prebuilt.ts";
import { MINUTES_5 } from "./http/public_document.ts";
import { pageSecurityHeaders } from "./http/security_headers.ts";
import { page } from "./pages.ts";

/** Paths of the API, where a 404 is JSON. */
const API_PATH = /^\/api(?:\/|$)/;

/** @param options.allowed `Allow` of each path that has a route */
export function notFoundOrMethodNotAllowed(
  { errors, ...deps }: Pick<RouteDeps, "errors" | "site" | "assets" | "config">,
  { allowed, pages }: { allowed: ReadonlyMap<string, string>; pages: readonly PageAddress[] },
): NotFoundHandler<Env> {
  const { siteUrl } = deps.config;
  const refusals = new Map(
    [...new Set(allowed.values())].map((allow) =>
      [allow, errors.prebuild("method_not_allowed", { allow })] as const
    ),
  );
  const badHost = errors.prebuild("bad_host");
  const noSuchApi = errors.prebuild("not_found");
  const noSuchUrl = new Map(
    pages.filter(({ name }) => name === NOT_FOUND_PAGE)
      .map((address) => [address.locale, page(address, { ...deps, pages })]),
  );
  const paths = pages.filter(({ name, path }) => path !== "/" && name !== NOT_FOUND_PAGE)
    .map(({ path }) => path);
  const redirects = new Map(paths.map((path) => [`${path}/`, path]));
  return (c) => {
    const { path } = c.req;
    if (path === NO_HOST) return respond(c, badHost);
    const refusal = refusals.get(allowed.get(path) ?? "");
    if (refusal !== undefined) return respond(c, refusal);
    const location = redirects.get(path);
    if (location !== undefined) {
      const to = location + (URL.parse(queryOf(c.req.raw), siteUrl)?.search ?? "");
      const headers = { ...pageSecurityHeaders(siteUrl), ...MINUTES_5, location: to };
      return new Response(null, { status: 308, headers });
    }
    const handlers = noSuchUrl.get(localeOfPath(path));
    if (handlers === undefined || API_PATH.test(path)) return respond(c, noSuchApi);
    return handlers[path.endsWith(".md") ? "markdown" : "negotiated"](c);
  };
}
