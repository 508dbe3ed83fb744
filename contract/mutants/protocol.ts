/** @module Faults in HTTP: methods, headers, conditional requests, negotiation. */

import {
  isApi,
  LEAD,
  type Mutant,
  on,
  onLead,
  type Passing,
  type Spoil,
  when,
  withHeaders,
  without,
} from "./mutant.ts";

const METHODS: readonly Mutant[] = [
  {
    name: "allow-missing",
    fault: "405 on one path lacks Allow",
    breaks: "methods",
    check: "allow_on_405",
    reply: on("/api/site", when(405, without("allow"))),
  },
  {
    name: "allow-without-head",
    fault: "Allow on 405 does not name HEAD, which works",
    breaks: "methods",
    reply: when(
      405,
      (reply) => withHeaders(reply, { allow: reply.headers["allow"]?.replace(", HEAD", "") }),
    ),
  },
  {
    name: "allow-too-much",
    fault: "Allow names PUT, which does not work",
    breaks: "methods",
    check: "allow",
    reply: on(LEAD, (reply) => {
      const { allow } = reply.headers;
      return allow === undefined ? reply : withHeaders(reply, { allow: `${allow}, PUT` });
    }),
  },
  {
    name: "delete-404",
    fault: "DELETE is answered 404 instead of 405",
    breaks: "methods",
    reply: on(
      "/api/health",
      (reply, { method }) => method === "DELETE" ? { ...reply, status: 404 } : reply,
    ),
  },
  {
    name: "put-works",
    fault: "PUT on a lead is taken for a POST",
    breaks: "methods",
    request: ({ method, path }) => method === "PUT" && path === LEAD ? { method: "POST" } : {},
  },
  {
    name: "invented-method",
    fault: "an invented method is taken for GET",
    breaks: "methods",
    request: (passing) =>
      isApi(passing) &&
        !/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|PROPFIND|QUERY)$/.test(passing.method)
        ? { method: "GET" }
        : {},
  },
  {
    name: "propfind-500",
    fault: "a WebDAV method makes the service fail",
    breaks: "methods",
    check: "no_server_error",
    reply: (reply, { method }) => method === "PROPFIND" ? { ...reply, status: 500 } : reply,
  },
  {
    name: "head-405",
    fault: "HEAD is refused on one path",
    breaks: "methods",
    request: ({ method, path }) =>
      method === "HEAD" && path === "/api/site" ? { method: "DELETE" } : {},
  },
  {
    name: "options-200",
    fault: "OPTIONS says nothing of the methods",
    breaks: "methods",
    reply: on(
      "/api/health",
      (reply, { method }) =>
        method === "OPTIONS" ? withHeaders(reply, { allow: undefined }) : reply,
    ),
  },
  {
    name: "authorization-401",
    fault: "an Authorization header is refused",
    breaks: "methods",
    check: "authorization_ignored",
    reply: (reply, { headers }) =>
      headers["authorization"] !== undefined ? { ...reply, status: 401 } : reply,
  },
];

const HEADERS: readonly Mutant[] = [
  {
    name: "nosniff-missing",
    fault: "one path lacks X-Content-Type-Options",
    breaks: "headers",
    reply: on("/api/openapi.yaml", without("x-content-type-options")),
  },
  {
    name: "nosniff-missing-405",
    fault: "405 lacks X-Content-Type-Options",
    breaks: "headers",
    reply: when(405, without("x-content-type-options")),
  },
  {
    name: "cors-missing-400",
    fault: "400 may not be read by other origins",
    breaks: "headers",
    reply: when(400, without("access-control-allow-origin")),
  },
  {
    name: "cache-control-health",
    fault: "the liveness probe lacks Cache-Control",
    breaks: "headers",
    reply: on("/api/health", without("cache-control")),
  },
  {
    name: "request-id-missing",
    fault: "the answer to a lead lacks X-Request-Id",
    breaks: "headers",
    reply: onLead(when(200, without("x-request-id"))),
  },
  {
    name: "etag-missing",
    fault: "one document lacks its entity tag",
    breaks: "headers",
    reply: on("/openapi.json", without("etag")),
  },
  {
    name: "head-other-length",
    fault: "HEAD tells another length than GET",
    breaks: "headers",
    check: "head_equals_get",
    reply: on(
      "/api/health",
      (reply, { method }) =>
        method === "HEAD" ? withHeaders(reply, { "content-length": "1" }) : reply,
    ),
  },
  {
    name: "condition-ignored",
    fault: "If-None-Match is ignored",
    breaks: "headers",
    request: ({ headers }) =>
      headers["if-none-match"] === undefined ? {} : { headers: { "if-none-match": undefined } },
  },
  {
    name: "condition-always",
    fault: "any If-None-Match gets 304",
    breaks: "headers",
    request: ({ headers }) =>
      headers["if-none-match"] === undefined ? {} : { headers: { "if-none-match": "*" } },
  },
  {
    name: "vary-lost-304",
    fault: "Vary is lost on 304",
    breaks: "headers",
    reply: when(304, without("vary")),
  },
  {
    name: "etag-lost-304",
    fault: "the entity tag is lost on 304",
    breaks: "headers",
    check: "not_modified",
    reply: when(304, without("etag")),
  },
];

const isPage = (passing: Passing) => !isApi(passing) && !/\.\w+$/.test(passing.path);
const onPages = (spoil: Spoil): Spoil => (reply, passing) =>
  isPage(passing) ? spoil(reply, passing) : reply;

const NEGOTIATION: readonly Mutant[] = [
  {
    name: "vary-lost-200",
    fault: "pages lack Vary",
    breaks: "negotiation",
    reply: onPages(when(200, without("vary"))),
  },
  {
    name: "vary-lost-404",
    fault: "Vary is lost on pages that are not there",
    breaks: "negotiation",
    reply: onPages(when(404, without("vary"))),
  },
  {
    name: "q-0-ignored",
    fault: "markdown with q=0 is sent all the same",
    breaks: "negotiation",
    check: "negotiation",
    request: ({ headers }) => {
      const { accept = "" } = headers;
      return /text\/markdown\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/i.test(accept)
        ? { headers: { accept: "text/markdown" } }
        : {};
    },
  },
  {
    name: "wildcard-markdown",
    fault: "*/* gets markdown",
    breaks: "negotiation",
    request: (passing) =>
      passing.headers["accept"] === "*/*" && isPage(passing)
        ? { headers: { accept: "text/markdown" } }
        : {},
  },
  {
    name: "upper-case-type",
    fault: "media types are compared by case",
    breaks: "negotiation",
    request: ({ headers }) =>
      /MARKDOWN|Markdown/.test(headers["accept"] ?? "") ? { headers: { accept: "text/html" } } : {},
  },
  {
    name: "tie-to-html",
    fault: "a tie between markdown and HTML gets HTML",
    breaks: "negotiation",
    request: ({ headers }) =>
      /^text\/markdown,\s*text\/html(?:,|$)/.test(headers["accept"] ?? "")
        ? { headers: { accept: "text/html" } }
        : {},
  },
  {
    name: "sibling-negotiates",
    fault: ".md heeds Accept",
    breaks: "negotiation",
    request: ({ path, headers }) =>
      /^\/(?:de\/)?docs\.md$/.test(path) && /^text\/html/.test(headers["accept"] ?? "")
        ? { target: path.replace(/\.md$/, "") }
        : {},
  },
  {
    name: "sibling-differs",
    fault: ".md ends with a line feed more than the negotiated markdown",
    breaks: "negotiation",
    check: "sibling",
    reply: when(
      200,
      (reply, { path }) => path.endsWith(".md") ? { ...reply, body: `${reply.body}\n` } : reply,
    ),
  },
  {
    name: "one-tag-for-both",
    fault: "HTML and markdown share an entity tag",
    breaks: "negotiation",
    reply: onPages((reply) =>
      "etag" in reply.headers ? withHeaders(reply, { etag: '"the-same"' }) : reply
    ),
  },
  {
    name: "markdown-without-charset",
    fault: "markdown is sent without a charset",
    breaks: "negotiation",
    reply: (reply) =>
      /^text\/markdown/.test(reply.headers["content-type"] ?? "")
        ? withHeaders(reply, { "content-type": "text/markdown" })
        : reply,
  },
];

/** What HTTP asks for, and does not get. */
export const PROTOCOL: readonly Mutant[] = [...METHODS, ...HEADERS, ...NEGOTIATION];
