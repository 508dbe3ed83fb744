/**
 * @module Requests that no route matches: 405 with `Allow` where the path has routes (RFC 9110 §15.5.6); a
 * redirect from a page's path with a trailing slash, and from guesses at the API description; else 404, as
 * JSON below /api and as what the client prefers elsewhere.
 */

import type { NotFoundHandler } from "@hono/hono";
import { localeOfPath, NOT_FOUND_PAGE, type PageAddress } from "../site/urls.ts";
import type { Env, RouteDeps } from "./env.ts";
import { queryOf } from "./http/fields.ts";
import { NO_HOST } from "./http/host.ts";
import { chooseRepresentation } from "./http/negotiation.ts";
import { respond } from "./http/prebuilt.ts";
import { MINUTES_5 } from "./http/public_document.ts";
import { apiSecurityHeaders, pageSecurityHeaders } from "./http/security_headers.ts";
import { NEGOTIATED, page } from "./pages.ts";

/** Where clients guess the API description. */
export const GUESSED_PATHS: Readonly<Record<string, readonly string[]>> = {
  "/openapi.json": [
    ...["/openapi", "/swagger.json", "/api-docs", "/v3/api-docs"],
    ...["/api/openapi", "/api/openapi.json", "/api/swagger.json"],
  ],
  "/api/openapi.yaml": ["/openapi.yaml", "/openapi.yml", "/swagger.yaml", "/api/openapi.yml"],
};

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
  const noSuchJson = errors.prebuild("not_found", NEGOTIATED);
  const noSuchUrl = new Map(
    pages.filter(({ name }) => name === NOT_FOUND_PAGE)
      .map((address) => [address.locale, page(address, { ...deps, pages })]),
  );
  const paths = pages.filter(({ name, path }) => path !== "/" && name !== NOT_FOUND_PAGE)
    .map(({ path }) => path);
  const redirects = new Map([
    ...paths.map((path) => [`${path}/`, { path, headersOf: pageSecurityHeaders }] as const),
    ...Object.entries(GUESSED_PATHS).flatMap(([path, guesses]) =>
      guesses.map((guess) => [guess, { path, headersOf: apiSecurityHeaders }] as const)
    ),
  ]);
  return (c) => {
    const { path } = c.req;
    if (path === NO_HOST) return respond(c, badHost);
    const refusal = refusals.get(allowed.get(path) ?? "");
    if (refusal !== undefined) return respond(c, refusal);
    const redirect = redirects.get(path);
    if (redirect !== undefined) {
      const location = redirect.path + (URL.parse(queryOf(c.req.raw), siteUrl)?.search ?? "");
      const headers = { ...redirect.headersOf(siteUrl), ...MINUTES_5, location };
      return new Response(null, { status: 308, headers });
    }
    const handlers = noSuchUrl.get(localeOfPath(path));
    if (handlers === undefined || API_PATH.test(path)) return respond(c, noSuchApi);
    if (path.endsWith(".md")) return handlers.markdown(c);
    return chooseRepresentation(c, ["markdown", "json"]) === "json"
      ? respond(c, noSuchJson)
      : handlers.negotiated(c);
  };
}
