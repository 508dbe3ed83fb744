/** @module The assets over HTTP: what is there, and that nothing else is read. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { REAL_ASSETS } from "../site/fixture.ts";

const read: string[] = [];
const { request } = await appWithoutLeads({
  assets: {
    list: async () => [...await REAL_ASSETS.list(), "notes.txt~", "logo.png", "types.ts"],
    read: async (name) => {
      read.push(name);
      const isReal = (await REAL_ASSETS.list()).includes(name);
      return isReal ? await REAL_ASSETS.read(name) : new Uint8Array([1]);
    },
  },
});

for (
  const [name, type, maxAge] of [
    ["site.css", "text/css; charset=utf-8", 300],
    ["contact.js", "text/javascript; charset=utf-8", 300],
    ["favicon.svg", "image/svg+xml", 3600],
    ["logo.png", "image/png", 3600],
  ] as const
) {
  Deno.test(`the asset ${name} is answered as ${type}, and read once`, async () => {
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

Deno.test("every asset that there is has a known media type", async () => {
  for (const name of await REAL_ASSETS.list()) {
    const response = await request(`/assets/${name}`);
    equal(response.status, 200, name);
    await response.body?.cancel();
  }
});

Deno.test("what is no asset, or of an unknown kind, is not found, and nothing is read for it", async () => {
  const before = read.length;
  for (
    const name of ["nope.css", "", "notes.txt~", "..%2fpages%2fen%2fdocs.md", "a/b.css", ".env"]
  ) {
    const response = await request(`/assets/${name}`);
    equal(response.status, 404, name);
    await response.body?.cancel();
  }
  equal(read.length, before);
});
