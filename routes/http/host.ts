/** @module The path of a request, if its Host field is valid (RFC 9112 §3.2). */

/** A registered name, an IPv4 address or an IPv6 literal, and perhaps a port (RFC 3986 §3.2.2). */
const HOST = /^(?:[\w.!$&'()*+,;=~%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** The path of a URL; empty before a query. CONNECT has neither. */
const PATH = /^[^:]*:\/\/[^/?#]*(\/[^?#]*|(?=\?))/;

/** The path of a request with an invalid Host; no other path has a question mark. */
export const NO_HOST = "/?";

/**
 * The path of a request. Deno builds `request.url` from Host unchecked: with `Host: a/b` the path would
 * begin with `/b`. Host may be absent, as in HTTP/1.0 and HTTP/2, and so may the path of an absolute
 * target: `GET http://example.com?q` (RFC 9110 §4.2.3).
 */
export function pathOf(request: Request): string {
  return HOST.test(request.headers.get("host") ?? "") ? pathOfUrl(request.url) : NO_HOST;
}

/**
 * The decoded path of a URL, `*` for CONNECT. Not Hono's `getPath`: it throws and catches an error for
 * each sequence that is not UTF-8, 100 ms for a path of 60 KB.
 */
export function pathOfUrl(url: string): string {
  const found = PATH.exec(url);
  if (found === null) return "*"; // no page; Hono fails without a path
  const path = found[1] || "/";
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch { // not UTF-8: a path of the API is still one
    return path.replace(/%[2-7][\da-f]/gi, decodeURI);
  }
}
