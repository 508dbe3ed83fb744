/** @module The assets over HTTP: only known files are read. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { assetFiles } from "../../site/files.ts";
import { appWithoutLeads } from "../support/app_without_leads.ts";

const read: string[] = [];
const { request } = await appWithoutLeads({
  assets: {
    list: async () => [...await assetFiles.list(), "notes.txt~", "logo.png", "types.ts"],
    read: async (name) => {
      read.push(name);
      const isReal = (await assetFiles.list()).includes(name);
      return isReal ? await assetFiles.read(name) : new Uint8Array([1]);
    },
  },
});

for (
  const [name, type, maxAge] of [
    ["site.css", "text/css; charset=utf-8", 300],
    ["contact.js", "text/javascript; charset=utf-8", 300],
    ["favicon.svg", "image/svg+xml", 3600],
    ["logo.png", "image/png", 3600],
    ["display.woff2", "font/woff2", 3600],
  ] as const
) {
  Deno.test(`the asset ${name} is served as ${type} and read once`, async () => {
    const response = await request(`/assets/${name}`);
    equal(response.status, 200);
    equal(response.headers.get("content-type"), type);
    equal(response.headers.get("cache-control"), `public, max-age=${maxAge}`);
    equal(response.headers.get("access-control-allow-origin"), "*");
    const again = await request(`/assets/${name}`);
    deepEqual(await again.bytes(), await response.bytes());
    equal(read.filter((one) => one === name).length, 1);
  });
}

Deno.test("every asset has a known media type; other names are 404 and not read", async () => {
  for (const name of await assetFiles.list()) {
    equal((await request(`/assets/${name}`)).status, 200, name);
  }
  const before = read.length;
  for (const name of ["nope.css", "", "notes.txt~", "..%2fpages%2fen%2fdocs.md", "types.ts"]) {
    equal((await request(`/assets/${name}`)).status, 404, name);
  }
  equal(read.length, before);
});
