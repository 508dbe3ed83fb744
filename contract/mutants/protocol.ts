/** @module Faults in HTTP: methods, headers, conditional requests, negotiation. */

import { type Change, LEAD, type Mutant, type Passing, type Spoil, withHeaders } from "./mutant.ts";

const without =
  (name: string, when: (passing: Passing, status: number) => boolean): Spoil => (reply, passing) =>
    when(passing, reply.status) ? withHeaders(reply, { [name]: undefined }) : reply;

const METHODS: readonly Mutant[] = [
  {
    name: "allow-missing",
    fault: "405 on one path lacks Allow",
    breaks: "methods",
    check: "allow_on_405",
    reply: without("allow", ({ path }, status) => status === 405 && path === "/api/site"),
  },
  {
    name: "allow-without-head",
    fault: "Allow on 405 does not name HEAD, which works",
    breaks: "methods",
    reply: (reply) =>
      reply.status === 405
        ? withHeaders(reply, { allow: reply.headers["allow"]?.replace(", HEAD", "") })
        : reply,
  },
  {
    name: "allow-too-much",
    fault: "Allow names PUT, which does not work",
    breaks: "methods",
    check: "allow",
    reply: (reply, { path }) =>
      reply.headers["allow"] !== undefined && path === LEAD
        ? withHeaders(reply, { allow: `${reply.headers["allow"]}, PUT` })
        : reply,
  },
  {
    name: "delete-404",
    fault: "DELETE is answered 404 instead of 405",
    breaks: "methods",
    reply: (reply, { method, path }) =>
      method === "DELETE" && path === "/api/health" ? { ...reply, status: 404 } : reply,
  },
  {
    name: "put-works",
    fault: "PUT on a lead is taken for a POST",
    breaks: "methods",
    request: ({ method, path }): Change =>
      method === "PUT" && path === LEAD ? { method: "POST" } : {},
  },
  {
    name: "invented-method",
    fault: "an invented method is taken for GET",
    breaks: "methods",
    request: ({ method, path }): Change =>
      /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|PROPFIND|QUERY)$/.test(method) ||
        !path.startsWith("/api/")
        ? {}
        : { method: "GET" },
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
    request: ({ method, path }): Change =>
      method === "HEAD" && path === "/api/site" ? { method: "DELETE" } : {},
  },
  {
    name: "options-200",
    fault: "OPTIONS says nothing of the methods",
    breaks: "methods",
    reply: without("allow", ({ method, path }) => method === "OPTIONS" && path === "/api/health"),
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
    reply: without("x-content-type-options", ({ path }) => path === "/api/openapi.yaml"),
  },
  {
    name: "nosniff-missing-405",
    fault: "405 lacks X-Content-Type-Options",
    breaks: "headers",
    reply: without("x-content-type-options", (_passing, status) => status === 405),
  },
  {
    name: "cors-missing-400",
    fault: "400 may not be read by other origins",
    breaks: "headers",
    reply: without("access-control-allow-origin", (_passing, status) => status === 400),
  },
  {
    name: "cache-control-health",
    fault: "the liveness probe lacks Cache-Control",
    breaks: "headers",
    reply: without("cache-control", ({ path }) => path === "/api/health"),
  },
  {
    name: "request-id-missing",
    fault: "the answer to a lead lacks X-Request-Id",
    breaks: "headers",
    reply: without("x-request-id", ({ path }, status) => path === LEAD && status === 200),
  },
  {
    name: "etag-missing",
    fault: "one document lacks its entity tag",
    breaks: "headers",
    reply: without("etag", ({ path }) => path === "/openapi.json"),
  },
  {
    name: "head-other-length",
    fault: "HEAD tells another length than GET",
    breaks: "headers",
    check: "head_equals_get",
    reply: (reply, { method, path }) =>
      method === "HEAD" && path === "/api/health"
        ? withHeaders(reply, { "content-length": "1" })
        : reply,
  },
  {
    name: "condition-ignored",
    fault: "If-None-Match is ignored",
    breaks: "headers",
    request: ({ headers }): Change =>
      headers["if-none-match"] === undefined ? {} : { headers: { "if-none-match": undefined } },
  },
  {
    name: "condition-always",
    fault: "any If-None-Match gets 304",
    breaks: "headers",
    request: ({ headers }): Change =>
      headers["if-none-match"] === undefined ? {} : { headers: { "if-none-match": "*" } },
  },
  {
    name: "vary-lost-304",
    fault: "Vary is lost on 304",
    breaks: "headers",
    reply: without("vary", (_passing, status) => status === 304),
  },
  {
    name: "etag-lost-304",
    fault: "the entity tag is lost on 304",
    breaks: "headers",
    check: "not_modified",
    reply: without("etag", (_passing, status) => status === 304),
  },
];

const isPage = ({ path }: Passing) => !path.startsWith("/api/") && !/\.\w+$/.test(path);

const NEGOTIATION: readonly Mutant[] = [
  {
    name: "vary-lost-200",
    fault: "pages lack Vary",
    breaks: "negotiation",
    reply: without("vary", (passing, status) => isPage(passing) && status === 200),
  },
  {
    name: "vary-lost-404",
    fault: "Vary is lost on pages that are not there",
    breaks: "negotiation",
    reply: without("vary", (passing, status) => isPage(passing) && status === 404),
  },
  {
    name: "q-0-ignored",
    fault: "markdown with q=0 is sent all the same",
    breaks: "negotiation",
    check: "negotiation",
    request: ({ headers }): Change => {
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
    request: (passing): Change =>
      passing.headers["accept"] === "*/*" && isPage(passing)
        ? { headers: { accept: "text/markdown" } }
        : {},
  },
  {
    name: "upper-case-type",
    fault: "media types are compared by case",
    breaks: "negotiation",
    request: ({ headers }): Change =>
      /MARKDOWN|Markdown/.test(headers["accept"] ?? "") ? { headers: { accept: "text/html" } } : {},
  },
  {
    name: "tie-to-html",
    fault: "a tie between markdown and HTML gets HTML",
    breaks: "negotiation",
    request: ({ headers }): Change =>
      /^text\/markdown,\s*text\/html(?:,|$)/.test(headers["accept"] ?? "")
        ? { headers: { accept: "text/html" } }
        : {},
  },
  {
    name: "sibling-negotiates",
    fault: ".md heeds Accept",
    breaks: "negotiation",
    request: ({ path, headers }): Change =>
      /^\/(?:de\/)?docs\.md$/.test(path) && /^text\/html/.test(headers["accept"] ?? "")
        ? { target: path.replace(/\.md$/, "") }
        : {},
  },
  {
    name: "sibling-differs",
    fault: ".md ends with a line feed more than the negotiated markdown",
    breaks: "negotiation",
    check: "sibling",
    reply: (reply, { path }) =>
      /\.md$/.test(path) && reply.status === 200 ? { ...reply, body: `${reply.body}\n` } : reply,
  },
  {
    name: "one-tag-for-both",
    fault: "HTML and markdown share an entity tag",
    breaks: "negotiation",
    reply: (reply, passing) =>
      isPage(passing) && reply.headers["etag"] !== undefined
        ? withHeaders(reply, { etag: '"the-same"' })
        : reply,
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

export const PROTOCOL: readonly Mutant[] = [...METHODS, ...HEADERS, ...NEGOTIATION];
