/** @module Faults in HTTP: methods, headers, conditional requests, negotiation. */

import {
  becomes,
  body,
  given,
  header,
  isApi,
  isPage,
  LEAD,
  matches,
  on,
  onLead,
  requestHeader,
  requests,
  to,
  when,
  without,
} from "./changes.ts";
import type { Fault, MutantTable } from "./mutant.ts";

const HTML = "text/html";
const MARKDOWN = "text/markdown";

/** Replaces Accept fields that an expression matches. */
const accepting = (expression: RegExp, accept: string): Fault =>
  requests(({ headers }) => matches(headers["accept"], expression), { headers: { accept } });

/** Qualities rounded to one digit. */
const rounded = (accept: string) =>
  accept.replace(/q=(0\.\d\d+)/g, (_all, q) => `q=${Math.round(Number(q) * 10) / 10}`);

/** Deviations from HTTP. */
export const PROTOCOL: MutantTable = {
  "405 on one path lacks Allow": [on("/api/site", when(405, without("allow"))), "allow_on_405"],
  "Allow on 405 does not name HEAD, which works": when(
    405,
    header("allow", (allow) => allow.replace(", HEAD", "")),
  ),
  "Allow names PUT, which does not work": [
    on(LEAD, header("allow", (allow) => `${allow}, PUT`)),
    "allow",
  ],
  "DELETE is answered 404 instead of 405": [
    on("/api/health", to("DELETE", becomes(404))),
    "method_not_allowed",
  ],
  "a method that the liveness probe does not have is answered 400": on(
    "/api/health",
    when(405, becomes(400)),
  ),
  "PUT of a lead is handled as POST": requests(
    ({ method, path }) => method === "PUT" && path === LEAD,
    { method: "POST" },
  ),
  "a WebDAV method makes the service fail": [to("PROPFIND", becomes(500)), "no_server_error"],
  "HEAD is refused on one path": [
    requests(
      ({ method, path }) => method === "HEAD" && path === "/api/site",
      {
        method: "DELETE",
      },
    ),
    "head_offered",
  ],
  "OPTIONS does not list the methods": on("/api/health", to("OPTIONS", without("allow"))),
  "an Authorization header is refused": [
    given(({ headers }) => "authorization" in headers, becomes(401)),
    "authorization_ignored",
  ],
  "one path lacks X-Content-Type-Options": on(
    "/api/openapi.yaml",
    without("x-content-type-options"),
  ),
  "405 lacks X-Content-Type-Options": when(405, without("x-content-type-options")),
  "400 is not readable from other origins": when(400, without("access-control-allow-origin")),
  "the liveness probe lacks Cache-Control": on("/api/health", without("cache-control")),
  "Cache-Control is lost on 304": when(304, without("cache-control")),
  "the response to a lead lacks X-Request-Id": onLead(when(200, without("x-request-id"))),
  "one document lacks its entity tag": on("/openapi.json", without("etag")),
  "the entity tag is lost on 304": [when(304, without("etag")), "not_modified"],
  "Vary is lost on 304": when(304, without("vary")),
  "HEAD has another length than GET": [
    on("/api/health", to("HEAD", header("content-length", "1"))),
    "head_equals_get",
  ],
  "If-None-Match is ignored": requestHeader("if-none-match", () => undefined),
  "any If-None-Match gets 304": requestHeader("if-none-match", () => "*"),
  "a weak entity tag never matches": requestHeader(
    "if-none-match",
    (tag) => tag.startsWith("W/") ? '"another"' : tag,
  ),
  "pages lack Vary": when(200, given(isPage, without("vary"))),
  "Vary is lost on unknown pages": when(404, given(isPage, without("vary"))),
  "Vary is lost on HEAD": [to("HEAD", given(isPage, without("vary"))), "head_fields"],
  "pages lack entity tags": when(200, given(isPage, without("etag"))),
  "HTML and markdown share an entity tag": given(isPage, header("etag", () => '"the-same"')),
  "markdown with q=0 is sent": [
    accepting(/text\/markdown\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/i, MARKDOWN),
    "negotiation",
  ],
  "qualities are compared by their first digit": requestHeader("accept", rounded),
  "*/* gets markdown": requests(
    (request) => request.headers["accept"] === "*/*" && isPage(request),
    {
      headers: { accept: MARKDOWN },
    },
  ),
  "text/* gets markdown": accepting(/^\s*text\/\*\s*$/, MARKDOWN),
  "media types are case-sensitive": accepting(/MARKDOWN|Markdown/, HTML),
  "a tie between markdown and HTML gets HTML": accepting(
    /^text\/markdown,\s*text\/html(?:,|$)/,
    HTML,
  ),
  "one German page is HTML whatever is accepted": [
    requests(({ path }) => path === "/de/security", { headers: { accept: HTML } }),
    "pages_negotiate",
  ],
  "a malformed Accept is answered 406": given(
    (request) => !isApi(request) && matches(request.headers["accept"], /^[^/]+$/),
    becomes(406),
  ),
  "an unknown page is answered 200": when(404, given((request) => !isApi(request), becomes(200))),
  ".md obeys Accept": {
    request: ({ path, headers }) =>
      /^\/(?:de\/)?docs\.md$/.test(path) && matches(headers["accept"], /^text\/html/)
        ? { target: path.replace(/\.md$/, "") }
        : {},
  },
  ".md ends with a line feed more than the negotiated markdown": [
    when(200, given(({ path }) => path.endsWith(".md"), body((text) => `${text}\n`))),
    "sibling",
  ],
  "markdown has no charset": header(
    "content-type",
    (type) => type.startsWith(MARKDOWN) ? MARKDOWN : type,
  ),
  "HTML is labelled as markdown": when(
    200,
    given(
      (_request, { headers }) => matches(headers["content-type"], /^text\/markdown/),
      body((text) => `<pre>${text}</pre>`),
    ),
  ),
  "RateLimit is missing on 400": onLead(when(400, without("ratelimit"))),
  "X-HTTP-Method-Override is obeyed": {
    request: ({ headers: { "x-http-method-override": method } }) =>
      method === undefined ? {} : { method },
  },
  "an invented method is handled as GET": [
    requests(
      ({ method, path }) =>
        path.startsWith("/api/") &&
        !/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|PROPFIND|QUERY)$/.test(method),
      { method: "GET" },
    ),
    "method_undocumented",
  ],
};
