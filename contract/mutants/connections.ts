/** @module Faults that only sockets show, and faults in the connection itself. */

import { LEAD, type Mutant, on, when, withHeaders, without } from "./mutant.ts";

/** What `fetch` would not show, and answers that break off. */
export const CONNECTIONS: readonly Mutant[] = [
  {
    name: "long-body-hangs-up",
    fault: "a body of more than 40,000 characters gets no answer",
    breaks: "rejection",
    check: "answers",
    reply: on(LEAD, (reply, { body }) => body.length > 40_000 ? { ...reply, cut: 0 } : reply),
  },
  {
    name: "answer-breaks-off",
    fault: "the YAML document breaks off",
    breaks: "document",
    reply: on(
      "/api/openapi.yaml",
      when(200, (reply, { method }) => method === "GET" ? { ...reply, cut: 2_000 } : reply),
    ),
  },
  {
    name: "closes-after-404",
    fault: "the connection is closed after a 404, which does not say so",
    breaks: "methods",
    by: "raw",
    reply: when(404, (reply) => ({ ...reply, cut: Infinity })),
  },
  {
    name: "head-with-body",
    fault: "HEAD has a body on one path",
    breaks: "methods",
    by: "raw",
    reply: on(
      "/api/health",
      (reply, { method }) => method === "HEAD" ? { ...reply, surplus: '{"ok":true}' } : reply,
    ),
  },
  {
    name: "304-with-body",
    fault: "a 304 has a body",
    breaks: "headers",
    by: "raw",
    reply: when(304, (reply) => ({ ...reply, surplus: "Not modified" })),
  },
  {
    name: "date-missing",
    fault: "an error has no Date",
    breaks: "headers",
    by: "raw",
    reply: when(404, without("date")),
  },
  {
    name: "trace-echo",
    fault: "TRACE repeats the request",
    breaks: "privacy",
    by: "raw",
    check: "raw",
    reply: (reply, { method, headers }) =>
      method === "TRACE"
        ? withHeaders(
          { ...reply, status: 200, body: JSON.stringify(headers) },
          { "content-type": "message/http" },
        )
        : reply,
  },
  {
    name: "method-lower-case",
    fault: "methods are compared without case",
    breaks: "methods",
    by: "raw",
    request: ({ method }) =>
      method === method.toUpperCase() ? {} : { method: method.toUpperCase() },
  },
  {
    name: "method-override",
    fault: "X-HTTP-Method-Override is believed",
    breaks: "methods",
    request: ({ headers }) => {
      const method = headers["x-http-method-override"];
      return method === undefined ? {} : { method };
    },
  },
  {
    name: "dots-resolved",
    fault: "dot segments in a path are resolved",
    breaks: "errors",
    by: "raw",
    request: ({ path }) =>
      /\/\.\.?(?:\/|$)/.test(path) ? { target: new URL(path, "http://x").pathname } : {},
  },
  {
    name: "host-believed",
    fault: "a path in Host is put before that of the request",
    breaks: "errors",
    by: "raw",
    request: ({ headers: { host = "" }, target }) => {
      const path = host.indexOf("/");
      return path < 0
        ? {}
        : { target: host.slice(path) + target, headers: { host: host.slice(0, path) } };
    },
  },
  {
    name: "forwarded-host",
    fault: "a page repeats X-Forwarded-Host",
    breaks: "privacy",
    by: "raw",
    reply: (reply, { headers }) => {
      const host = headers["x-forwarded-host"];
      const isPage = /^text\/html/.test(reply.headers["content-type"] ?? "");
      return host === undefined || !isPage
        ? reply
        : { ...reply, body: `${reply.body}<!-- ${host} -->` };
    },
  },
  {
    name: "range-honoured",
    fault: "a range of a page is sent, which nobody has promised",
    breaks: "headers",
    by: "raw",
    reply: when(
      200,
      (reply, { headers }) =>
        headers["range"] === "bytes=0-9"
          ? { ...reply, status: 206, body: reply.body.slice(0, 10) }
          : reply,
    ),
  },
  {
    name: "long-header-500",
    fault: "a header of 60,000 characters makes the service fail",
    breaks: "headers",
    by: "raw",
    reply: (reply, { headers }) =>
      Object.values(headers).some((value) => value.length >= 60_000)
        ? { ...reply, status: 500 }
        : reply,
  },
  {
    name: "slow-after-trace",
    fault: "after a TRACE the liveness probe takes more than half a second",
    breaks: "methods",
    by: "raw",
    check: "raw_survival",
    reply: (reply, { method, path, headers, memory }) => {
      if (method === "TRACE") memory.set("traced", 1);
      // Not for requests that are written by hand, so that the rows do not take long.
      const isSlow = path === "/api/health" && memory.has("traced") && "user-agent" in headers;
      return isSlow ? { ...reply, late: 800 } : reply;
    },
  },
];
