/** @module Whether a Host field names a host (RFC 9112 §3.2). */

/** A registered name, an IPv4 address or an IPv6 literal, and perhaps a port (RFC 3986 §3.2.2). */
const HOST = /^(?:[\w.!$&'()*+,;=~%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * Whether a Host field names a host. Deno writes `request.url` from it, unchecked: with `Host: a/b` the
 * path would begin with `/b`. An absent field is fine, as it is in HTTP/1.0 and HTTP/2; that HTTP/1.1
 * requires it cannot be told from here.
 */
export function isValidHost(host: string | null): boolean {
  return host === null || HOST.test(host);
}
