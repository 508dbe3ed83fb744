/** @module The path of a request, if its Host field is valid (RFC 9112 §3.2). */

import { getPath } from "@hono/hono/utils/url";

/** A registered name, an IPv4 address or an IPv6 literal, and perhaps a port (RFC 3986 §3.2.2). */
const HOST = /^(?:[\w.!$&'()*+,;=~%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** The path of a request with an invalid Host; no other path has a question mark. */
export const NO_HOST = "/?";

/**
 * The path of a request. Deno builds `request.url` from Host unchecked: with `Host: a/b` the path would
 * begin with `/b`. Host may be absent, as in HTTP/1.0 and HTTP/2, and so may the path of an absolute
 * target: `GET http://example.com?q` (RFC 9110 §4.2.3).
 */
export function pathOf(request: Request): string {
  const isHost = HOST.test(request.headers.get("host") ?? "");
  return isHost ? getPath(request) || "/" : NO_HOST;
}
