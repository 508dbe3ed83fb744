/** @module The methods of each path, and OPTIONS (RFC 9110 §9.3.7; CORS preflight, Fetch §3.2). */

import type { Context, Hono } from "@hono/hono";

/** `Allow` of each path that has a route: GET implies HEAD, and every path has OPTIONS. */
export function allowedMethods(routes: Hono["routes"]): ReadonlyMap<string, string> {
  return new Map(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, all]) => {
      const methods = new Set(all.map(({ method }) => method === "GET" ? "GET, HEAD" : method));
      return [path, [...methods, "OPTIONS"].join(", ")];
    }),
  );
}

/** Answers OPTIONS with the given headers on every path that has a route, else 404. */
export function preflight(
  allowed: ReadonlyMap<string, string>,
  { headersOf }: { readonly headersOf: (path: string) => Readonly<Record<string, string>> },
): (c: Context) => Response | Promise<Response> {
  return (c) => {
    const allow = allowed.get(c.req.path);
    if (allow === undefined) return c.notFound();
    const headers = headersOf(c.req.path);
    const cors = "access-control-allow-origin" in headers && {
      "access-control-allow-methods": allow,
      "access-control-allow-headers": "content-type, authorization",
      "access-control-max-age": "7200",
    };
    return new Response(null, { status: 204, headers: { ...headers, ...cors, allow } });
  };
}
