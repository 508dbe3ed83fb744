/** @module The assets over HTTP: only known files are read; names with a hash of the content. */

import {
  deepStrictEqual as deepEqual,
  match,
  notStrictEqual as notEqual,
  ok,
  strictEqual as equal,
} from "node:assert/strict";
import { assetFiles } from "../../site/files.ts";
import { pagesOf, pageText, SITE_URL } from "../site/fixture.ts";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { elementsOf } from "../support/html.ts";
import { startApp } from "../support/test_app.ts";

const MINUTES = "public, max-age=300";
const FOR_GOOD = "public, max-age=31536000, immutable";

const ASSETS: Record<string, string> = {
  "site.css": '.a { background: url("a.svg") } .b { background: url("none.svg") }',
  "copy.js": "let a;",
  "contact.js": "let b;",
  "a.svg": "<svg/>",
  "og.png": "png",
  "icon-192.png": "192",
  "icon-512.png": "512",
  "display.woff2": "wOF2",
  "text.woff2": "wOF2",
  "favicon.ico": "ico",
  "photo.jpg": "jpg",
  "broken.svg": "",
  "photo.1234567890.png": "a name that looks hashed",
  "notes.txt~": "",
  "notes.bak": "",
};

const CODE = '![](/assets/a.svg) <img src="/assets/a.svg"> [a](/assets/a.svg)';
const PAGES = {
  "en/index.md": pageText(`# A\n\n[a](/assets/a.svg) ![A](/assets/a.svg) ![B](/assets/broken.svg)
\n\`${CODE}\`\n\n\`\`\`html\n${CODE}\n{"src":"/assets/icon-192.png"}\n\`\`\`\n`),
};

async function appWith(assets = ASSETS) {
  const read: string[] = [];
  const app = await appWithoutLeads({
    pages: pagesOf(PAGES),
    assets: {
      list: () => Promise.resolve(Object.keys(assets)),
      read: (name) => {
        read.push(name);
        if (name === "broken.svg") return Promise.reject(new Error("Cannot read"));
        return Promise.resolve(new TextEncoder().encode(assets[name]));
      },
    },
  });
  const text = async (path: string) => await (await app.request(path)).text();
  const cachingOf = async (path: string) => (await app.request(path)).headers.get("cache-control");
  return { ...app, read, text, cachingOf };
}

function namesIn(text: string, name: string): string[] {
  const [stem, type] = name.split(".");
  return text.match(RegExp(`${stem}(?:\\.[0-9a-f]{10})?\\.${type}`, "g")) ?? [];
}

for (
  const [name, type] of [
    ["site.css", "text/css; charset=utf-8"],
    ["contact.js", "text/javascript; charset=utf-8"],
    ["a.svg", "image/svg+xml; charset=utf-8"],
    ["photo.jpg", "image/jpeg"],
    ["og.png", "image/png"],
    ["display.woff2", "font/woff2"],
    ["favicon.ico", "image/x-icon"],
    ["photo.1234567890.png", "image/png"],
  ] as const
) {
  Deno.test(`the asset ${name} is served as ${type}, for good under its present hash only, and read once`, async () => {
    const { request, read } = await appWith();
    const digest = async (text: BufferSource) =>
      new Uint8Array(await crypto.subtle.digest("SHA-256", text)).toHex().slice(0, 10);
    const plain = await request(`/assets/${name}`);
    const content = await plain.bytes();
    const at = name.lastIndexOf(".");
    const named = (hash: string) => `/assets/${name.slice(0, at)}.${hash}${name.slice(at)}`;
    const hashed = named(await digest(content));
    for (
      const [path, caching] of [
        [hashed, FOR_GOOD],
        [`${hashed}?x`, FOR_GOOD],
        [named("0000000000"), MINUTES],
        [`/assets/${name}?${hashed}`, MINUTES],
      ] as const
    ) {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers } = await request(path, { method });
        deepEqual([status, headers.get("cache-control")], [200, caching], path);
        equal(headers.get("content-type"), type);
        equal(headers.get("access-control-allow-origin"), "*");
      }
      deepEqual(await (await request(path)).bytes(), content);
      const etag = plain.headers.get("etag")!;
      const again = await request(path, { headers: { "if-none-match": etag } });
      deepEqual([again.status, again.headers.get("cache-control")], [304, caching], path);
    }
    equal(plain.headers.get("cache-control"), MINUTES);
    equal((await request(named("0123456789"), { method: "OPTIONS" })).status, 204);
    equal((await request(named("0123456789"), { method: "POST" })).status, 405);
    deepEqual(read.filter((one) => one === name), [name]);
    // The first request may be for a hash that another instance or an earlier one has served.
    equal(await (await appWith()).cachingOf(hashed), FOR_GOOD);
    equal(await (await appWith()).cachingOf(named("0000000000")), MINUTES);
  });
}

Deno.test("other names are 404 and not read, and health reads no asset", async () => {
  const { request, read } = await appWith();
  equal((await request("/api/health")).status, 200);
  deepEqual(read, []);
  const names = [
    ...["nope.css", "nope.0123456789.css", "", "notes.txt~", "notes.bak", "site.012345678.css"],
  ];
  for (const name of [...names, "..%2fpages%2fen%2fdocs.md", "site.0123456789.0123456789.css"]) {
    equal((await request(`/assets/${name}`)).status, 404, name);
  }
  const ofPage = ["a.svg", "display.woff2", "text.woff2", "site.css"]; // for unknown paths
  deepEqual(read.filter((name) => !ofPage.includes(name)), []);
});

Deno.test("every real asset has a known media type, and one is /favicon.ico", async () => {
  const { request } = await appWithoutLeads();
  for (const name of await assetFiles.list()) {
    equal((await request(`/assets/${name}`)).status, 200, name);
  }
  equal((await request("/favicon.ico")).headers.get("content-type"), "image/x-icon");
});

Deno.test("what pages, stylesheet and manifest load has the present hash; links and code stay as written", async () => {
  const { text, cachingOf } = await appWith();
  const loaded = new Set<string>();
  for (const path of ["/", "/nope", "/contact/sent"]) {
    for (const { name, attributes } of elementsOf(await text(path))) {
      if (name === "a") continue;
      const { href = "", src = href, content = src } = attributes;
      const [, asset] = RegExp(`^(?:${SITE_URL})?(/assets/.+)$`).exec(content) ?? [];
      if (asset !== undefined) loaded.add(asset);
    }
  }
  const [style] = [...loaded].filter((path) => path.endsWith(".css"));
  const inStyle = [...(await text(style!)).matchAll(/url\("(.*?)"/g)].map(([, name]) => name!);
  const { icons } = JSON.parse(await text("/site.webmanifest"));
  const all = [
    ...loaded,
    ...inStyle.map((name) => `/assets/${name}`),
    ...icons.map(({ src }: { src: string }) => src),
  ];
  const plain = ["favicon.svg", "apple-touch-icon.png", "broken.svg", "none.svg"];
  const others = all.filter((path) => !plain.includes(path.slice("/assets/".length)));
  for (const name of Object.keys(ASSETS).slice(0, 7)) {
    ok(others.some((path) => namesIn(path, name).length > 0) || name === "contact.js", name);
  }
  for (const path of others) equal(await cachingOf(path), FOR_GOOD, path);

  const home = await text("/");
  match(home, /<a href="\/assets\/a\.svg">/);
  match(home, /<img src="\/assets\/broken\.svg"/); // it cannot be read
  const code = [...home.matchAll(/<code.*?<\/code>/gs)].map(([shown]) =>
    shown.replace(/<\/?span.*?>/g, "")
  );
  for (const shown of code) ok(shown.includes(CODE.replace(/<(.*)>/, "&lt;$1&gt;")), shown);
  match(code[1]!, /"\/assets\/icon-192\.png"/);
  equal(code.length, 2);
  match(await text("/index.md"), /!\[A\]\(https:\/\/www\.example\.com\/assets\/a\.svg\)/);
});

Deno.test("a stylesheet gets another hash with each change of a picture in it", async () => {
  const hashes = [ASSETS, { ...ASSETS, "a.svg": "<svg></svg>" }].map(async (assets) => {
    const { text } = await appWith(assets);
    return namesIn(await text("/"), "site.css")[0];
  });
  const [first, second] = await Promise.all(hashes);
  match(first!, /^site\.[0-9a-f]{10}\.css$/);
  notEqual(first, second);
});

Deno.test("a refused contact form loads the same script and style as its page", async () => {
  await using app = await startApp();
  const page = await (await app.request("/contact")).text();
  const shown = await (await app.request("/contact", { method: "POST" })).text();
  for (const name of ["site.css", "contact.js"]) {
    match(namesIn(page, name)[0]!, /\.[0-9a-f]{10}\./);
    deepEqual(namesIn(shown, name), namesIn(page, name));
  }
});
