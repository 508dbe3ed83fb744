/** @module Discovery documents and assets over HTTP. */

import { Hono } from "@hono/hono";
import assert from "node:assert/strict";
import { createApiErrors } from "../../routes/api_error.ts";
import { type AssetSource, createDiscovery } from "../../routes/discovery.ts";
import { type AppEnv, resource } from "../../routes/http/resource.ts";
import { createPages } from "../../routes/pages.ts";
import { createSite } from "../../site/site.ts";
import { FACTS, REAL_ASSETS, REAL_PAGES, SITE_URL } from "../site/fixture.ts";

/** An app that has nothing but discovery, assets and pages. */
function discoveryApp(assets: AssetSource = REAL_ASSETS) {
  const app = new Hono<AppEnv>();
  const site = createSite(REAL_PAGES, FACTS);
  const errors = createApiErrors(SITE_URL);
  for (const [path, get] of Object.entries(createDiscovery({ site, assets, siteUrl: SITE_URL }))) {
    resource(app, path, {
      get,
      headers: {},
      methodNotAllowed: (allow) => errors.prebuild("method_not_allowed", { headers: { allow } }),
    });
  }
  app.notFound(createPages({ site, siteUrl: SITE_URL, errors }));
  return (path: string, init: RequestInit = {}) =>
    app.request(path, init, {
      remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 50_000 },
    });
}

const request = discoveryApp();
const PLAIN = "text/plain; charset=utf-8";

for (
  const [path, type, start] of [
    ["/llms.txt", PLAIN, "# Example\n\n> Example is a platform"],
    ["/de/llms.txt", PLAIN, "# Example\n\n> Example ist eine Plattform"],
    ["/llms-full.txt", PLAIN, "# Example\n\n> Index of this site"],
    ["/de/llms-full.txt", PLAIN, "# Example\n\n> Verzeichnis dieser Website"],
    [
      "/sitemap.xml",
      "application/xml; charset=utf-8",
      '<?xml version="1.0" encoding="UTF-8"?>\n<urlset',
    ],
    ["/robots.txt", PLAIN, "User-agent: *\nAllow: /\n"],
  ] as const
) {
  Deno.test(`${path} is answered, cached and open to any origin`, async () => {
    const response = await request(path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), type);
    assert.equal(response.headers.get("cache-control"), "public, max-age=300");
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    const body = await response.text();
    assert.ok(body.startsWith(start), body.slice(0, 200));

    const etag = response.headers.get("etag")!;
    const again = await request(path, { headers: { "if-none-match": etag } });
    assert.equal(again.status, 304);
    const head = await request(path, { method: "HEAD" });
    assert.deepEqual([...head.headers], [...response.headers]);
    assert.equal(await head.text(), "");
    const post = await request(path, { method: "POST" });
    assert.equal(post.status, 405);
    assert.equal(post.headers.get("allow"), "GET, HEAD, OPTIONS");
    await post.body?.cancel();
  });
}

Deno.test("every page of llms.txt and of the sitemap is there, in the form that is promised", async () => {
  for (const path of ["/llms.txt", "/de/llms.txt", "/sitemap.xml"]) {
    const text = await (await request(path)).text();
    const urls = new Set(
      [...text.matchAll(/https:\/\/www\.example\.com([^\s)<"]*)/g)].map(([, p]) => p!),
    );
    const own = [...urls].filter((url) => !url.startsWith("/api/") && url !== "/openapi.json");
    assert.ok(own.length >= 5);
    for (const url of own) {
      const response = await request(url === "" ? "/" : url);
      assert.equal(response.status, 200, url);
      if (url.endsWith(".md")) {
        assert.equal(response.headers.get("content-type"), "text/markdown; charset=utf-8");
      }
      await response.body?.cancel();
    }
  }
});

for (
  const [name, type] of [
    ["site.css", "text/css; charset=utf-8"],
    ["favicon.svg", "image/svg+xml"],
  ] as const
) {
  Deno.test(`the asset ${name} is answered as ${type}`, async () => {
    const response = await request(`/assets/${name}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), type);
    assert.equal(response.headers.get("cache-control"), "public, max-age=3600");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    const etag = response.headers.get("etag")!;
    assert.deepEqual(await response.bytes(), await REAL_ASSETS.read(name));
    const again = await request(`/assets/${name}`, { headers: { "if-none-match": etag } });
    assert.equal(again.status, 304);
  });
}

Deno.test("every asset that there is has a known media type", async () => {
  for (const name of await REAL_ASSETS.list()) {
    const response = await request(`/assets/${name}`);
    assert.equal(response.status, 200, name);
    await response.body?.cancel();
  }
});

Deno.test("the pages load nothing but assets that there are", async () => {
  const html = await (await request("/")).text();
  const paths = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  assert.deepEqual(paths.sort(), ["/assets/favicon.svg", "/assets/site.css"]);
});

for (
  const path of [
    "/assets/nope.css",
    "/assets/",
    "/assets/..%2fpages%2fen%2fdocs.md",
    "/assets/%2e%2e%2fpages",
    "/assets/a/b.css",
    "/assets/__proto__",
    "/assets/.env",
  ]
) {
  Deno.test(`${path} is no asset, and nothing is read for it`, async () => {
    const read: string[] = [];
    const spied = discoveryApp({
      list: REAL_ASSETS.list,
      read: (name) => {
        read.push(name);
        return REAL_ASSETS.read(name);
      },
    });
    const response = await spied(path);
    assert.equal(response.status, 404);
    await response.body?.cancel();
    assert.deepEqual(read, []);
  });
}

Deno.test("a file of an unknown kind is not served", async () => {
  const odd = discoveryApp({
    list: () => Promise.resolve(["notes.txt~", "site.css"]),
    read: () => Promise.resolve(new TextEncoder().encode("x")),
  });
  assert.equal((await odd("/assets/notes.txt~")).status, 404);
  assert.equal((await odd("/assets/site.css")).status, 200);
});
