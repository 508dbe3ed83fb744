/** @module The exact security and CORS headers of every kind of answer. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { SITE_URL, startApp } from "../support/test_app.ts";

const COMMON = {
  "referrer-policy": "strict-origin-when-cross-origin",
  "strict-transport-security": "max-age=63072000",
  "x-content-type-options": "nosniff",
};
const OPEN = {
  ...COMMON,
  "access-control-allow-origin": "*",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
};
const PAGE = {
  ...COMMON,
  "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; " +
    "img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'; manifest-src 'self'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};
const PREFLIGHT = {
  ...OPEN,
  "access-control-allow-headers": "content-type, authorization",
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-max-age": "7200",
};
const SECURITY =
  /^(?:access-control-(?:allow|max)|content-sec|cross-origin|perm|ref|set-|st|x-con)/;

const FORM = {
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: "email=ada%40example.com&company=x",
};

const ANSWERS: readonly (readonly [string, number, Readonly<Record<string, string>>])[] = [
  ...["/", "/docs.md", "/contact/sent"].map((path) => [`GET ${path}`, 200, PAGE] as const),
  ...["/nope", "/nope.md"].map((path) => [`GET ${path}`, 404, PAGE] as const),
  ["GET /docs/", 308, PAGE],
  ["GET /swagger.json", 308, OPEN],
  ["OPTIONS /docs", 204, PAGE],
  ["OPTIONS /contact/sent", 204, PAGE],
  ["POST /contact", 303, PAGE],
  ["POST /de/contact", 429, PAGE],
  ...["/api/health", "/api/site", "/openapi.json", "/llms.txt", "/.well-known/security.txt"]
    .map((path) => [`GET ${path}`, 200, OPEN] as const),
  ["GET /assets/site.css", 200, OPEN],
  ["OPTIONS /assets/site.css", 204, PREFLIGHT],
  ["GET /api/nope", 404, OPEN],
  ["PUT /docs", 405, OPEN],
  ["POST /api/lead", 400, OPEN],
];

for (const site of [SITE_URL, "http://localhost:8000"]) {
  Deno.test(`every answer of ${site} has exactly its security headers`, async () => {
    await using t = await startApp({ env: { SITE_URL: site, LEAD_RATE_LIMIT: "1/10m" } });
    const { request } = t;
    for (const [target, status, expected] of ANSWERS) {
      const [method, path = ""] = target.split(" ");
      const response = await request(path, { method: method!, ...method === "POST" && FORM });
      await response.body?.cancel();
      equal(response.status, status, target);
      const found = [...response.headers].filter(([name]) => SECURITY.test(name));
      const { "strict-transport-security": _, ...plain } = expected;
      deepEqual(Object.fromEntries(found), site === SITE_URL ? expected : plain, target);
    }
  });
}
