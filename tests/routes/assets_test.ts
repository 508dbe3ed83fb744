/** @module The assets over HTTP: what is there, and that nothing else is. */

import assert from "node:assert/strict";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { REAL_ASSETS } from "../site/fixture.ts";

const { request } = await appWithoutLeads();

for (
  const [name, type, maxAge] of [
    ["site.css", "text/css; charset=utf-8", 300],
    ["contact.js", "text/javascript; charset=utf-8", 300],
    ["favicon.svg", "image/svg+xml", 3600],
  ] as const
) {
  Deno.test(`the asset ${name} is answered as ${type}`, async () => {
    const response = await request(`/assets/${name}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), type);
    assert.equal(response.headers.get("cache-control"), `public, max-age=${maxAge}`);
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    assert.match(response.headers.get("content-security-policy") ?? "", /^default-src 'none';/);
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
    const assets = {
      list: REAL_ASSETS.list,
      read: (name: string) => {
        read.push(name);
        return REAL_ASSETS.read(name);
      },
    };
    const { request: spied } = await appWithoutLeads({ assets });
    const response = await spied(path);
    assert.equal(response.status, 404);
    await response.body?.cancel();
    assert.deepEqual(read, []);
  });
}

Deno.test("a file of an unknown kind is not served", async () => {
  const { request: odd } = await appWithoutLeads({
    assets: {
      list: () => Promise.resolve(["notes.txt~", "site.css"]),
      read: () => Promise.resolve(new TextEncoder().encode("x")),
    },
  });
  assert.equal((await odd("/assets/notes.txt~")).status, 404);
  assert.equal((await odd("/assets/site.css")).status, 200);
});
