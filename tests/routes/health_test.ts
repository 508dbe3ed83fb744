/** @module GET /api/health to the letter (specification §2, Health; §4.1). */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { Health } from "../../schemas/health.ts";
import { brokenKv } from "../support/broken_kv.ts";
import { mustBe } from "../support/must_be.ts";
import { withApp } from "../support/test_app.ts";

Deno.test("GET /api/health says that the service is up, and who it is", () =>
  withApp(async ({ request }) => {
    const response = await request("/api/health");
    equal(response.status, 200);
    equal(response.headers.get("content-type"), "application/json");
    equal(response.headers.get("cache-control"), "no-store");
    equal(response.headers.get("etag"), null);
    const body = await response.json();
    deepEqual(body, {
      ok: true,
      name: "Nordlotse",
      service: "nordlotse-frontdoor",
      status: "healthy",
    });
    mustBe(Health, body);
  }));

Deno.test("its name and service are those of the configuration", () =>
  withApp(async ({ request }) => {
    const body = mustBe(Health, await (await request("/api/health")).json());
    equal(body.name, 'Ünï "co" & Söhne');
    equal(body.service, "other-1");
  }, { env: { SITE_NAME: 'Ünï "co" & Söhne', SERVICE_ID: "other-1" } }));

Deno.test("every answer carries the security headers of an API", () =>
  withApp(async ({ request }) => {
    const { headers, body } = await request("/api/health");
    await body?.cancel();
    equal(headers.get("x-content-type-options"), "nosniff");
    equal(headers.get("referrer-policy"), "strict-origin-when-cross-origin");
    equal(headers.get("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
    equal(headers.get("cross-origin-resource-policy"), "cross-origin");
    equal(headers.get("access-control-allow-origin"), "*");
    equal(headers.get("strict-transport-security"), "max-age=63072000");
    equal(headers.get("set-cookie"), null);
  }));

Deno.test("a site on http promises no https", () =>
  withApp(async ({ request }) => {
    const { headers, body } = await request("/api/health");
    await body?.cancel();
    equal(headers.get("strict-transport-security"), null);
  }, { env: { SITE_URL: "http://localhost:8000" } }));

/** What a request may carry without changing the answer. */
const IGNORED: readonly (readonly [string, string, Record<string, string>])[] = [
  ["an Authorization header", "/api/health", { authorization: "Bearer made-up" }],
  ["cookies", "/api/health", { cookie: "session=made-up" }],
  ["a query", "/api/health?verbose=1&ok=false", {}],
  ["an Accept header for HTML", "/api/health", { accept: "text/html" }],
  ["an Accept header for markdown", "/api/health", { accept: "text/markdown" }],
  ["conditions", "/api/health", { "if-none-match": "*" }],
  ["a range", "/api/health", { range: "bytes=0-1" }],
  ["another host", "/api/health", { "x-forwarded-host": "evil.example" }],
];

for (const [what, path, headers] of IGNORED) {
  Deno.test(`${what} changes nothing`, () =>
    withApp(async ({ request }) => {
      const plain = await request("/api/health");
      const response = await request(path, { headers });
      equal(response.status, 200);
      deepEqual([...response.headers], [...plain.headers]);
      equal(await response.text(), await plain.text());
    }));
}

Deno.test("it reads nothing but this process", () =>
  withApp(async ({ request }) => {
    const response = await request("/api/health");
    equal(response.status, 200);
    await response.body?.cancel();
  }, { wrapKv: brokenKv }));
