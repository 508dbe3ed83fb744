/** @module GET /api/site to the letter (specification §2, SiteIndex; §4.2). */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { SiteIndex } from "../../schemas/site_index.ts";
import { mustBe } from "../support/must_be.ts";
import { SITE_URL, withApp } from "../support/test_app.ts";

Deno.test("GET /api/site is a SiteIndex", () =>
  withApp(async ({ request }) => {
    const response = await request("/api/site");
    equal(response.status, 200);
    equal(response.headers.get("content-type"), "application/json");
    equal(response.headers.get("cache-control"), "public, max-age=300");
    equal(response.headers.get("access-control-allow-origin"), "*");
    equal(response.headers.get("x-content-type-options"), "nosniff");
    const index = mustBe(SiteIndex, await response.json());
    equal(index.name, "Nordlotse");
    equal(index.url, SITE_URL);
    equal(index.kind, "marketing-site");
    match(index.description ?? "", /Nordlotse/);
  }));

Deno.test("it states that the product API is not on this host", () =>
  withApp(async ({ request }) => {
    const { productApi } = mustBe(SiteIndex, await (await request("/api/site")).json());
    deepEqual(Object.keys(productApi), ["status", "note"]);
    equal(productApi.status, "not-on-this-host");
    match(productApi.note ?? "", /product API .* does not serve/);
  }));

/** What specification §1 lets people and agents discover. */
const NAMED_PATHS = [
  "/",
  "/developers",
  "/docs",
  "/llms.txt",
  "/llms-full.txt",
  "/sitemap.xml",
  "/openapi.json",
  "/api/openapi.yaml",
  "/api/health",
];

Deno.test("its resources are absolute URLs of this host and name every discovery document", () =>
  withApp(async ({ request }) => {
    const { resources } = mustBe(SiteIndex, await (await request("/api/site")).json());
    const urls = Object.values(resources);
    for (const url of urls) ok(url.startsWith(`${SITE_URL}/`), url);
    for (const path of NAMED_PATHS) ok(urls.includes(SITE_URL + path), path);
    equal(new Set(urls).size, urls.length);
  }));

Deno.test("its names and URLs are those of the configuration", () =>
  withApp(async ({ request }) => {
    const index = mustBe(SiteIndex, await (await request("/api/site")).json());
    equal(index.name, "Other & Söhne");
    equal(index.url, "https://other.example:8443");
    for (const url of Object.values(index.resources)) {
      ok(url.startsWith("https://other.example:8443/"), url);
    }
  }, { env: { SITE_NAME: "Other & Söhne", SITE_URL: "https://other.example:8443" } }));

Deno.test("a matching If-None-Match gets 304", () =>
  withApp(async ({ request }) => {
    const first = await request("/api/site");
    const etag = first.headers.get("etag") ?? "";
    match(etag, /^"[\w-]+"$/);
    await first.body?.cancel();
    const again = await request("/api/site", { headers: { "if-none-match": `W/${etag}` } });
    equal(again.status, 304);
    equal(again.headers.get("content-type"), null);
    equal(again.headers.get("etag"), etag);
    equal(again.headers.get("cache-control"), "public, max-age=300");
    equal(again.body, null);
  }));

Deno.test("another site has another entity tag", async () => {
  const tags = new Set<string | null>();
  for (const SITE_NAME of ["One", "Two"]) {
    await withApp(async ({ request }) => {
      const { headers, body } = await request("/api/site");
      await body?.cancel();
      tags.add(headers.get("etag"));
    }, { env: { SITE_NAME } });
  }
  equal(tags.size, 2);
});

Deno.test("an Authorization header and an Accept header change nothing", () =>
  withApp(async ({ request }) => {
    const plain = await request("/api/site");
    const response = await request("/api/site", {
      headers: { authorization: "Basic bWFkZTp1cA==", accept: "text/markdown" },
    });
    equal(response.status, 200);
    deepEqual([...response.headers], [...plain.headers]);
    equal(await response.text(), await plain.text());
  }));

/** What belongs to the product application (specification §1, §6) and must not exist here. */
const ELSEWHERE = [
  "/graphql",
  "/mcp",
  "/sse",
  "/webhook",
  "/webhooks/lead",
  "/agents",
  "/v1/agents",
];

for (const path of ELSEWHERE) {
  Deno.test(`POST ${path} is 404: there is no such thing on this host`, () =>
    withApp(async ({ request }) => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"initialize"}';
      const headers = { "content-type": "application/json" };
      const response = await request(path, { method: "POST", headers, body });
      equal(response.status, 404);
      await response.body?.cancel();
    }));
}
