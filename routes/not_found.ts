/**
 * @module Requests that no route matches: 405 with `Allow` where the path has routes (RFC 9110 §15.5.6), a
 * redirect from a page's path with a trailing slash, else 404, as JSON below /api and as a page elsewhere.
 */

import type { NotFoundHandler } from "@hono/hono";
import type { Site } from "../site/site.ts";
import type { ApiErrors } from "./api_error.ts";
import type { Env } from "./env.ts";
import { respond } from "./http/prebuilt.ts";
import { noSuchPage, redirectTo } from "./pages.ts";

/** What it works with. */
export interface NotFoundDeps {
  /** `Allow` of each path that has a route. */
  readonly allowed: ReadonlyMap<string, string>;
  /** From a page's path with a trailing slash to the page. */
  readonly redirects: ReadonlyMap<string, string>;
  readonly site: () => Promise<Site>;
  readonly siteUrl: string;
  readonly errors: ApiErrors;
}

/** Whether a path belongs to the API, where a 404 is JSON. */
export function isApiPath(path: string): boolean {
  return /^\/api(?:\/|$)/.test(path);
}

/** Creates the handler. */
export function notFoundOrMethodNotAllowed(
  { allowed, redirects, errors, ...pages }: NotFoundDeps,
): NotFoundHandler<Env> {
  const refusals = new Map(
    [...new Set(allowed.values())].map((allow) => [allow, errors.methodNotAllowed(allow)]),
  );
  const noSuchApi = errors.prebuild("not_found");
  const noSuchUrl = noSuchPage(pages);
  return (c) => {
    const { path } = c.req;
    const refusal = refusals.get(allowed.get(path) ?? "");
    if (refusal !== undefined) return respond(c, refusal);
    const target = redirects.get(path);
    if (target !== undefined) return redirectTo(target, pages.siteUrl);
    return isApiPath(path) ? respond(c, noSuchApi) : noSuchUrl(c);
  };
}
