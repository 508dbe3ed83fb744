/** @module The pages over HTTP: negotiation, `.md` siblings, methods, caching and 404s. */

import { Hono } from "@hono/hono";
import assert from "node:assert/strict";
import { createApiErrors } from "../../routes/api_error.ts";
import type { AppEnv } from "../../routes/http/resource.ts";
import { createPages } from "../../routes/pages.ts";
import { createSite, type PageSource } from "../../site/site.ts";
import { FACTS, REAL_PAGES, SITE_URL } from "../site/fixture.ts";

const HTML = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

/** An app that has nothing but pages. */
function pagesApp(source: PageSource = REAL_PAGES) {
  const app = new Hono<AppEnv>();
  const site = createSite(source, FACTS);
  app.notFound(createPages({ site, siteUrl: SITE_URL, errors: createApiErrors(SITE_URL) }));
  app.onError((error) => new Response(error.message, { status: 500 }));
  return (path: string, init: RequestInit = {}) =>
    app.request(path, init, {
      remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 50_000 },
    });
}

const request = pagesApp();
const asMarkdown = { headers: { accept: "text/markdown" } };

function assertPageHeaders(response: Response): void {
  assert.match(response.headers.get("content-security-policy") ?? "", /^default-src 'none'; /);
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.match(response.headers.get("strict-transport-security") ?? "", /^max-age=/);
  assert.equal(response.headers.get("set-cookie"), null);
}

Deno.test("a page answers HTML by default", async () => {
  const response = await request("/docs");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), HTML);
  assert.equal(response.headers.get("vary"), "Accept");
  assert.equal(response.headers.get("cache-control"), "public, max-age=300");
  assert.equal(response.headers.get("content-language"), "en");
  assert.equal(response.headers.get("content-location"), "/docs");
  assert.equal(response.headers.get("x-robots-tag"), null);
  assert.equal(
    response.headers.get("link"),
    `<${SITE_URL}/docs>; rel="canonical", ` +
      `<${SITE_URL}/docs.md>; rel="alternate"; type="text/markdown", ` +
      `<${SITE_URL}/llms.txt>; rel="describedby"; type="text/plain", ` +
      `<${SITE_URL}/openapi.json>; rel="service-desc"; type="application/json", ` +
      `<${SITE_URL}/docs>; rel="service-doc"; type="text/html"`,
  );
  assertPageHeaders(response);
  const body = await response.text();
  assert.equal(
    response.headers.get("content-length"),
    String(new TextEncoder().encode(body).length),
  );
  assert.match(body, /^<!doctype html>\n<html lang="en">/);
});

Deno.test("a page answers markdown when text/markdown is asked for", async () => {
  const response = await request("/de/docs", asMarkdown);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), MARKDOWN);
  assert.equal(response.headers.get("vary"), "Accept");
  assert.equal(response.headers.get("cache-control"), "public, max-age=300");
  assert.equal(response.headers.get("content-language"), "de");
  assert.equal(response.headers.get("content-location"), "/de/docs.md");
  assert.equal(response.headers.get("x-robots-tag"), null);
  assert.match(
    response.headers.get("link") ?? "",
    /\/de\/docs\.md>; rel="alternate".*\/de\/llms\.txt>/,
  );
  assertPageHeaders(response);
  assert.match(await response.text(), /^---\ntitle: "Dokumentation"\n/);
});

for (
  const [sibling, page] of [
    ["/index.md", "/"],
    ["/docs.md", "/docs"],
    ["/de/index.md", "/de"],
    ["/de.md", "/de"],
    ["/de/privacy.md", "/de/privacy"],
  ] as const
) {
  Deno.test(`${sibling} is the markdown of ${page}, whatever Accept says`, async () => {
    const negotiated = await (await request(page, asMarkdown)).bytes();
    for (const accept of ["text/html", "*/*", "application/json", "text/markdown;q=0"]) {
      const response = await request(sibling, { headers: { accept } });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), MARKDOWN);
      assert.equal(response.headers.get("vary"), null);
      assert.equal(response.headers.get("x-robots-tag"), "noindex");
      assert.match(
        response.headers.get("link") ?? "",
        new RegExp(`<${SITE_URL}${page}>; rel="canonical"`),
      );
      assertPageHeaders(response);
      assert.deepEqual(await response.bytes(), negotiated);
    }
  });
}

for (
  const [path, init] of [
    ["/docs", {}],
    ["/docs", asMarkdown],
    ["/docs.md", {}],
    ["/nope", {}],
    ["/nope.md", {}],
  ] as const
) {
  const accept = "headers" in init ? " as markdown" : "";
  Deno.test(`HEAD ${path}${accept} has the status and headers of GET and no body`, async () => {
    const get = await request(path, init);
    const head = await request(path, { ...init, method: "HEAD" });
    assert.equal(head.status, get.status);
    assert.deepEqual([...head.headers], [...get.headers]);
    assert.equal(await head.text(), "");
    await get.body?.cancel();
  });
}

Deno.test("an unchanged page answers 304 with the headers that a cache needs", async () => {
  const full = await request("/docs", asMarkdown);
  const etag = full.headers.get("etag")!;
  assert.match(etag, /^"[\w-]+"$/);
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    for (const method of ["GET", "HEAD"]) {
      const response = await request("/docs", {
        method,
        headers: { ...asMarkdown.headers, "if-none-match": held },
      });
      assert.equal(response.status, 304);
      assert.equal(response.headers.get("content-type"), null);
      for (const name of ["etag", "vary", "cache-control", "content-location", "link"]) {
        assert.equal(response.headers.get(name), full.headers.get(name), name);
      }
      assert.equal(await response.text(), "");
    }
  }
  await full.body?.cancel();
});

Deno.test("the entity tag of one representation is not that of another", async () => {
  const etag = (await request("/docs")).headers.get("etag")!;
  const response = await request("/docs", {
    headers: { ...asMarkdown.headers, "if-none-match": etag },
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), MARKDOWN);
});

for (const path of ["/", "/docs", "/docs.md", "/de.md"]) {
  Deno.test(`OPTIONS ${path} names the methods`, async () => {
    const response = await request(path, { method: "OPTIONS" });
    assert.equal(response.status, 204);
    assert.equal(response.headers.get("allow"), "GET, HEAD, OPTIONS");
    assert.equal(await response.text(), "");
  });

  for (const method of ["POST", "PUT", "DELETE", "PATCH", "QUERY", "INVENTED"]) {
    Deno.test(`${method} ${path} is refused as ApiError`, async () => {
      const response = await request(path, { method });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get("content-type"), "application/json");
      assert.equal(response.headers.get("allow"), "GET, HEAD, OPTIONS");
      assert.equal((await response.json()).error.code, "method_not_allowed");
    });
  }
}

for (
  const [path, target] of [["/docs/", "/docs"], ["/de/", "/de"], ["/de/docs/", "/de/docs"]] as const
) {
  Deno.test(`${path} leads for good to ${target}`, async () => {
    const response = await request(path);
    assert.equal(response.status, 308);
    assert.equal(response.headers.get("location"), target);
    assertPageHeaders(response);
    assert.equal(await response.text(), "");
  });
}

/** Each is unknown; the language and the form of the answer follow from path and Accept. */
const UNKNOWN:
  readonly (readonly [path: string, type: string, locale: string, vary: string | null])[] = [
    ["/nope", HTML, "en", "Accept"],
    ["/de/nope", HTML, "de", "Accept"],
    ["/design", HTML, "en", "Accept"],
    ["/nope.md", MARKDOWN, "en", null],
    ["/de/nope.md", MARKDOWN, "de", null],
    ["/nope/", HTML, "en", "Accept"],
    ["/index", HTML, "en", "Accept"],
    ["/en", HTML, "en", "Accept"],
    ["/Docs", HTML, "en", "Accept"],
    ["/docs.html", HTML, "en", "Accept"],
    ["//docs", HTML, "en", "Accept"],
    ["//h.example/", HTML, "en", "Accept"],
    ["/docs//", HTML, "en", "Accept"],
    ["/constructor", HTML, "en", "Accept"],
    ["/__proto__", HTML, "en", "Accept"],
    ["/%00", HTML, "en", "Accept"],
    ["/%ff", HTML, "en", "Accept"],
    ["/..%2fen%2fdocs.md", MARKDOWN, "en", null],
  ];

for (const [path, type, locale, vary] of UNKNOWN) {
  Deno.test(`${path} is a 404 in ${locale} as ${type.split(";")[0]}`, async () => {
    const response = await request(path);
    assert.equal(response.status, 404);
    assert.equal(response.headers.get("content-type"), type);
    assert.equal(response.headers.get("vary"), vary);
    assert.equal(response.headers.get("content-language"), locale);
    assert.equal(response.headers.get("etag"), null);
    assertPageHeaders(response);
    const body = await response.text();
    assert.match(body, locale === "de" ? /# Seite nicht gefunden|>Seite nicht/ : /Page not found/);
    assert.match(body, /llms\.txt/);
    assert.match(body, /sitemap\.xml/);
  });
}

Deno.test("an unknown page is a 404 in markdown where markdown is asked for", async () => {
  const response = await request("/de/nope", asMarkdown);
  assert.equal(response.status, 404);
  assert.equal(response.headers.get("content-type"), MARKDOWN);
  assert.equal(response.headers.get("vary"), "Accept");
  assert.match(await response.text(), new RegExp(`\\]\\(${SITE_URL}/de/index\\.md\\)`));
});

Deno.test("a 404 is the same for every path and repeats nothing of the request", async () => {
  const one = await request("/first-secret?a=second-secret", {
    headers: { "x-a": "third-secret" },
  });
  const other = await request("/something-else", { method: "POST", body: "fourth-secret" });
  assert.equal(other.status, 404);
  const body = await one.text();
  assert.doesNotMatch(body + JSON.stringify([...one.headers]), /secret/);
  assert.equal(body, await other.text());
});

Deno.test("a query changes nothing about which page it is", async () => {
  const response = await request("/docs?utm_source=x");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-location"), "/docs");
});

Deno.test("sources are read with the first request and never again", async () => {
  let reads = 0;
  const counted = pagesApp({
    list: REAL_PAGES.list,
    read: (file) => {
      reads++;
      return REAL_PAGES.read(file);
    },
  });
  assert.equal(reads, 0);
  await Promise.all([counted("/"), counted("/docs"), counted("/nope")]);
  const first = reads;
  assert.ok(first > 0);
  await Promise.all([counted("/"), counted("/docs.md"), counted("/nope.md")]);
  assert.equal(reads, first);
});

Deno.test("a source that could not be read is tried again with the next request", async () => {
  let fail = true;
  const flaky = pagesApp({
    list: REAL_PAGES.list,
    read: (file) => fail ? Promise.reject(new Error("Cannot read")) : REAL_PAGES.read(file),
  });
  assert.equal((await flaky("/docs")).status, 500);
  fail = false;
  assert.equal((await flaky("/docs")).status, 200);
});
