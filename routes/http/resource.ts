/**
 * @module One path and its methods: HEAD with GET, OPTIONS with `Allow` and CORS preflight, 405 for
 * every other method, invented ones included (RFC 9110 §9.3.7, §15.5.6; Fetch §3.2).
 *
 * Takes the place of Hono's method-not-allowed middleware, which would run on every request:
 * here the method is looked up in the one route of the path.
 */

import type { Handler, Hono } from "@hono/hono";
import { answer, type Prebuilt } from "./prebuilt.ts";

/** What the server tells of the connection. */
export interface Connection {
  readonly remoteAddr: Deno.Addr;
}

/** Hono's environment here: `c.env` is the connection. */
export interface AppEnv {
  Bindings: Connection;
}

/** A handler of this app. */
export type AppHandler = Handler<AppEnv>;

/** The methods that a path answers; HEAD comes with GET, OPTIONS always. */
export interface Methods {
  readonly get?: AppHandler | undefined;
  readonly post?: AppHandler | undefined;
}

/** How long a browser may keep a preflight's outcome, in seconds. */
const PREFLIGHT_MAX_AGE_S = 7200;

/** `Allow` of a path with these methods. */
export function allowOf(methods: Methods): string {
  return [...(methods.get ? ["GET", "HEAD"] : []), ...(methods.post ? ["POST"] : []), "OPTIONS"]
    .join(", ");
}

/**
 * Registers a path with all its methods, as one route: Hono answers a path with a single handler
 * without composing a chain.
 *
 * @param options.methodNotAllowed builds the 405 for an `Allow` value
 * @param options.headers what OPTIONS carries beside `Allow`
 */
export function resource(
  app: Hono<AppEnv>,
  path: string,
  { methodNotAllowed, headers, get, post }: Methods & {
    readonly methodNotAllowed: (allow: string) => Prebuilt;
    readonly headers: Readonly<Record<string, string>>;
  },
): void {
  const allow = allowOf({ get, post });
  const refusal = methodNotAllowed(allow);
  const options = { status: 204, headers: { ...headers, allow } };
  app.all(path, (c, next) => {
    switch (c.req.method) {
      case "GET":
      case "HEAD": // Hono drops the body of what the handler answers
        if (get) return get(c, next);
        break;
      case "POST":
        if (post) return post(c, next);
        break;
      case "OPTIONS":
        return new Response(null, options);
    }
    return answer(c.req.raw, refusal);
  });
}

/** What OPTIONS carries for a resource that any origin may use. */
export function preflightHeaders(methods: Methods): Record<string, string> {
  return {
    "access-control-allow-methods": allowOf(methods),
    "access-control-allow-headers": "content-type, authorization",
    "access-control-max-age": String(PREFLIGHT_MAX_AGE_S),
  };
}
