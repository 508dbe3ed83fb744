/**
 * @module The path that a request asks for, and whether its Host can be believed.
 *
 * The server writes `request.url` from the Host field and the request target as they came, neither
 * checked nor normalised. Routes are found by exact path, so nothing here has to be undone: what is
 * unusual is a path that does not exist.
 */

/**
 * The path of a request's URL, without query and fragment. Percent-encoded characters are decoded
 * where that changes nothing of the path's structure (RFC 3986 §6.2.2.2): `%64` is `d`, `%2F` stays.
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(pathOf("https://www.example.com/de/docs?q=1"), "/de/docs");
 * strictEqual(pathOf("https://www.example.com/%64ocs"), "/docs");
 * strictEqual(pathOf("https://www.example.com/a%2Fb%"), "/a%2Fb%");
 * ```
 */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf(":") + 3); // what follows `://`
  let end = start;
  let encoded = false;
  for (; end < url.length; end++) {
    const code = url.charCodeAt(end);
    if (code === 63 /* ? */ || code === 35 /* # */) break;
    if (code === 37 /* % */) encoded = true;
  }
  const path = url.slice(start, end);
  return encoded ? decoded(path) : path;
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** A registered name, an IPv4 address or an IPv6 literal, and perhaps a port (RFC 3986 §3.2.2). */
const HOST = /^(?:[\w.!$&'()*+,;=~%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** The Host that was found good last: nearly every request of a service has the same. */
let lastGood: string | null = null;

/**
 * Whether a Host field can be what RFC 9112 §3.2 asks for. Otherwise the path in `request.url` need
 * not be the path that was asked for: with `Host: a/b` it begins with `/b`. An absent field is
 * fine, as it is in HTTP/1.0 and HTTP/2; that HTTP/1.1 requires it cannot be told from here.
 */
export function isGoodHost(host: string | null): boolean {
  if (host === lastGood || host === null) return true;
  if (!HOST.test(host)) return false;
  lastGood = host;
  return true;
}
