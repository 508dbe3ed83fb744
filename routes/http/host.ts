/** @module The path of a request, unless its Host field names no host (RFC 9112 §3.2). */

import { getPath } from "@hono/hono/utils/url";

/** A registered name, an IPv4 address or an IPv6 literal, and perhaps a port (RFC 3986 §3.2.2). */
const HOST = /^(?:[\w.!$&'()*+,;=~%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Stands for the path where Host names no host: no path has a question mark. */
export const NO_HOST = "/?";

/**
 * The path that a request asks for. Deno writes `request.url` from Host, unchecked: with `Host: a/b` the
 * path would begin with `/b`. Host may be absent, as it is in HTTP/1.0 and HTTP/2, and the path of an
 * absolute target, too: `GET http://example.com?q` (RFC 9110 §4.2.3).
 */
export function pathOf(request: Request): string {
  const isHost = HOST.test(request.headers.get("host") ?? "");
  return isHost ? getPath(request) || "/" : NO_HOST;
}
