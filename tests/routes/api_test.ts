/** @module The API's resources that only answer GET: health, the site index and the description. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { parse, parseAllDocuments } from "yaml";
import { Health, SiteIndex } from "../../schemas/site.ts";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { mustBe } from "../support/must_be.ts";
import { SITE_URL } from "../support/test_app.ts";

const JSON_TYPE = "application/json";
const YAML_TYPE = "application/yaml";

for (
  const [path, type, caching] of [
    ["/api/health", JSON_TYPE, "no-store"],
    ["/api/site", JSON_TYPE, "public, max-age=300"],
    ["/openapi.json", JSON_TYPE, "public, max-age=300"],
    ["/api/openapi.yaml", YAML_TYPE, "public, max-age=300"],
  ] as const
) {
  Deno.test(`GET ${path} is ${type} with ${caching}, whatever else is sent`, async () => {
    const { request } = await appWithoutLeads();
    const plain = await request(path);
    equal(plain.status, 200);
    equal(plain.headers.get("content-type"), type);
    equal(plain.headers.get("cache-control"), caching);
    equal(plain.headers.has("etag"), caching !== "no-store");
    equal(plain.headers.get("access-control-allow-origin"), "*");
    const other = await request(`${path}?a=b`, {
      headers: { authorization: "Bearer x", accept: "text/markdown", range: "bytes=0-1" },
    });
    deepEqual([...other.headers], [...plain.headers]);
    equal(await other.text(), await plain.text());
  });
}

/** A name with YAML's, JSON's and HTML's own characters. */
const NAME = '# Ünï: "co" & {x}';
const OWN = {
  SITE_NAME: NAME,
  SERVICE_ID: "other-1",
  SITE_URL: "https://other.example:8443",
  LOCAL_URL: "http://localhost:3000",
};

async function get(path: string, env: Record<string, string> = {}): Promise<Response> {
  const { request } = await appWithoutLeads({ env });
  const response = await request(path);
  return new Response(await response.text(), response);
}

Deno.test("health names the site and the service of the configuration", async () => {
  const body = mustBe(Health, await (await get("/api/health", OWN)).json());
  deepEqual(body, { ok: true, name: NAME, service: "other-1", status: "healthy" });
});

/** What specification §1 lets people and agents discover. */
const DISCOVERABLE = [
  ...["/", "/developers", "/docs", "/llms.txt", "/llms-full.txt", "/sitemap.xml"],
  ...["/openapi.json", "/api/openapi.yaml", "/api/health"],
];

Deno.test("the site index names every discovery document by its absolute URL", async () => {
  const { resources, productApi, ...brand } = mustBe(
    SiteIndex,
    await (await get("/api/site", OWN)).json(),
  );
  deepEqual(brand, {
    name: NAME,
    url: OWN.SITE_URL,
    kind: "marketing-site",
    description: `Marketing and discovery site of ${NAME}, an enterprise AI agent platform.`,
  });
  equal(productApi.status, "not-on-this-host");
  ok(productApi.note?.includes("does not serve"));
  const urls = Object.values(resources);
  for (const url of urls) ok(url.startsWith(`${OWN.SITE_URL}/`), url);
  for (const path of DISCOVERABLE) ok(urls.includes(OWN.SITE_URL + path), path);
  equal(new Set(urls).size, urls.length);
});

Deno.test("the description is the same value in both notations, and names the servers", async () => {
  const json = await (await get("/openapi.json", OWN)).json();
  const yaml = await (await get("/api/openapi.yaml", OWN)).text();
  equal(parseAllDocuments(yaml).length, 1);
  deepEqual(parse(yaml), json);
  deepEqual(parse(yaml, { version: "1.1" }), json);
  ok(!/^[^"'#]*: [&*]\w+$/m.test(yaml), "anchors and aliases");
  ok(json.info.title.startsWith(NAME));
  deepEqual(json.servers.map(({ url }: { url: string }) => url), [OWN.SITE_URL, OWN.LOCAL_URL]);
});

Deno.test("the entity tag changes with what is said, and differs by notation", async () => {
  const tags = [
    await get("/api/site"),
    await get("/api/site", { SITE_URL: `${SITE_URL}:8443` }),
    await get("/openapi.json"),
    await get("/api/openapi.yaml"),
  ].map(({ headers }) => headers.get("etag"));
  equal(new Set(tags).size, 4);
});
