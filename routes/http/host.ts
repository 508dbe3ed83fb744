/**
 * @module Refuses requests whose Host names no host (RFC 9112 §3.2), before the app looks at their URL.
 */

import type { Hono } from "@hono/hono";
import type { ApiErrors } from "../api_error.ts";
import type { Connection, Env } from "../env.ts";

/** A registered name, an IPv4 address or an IPv6 literal, and perhaps a port (RFC 3986 §3.2.2). */
const HOST = /^(?:[\w.!$&'()*+,;=~%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * Whether a Host field names a host. Deno writes `request.url` from it, unchecked: with `Host: a/b` the
 * path would begin with `/b`. An absent field is fine, as it is in HTTP/1.0 and HTTP/2; that HTTP/1.1
 * requires it cannot be told from here.
 */
function isValidHost(host: string | null): boolean {
  return host === null || HOST.test(host);
}

/** The app as the server calls it. */
export function behindHostCheck(
  app: Hono<Env>,
  errors: Pick<ApiErrors, "respond">,
): (request: Request, connection: Connection) => Response | Promise<Response> {
  return (request, connection) =>
    isValidHost(request.headers.get("host"))
      ? app.fetch(request, connection)
      : errors.respond("bad_host", {});
}
