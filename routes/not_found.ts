/**
 * @module Requests that no route matches: 405 with `Allow` where the path has routes (RFC 9110 §15.5.6), a
 * redirect from a page's path with a trailing slash, else 404, as JSON below /api and as a page elsewhere.
 */

import type { NotFoundHandler } from "@hono/hono";
import { type Locale, LOCALES } from "../schemas/site_data.ts";
import { localeOfPath, type PageAddress } from "../site/urls.ts";
import type { AppHandler, Env, RouteDeps } from "./env.ts";
import { queryOf } from "./http/fields.ts";
import { NO_HOST } from "./http/host.ts";
import type { Representation } from "./http/negotiation.ts";
import { prebuildCoded, prebuiltOnce, respond } from "./http/prebuilt.ts";
import { MINUTES_5 } from "./http/public_document.ts";
import { pageSecurityHeaders } from "./http/security_headers.ts";
import { CONTENT_TYPES, linkHeader, NEGOTIATED, negotiated } from "./pages.ts";

/** Paths of the API, where a 404 is JSON. */
const API_PATH = /^\/api(?:\/|$)/;

/** @param options.allowed `Allow` of each path that has a route */
export function notFoundOrMethodNotAllowed(
  { errors, site, assets, config }: Pick<RouteDeps, "errors" | "site" | "assets" | "config">,
  { allowed, pages }: { allowed: ReadonlyMap<string, string>; pages: readonly PageAddress[] },
): NotFoundHandler<Env> {
  const { siteUrl } = config;
  const refusals = new Map(
    [...new Set(allowed.values())].map((allow) =>
      [allow, errors.prebuild("method_not_allowed", { allow })] as const
    ),
  );
  const badHost = errors.prebuild("bad_host");
  const noSuchApi = errors.prebuild("not_found");
  const noSuchUrl = noSuchPage({ site, assets, config });
  const paths = pages.map(({ path }) => path).filter((path) => path !== "/");
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
    return API_PATH.test(path) ? respond(c, noSuchApi) : noSuchUrl(c);
  };
}

/** The page for unknown paths: one answer for each language and representation. */
function noSuchPage(
  { site, assets, config: { siteUrl } }: Pick<RouteDeps, "site" | "assets" | "config">,
): AppHandler {
  const build = (locale: Locale, name: Representation, headers = {}): AppHandler =>
    prebuiltOnce(async () => {
      const text = (await (await site()).notFound(locale))[name];
      return prebuildCoded(name === "html" ? await assets.link(text, name) : text, {
        status: 404,
        headers: {
          "content-type": CONTENT_TYPES[name],
          ...pageSecurityHeaders(siteUrl),
          "cache-control": "public, max-age=60", // a page may be published there any time
          ...headers,
          "content-language": locale,
          link: linkHeader(siteUrl, { locale }),
        },
      });
    });
  const answers = new Map(LOCALES.map((locale) => {
    const html = build(locale, "html", NEGOTIATED);
    const markdown = build(locale, "markdown", NEGOTIATED);
    const page = negotiated({ html, markdown });
    return [locale, { page, sibling: build(locale, "markdown") }] as const;
  }));
  return (c) => {
    const { page, sibling } = answers.get(localeOfPath(c.req.path))!;
    return (c.req.path.endsWith(".md") ? sibling : page)(c);
  };
}
