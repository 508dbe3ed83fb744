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
  type Mutant,
  mutantsOf,
  on,
  onLead,
  requestHeader,
  requests,
  type Seeded,
  to,
  when,
  without,
} from "./mutant.ts";

const HTML = "text/html";
const MARKDOWN = "text/markdown";

/** Replaces Accept fields that an expression matches. */
const accepting = (expression: RegExp, accept: string): Seeded =>
  requests(({ headers }) => matches(headers["accept"], expression), { headers: { accept } });

/** Qualities rounded to one digit. */
const rounded = (accept: string) =>
  accept.replace(/q=(0\.\d\d+)/g, (_all, q) => `q=${Math.round(Number(q) * 10) / 10}`);

/** Deviations from HTTP. */
export const PROTOCOL: readonly Mutant[] = [
  ...mutantsOf({ breaks: "methods" }, {
    "allow-missing": [
      "405 on one path lacks Allow",
      on("/api/site", when(405, without("allow"))),
      "allow_on_405",
    ],
    "allow-without-head": [
      "Allow on 405 does not name HEAD, which works",
      when(405, header("allow", (allow) => allow.replace(", HEAD", ""))),
    ],
    "allow-too-much": [
      "Allow names PUT, which does not work",
      on(LEAD, header("allow", (allow) => `${allow}, PUT`)),
      "allow",
    ],
    "delete-404": [
      "DELETE is answered 404 instead of 405",
      on("/api/health", to("DELETE", becomes(404))),
    ],
    "health-405-400": [
      "a method that the liveness probe does not have is answered 400",
      on("/api/health", when(405, becomes(400))),
    ],
    "put-works": [
      "PUT of a lead is handled as POST",
      requests(({ method, path }) => method === "PUT" && path === LEAD, { method: "POST" }),
    ],
    "propfind-500": [
      "a WebDAV method makes the service fail",
      to("PROPFIND", becomes(500)),
      "no_server_error",
    ],
    "head-405": [
      "HEAD is refused on one path",
      requests(({ method, path }) => method === "HEAD" && path === "/api/site", {
        method: "DELETE",
      }),
    ],
    "options-200": [
      "OPTIONS does not list the methods",
      on("/api/health", to("OPTIONS", without("allow"))),
    ],
    "authorization-401": [
      "an Authorization header is refused",
      given(({ headers }) => "authorization" in headers, becomes(401)),
      "authorization_ignored",
    ],
  }),
  ...mutantsOf({ breaks: "headers" }, {
    "nosniff-missing": [
      "one path lacks X-Content-Type-Options",
      on("/api/openapi.yaml", without("x-content-type-options")),
    ],
    "nosniff-missing-405": [
      "405 lacks X-Content-Type-Options",
      when(405, without("x-content-type-options")),
    ],
    "cors-missing-400": [
      "400 is not readable from other origins",
      when(400, without("access-control-allow-origin")),
    ],
    "cache-control-health": [
      "the liveness probe lacks Cache-Control",
      on("/api/health", without("cache-control")),
    ],
    "cache-control-lost-304": ["Cache-Control is lost on 304", when(304, without("cache-control"))],
    "request-id-missing": [
      "the response to a lead lacks X-Request-Id",
      onLead(when(200, without("x-request-id"))),
    ],
    "etag-missing": ["one document lacks its entity tag", on("/openapi.json", without("etag"))],
    "etag-lost-304": ["the entity tag is lost on 304", when(304, without("etag")), "not_modified"],
    "vary-lost-304": ["Vary is lost on 304", when(304, without("vary"))],
    "head-other-length": [
      "HEAD has another length than GET",
      on("/api/health", to("HEAD", header("content-length", "1"))),
      "head_equals_get",
    ],
    "condition-ignored": [
      "If-None-Match is ignored",
      requestHeader("if-none-match", () => undefined),
    ],
    "condition-always": ["any If-None-Match gets 304", requestHeader("if-none-match", () => "*")],
    "weak-tag-differs": [
      "a weak entity tag never matches",
      requestHeader("if-none-match", (tag) => tag.startsWith("W/") ? '"another"' : tag),
    ],
  }),
  ...mutantsOf({ breaks: "negotiation" }, {
    "vary-lost-200": ["pages lack Vary", when(200, given(isPage, without("vary")))],
    "vary-lost-404": ["Vary is lost on unknown pages", when(404, given(isPage, without("vary")))],
    "vary-lost-head": ["Vary is lost on HEAD", to("HEAD", given(isPage, without("vary")))],
    "page-without-etag": ["pages lack entity tags", when(200, given(isPage, without("etag")))],
    "one-tag-for-both": [
      "HTML and markdown share an entity tag",
      given(isPage, header("etag", () => '"the-same"')),
    ],
    "q-0-ignored": [
      "markdown with q=0 is sent",
      accepting(/text\/markdown\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/i, MARKDOWN),
      "negotiation",
    ],
    "quality-one-digit": [
      "qualities are compared by their first digit",
      requestHeader("accept", rounded),
    ],
    "wildcard-markdown": [
      "*/* gets markdown",
      requests((passing) => passing.headers["accept"] === "*/*" && isPage(passing), {
        headers: { accept: MARKDOWN },
      }),
    ],
    "text-wildcard-markdown": ["text/* gets markdown", accepting(/^\s*text\/\*\s*$/, MARKDOWN)],
    "upper-case-type": ["media types are case-sensitive", accepting(/MARKDOWN|Markdown/, HTML)],
    "tie-to-html": [
      "a tie between markdown and HTML gets HTML",
      accepting(/^text\/markdown,\s*text\/html(?:,|$)/, HTML),
    ],
    "german-html-only": [
      "one German page is HTML whatever is accepted",
      requests(({ path }) => path === "/de/product", { headers: { accept: HTML } }),
      "pages_negotiate",
    ],
    "odd-accept-406": [
      "a malformed Accept is answered 406",
      given(
        (passing) => !isApi(passing) && matches(passing.headers["accept"], /^[^/]+$/),
        becomes(406),
      ),
    ],
    "missing-page-200": [
      "an unknown page is answered 200",
      when(404, given((passing) => !isApi(passing), becomes(200))),
    ],
    "sibling-negotiates": [".md obeys Accept", {
      request: ({ path, headers }) =>
        /^\/(?:de\/)?docs\.md$/.test(path) && matches(headers["accept"], /^text\/html/)
          ? { target: path.replace(/\.md$/, "") }
          : {},
    }],
    "sibling-differs": [
      ".md ends with a line feed more than the negotiated markdown",
      when(200, given(({ path }) => path.endsWith(".md"), body((text) => `${text}\n`))),
      "sibling",
    ],
    "markdown-without-charset": [
      "markdown has no charset",
      header("content-type", (type) => type.startsWith(MARKDOWN) ? MARKDOWN : type),
    ],
    "html-as-markdown": [
      "HTML is labelled as markdown",
      when(
        200,
        given(
          (_passing, { headers }) => matches(headers["content-type"], /^text\/markdown/),
          body((text) => `<pre>${text}</pre>`),
        ),
      ),
    ],
  }),
];
