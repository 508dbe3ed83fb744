/** @module Faults that are visible only on sockets, and faults in the connection. */

import { becomes, given, on, to, when, withHeaders, without } from "./changes.ts";
import type { MutantTable } from "./mutant.ts";

/** Faults for the raw tier. */
export const CONNECTIONS: MutantTable = {
  "the connection is closed after a 404 that does not announce it": when(
    404,
    (reply) => ({ ...reply, cut: Infinity }),
  ),
  "HEAD has a body on one path": on(
    "/api/health",
    to("HEAD", (reply) => ({ ...reply, surplus: '{"ok":true}' })),
  ),
  "methods are compared without case": {
    request: ({ method }) =>
      method === method.toUpperCase() ? {} : { method: method.toUpperCase() },
  },
  "after a TRACE the liveness probe takes more than half a second": [
    (reply, { method, path, headers, memory }) => {
      if (method === "TRACE") memory.set("traced", 1);
      // Requests from the raw tier's rows have no User-Agent and stay fast.
      const isSlow = path === "/api/health" && memory.has("traced") && "user-agent" in headers;
      return isSlow ? { ...reply, late: 800 } : reply;
    },
    "raw_survival",
  ],
  "a 304 has a body": when(304, (reply) => ({ ...reply, surplus: "Not modified" })),
  "an error has no Date": when(404, without("date")),
  "a range of a page is sent, which no document promises": when(
    200,
    given(
      ({ headers }) => headers["range"] === "bytes=0-9",
      (reply) => ({ ...reply, status: 206, body: reply.body.slice(0, 10) }),
    ),
  ),
  "a header of 60,000 characters makes the service fail": given(
    ({ headers }) => Object.values(headers).some((value) => value.length >= 60_000),
    becomes(500),
  ),
  "dot segments in a path are resolved": {
    request: ({ path }) =>
      /\/\.\.?(?:\/|$)/.test(path) ? { target: new URL(path, "http://x").pathname } : {},
  },
  "a path in Host is put before that of the request": {
    request: ({ headers: { host = "" }, target }) => {
      const [authority = "", ...path] = host.split(/(?=\/)/);
      return path.length === 0
        ? {}
        : { target: path.join("") + target, headers: { host: authority } };
    },
  },
  "TRACE repeats the request": [
    to("TRACE", (reply, { headers }) =>
      withHeaders(
        { ...reply, status: 200, body: JSON.stringify(headers) },
        { "content-type": "message/http" },
      )),
    "raw",
  ],
  "a page repeats X-Forwarded-Host": given(
    ({ headers }, reply) =>
      "x-forwarded-host" in headers && /^text\/html/.test(reply.headers["content-type"] ?? ""),
    (reply, { headers }) => ({
      ...reply,
      body: `${reply.body}<!-- ${headers["x-forwarded-host"]} -->`,
    }),
  ),
};
