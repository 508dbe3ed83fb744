/** @module The pages over HTTP: negotiation, `.md` siblings, methods and caching. */

import assert from "node:assert/strict";
import { REAL_PAGES, SITE_URL } from "../site/fixture.ts";
import {
  appWithoutLeads,
  assertPageHeaders,
  HTML,
  MARKDOWN,
} from "../support/app_without_leads.ts";
import { assertHeadOf } from "../support/send.ts";

const { request } = await appWithoutLeads();
const asMarkdown = { headers: { accept: "text/markdown" } };

Deno.test("a page answers HTML by default", async () => {
  const response = await request("/docs");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), HTML);
  assert.equal(response.headers.get("vary"), "Accept, Accept-Encoding");
  assert.equal(response.headers.get("cache-control"), "public, max-age=300");
  assert.equal(response.headers.get("content-language"), "en");
  assert.equal(response.headers.get("content-location"), "/docs");
  assert.equal(response.headers.get("x-robots-tag"), null);
  assert.equal(
    response.headers.get("link"),
    `<${SITE_URL}/docs>; rel="canonical", ` +
      `<${SITE_URL}/docs.md>; rel="alternate"; type="text/markdown", ` +
      `<${SITE_URL}/docs>; rel="alternate"; hreflang="en"; type="text/html", ` +
      `<${SITE_URL}/de/docs>; rel="alternate"; hreflang="de"; type="text/html", ` +
      `<${SITE_URL}/docs>; rel="alternate"; hreflang="x-default"; type="text/html", ` +
      `<${SITE_URL}/llms.txt>; rel="describedby"; type="text/plain", ` +
      `<${SITE_URL}/openapi.json>; rel="service-desc"; type="application/json", ` +
      `<${SITE_URL}/docs>; rel="service-doc"; type="text/html", ` +
      `<${SITE_URL}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
  );
  assertPageHeaders(response);
  const body = await response.text();
  assert.match(body, /^<!doctype html>\n<html lang="en">/);
});

Deno.test("a page answers markdown when text/markdown is asked for", async () => {
  const response = await request("/de/docs", asMarkdown);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), MARKDOWN);
  assert.equal(response.headers.get("vary"), "Accept, Accept-Encoding");
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
    ["/.md", "/"],
    ["/index.html.md", "/"],
    ["/de/index.html.md", "/de"],
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
      assert.equal(response.headers.get("vary"), "Accept-Encoding");
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
    await assertHeadOf(get, head);
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

Deno.test("every representation and content coding has an entity tag of its own", async () => {
  const tags = new Map<string, string>();
  for (const accept of ["text/html", "text/markdown"]) {
    for (const coding of ["identity", "gzip", "br"]) {
      for (const path of ["/docs", "/de/docs"]) {
        const headers = { accept, "accept-encoding": coding };
        const response = await request(path, { headers });
        const etag = response.headers.get("etag")!;
        assert.equal(tags.get(etag), undefined, etag);
        tags.set(etag, `${path} ${accept} ${coding}`);
        assert.equal(
          response.headers.get("content-encoding"),
          coding === "identity" ? null : coding,
        );
        const again = await request(path, { headers: { ...headers, "if-none-match": etag } });
        assert.equal(again.status, 304);
        assert.equal(again.headers.get("content-encoding"), null);
        assert.equal(again.headers.get("vary"), "Accept, Accept-Encoding");
        await response.body?.cancel();
      }
    }
  }
  assert.equal(tags.size, 12);
});

Deno.test("the markdown tells about how many tokens it has, the HTML does not", async () => {
  const markdown = await request("/docs", asMarkdown);
  const text = await markdown.text();
  const tokens = Number(markdown.headers.get("x-markdown-tokens"));
  assert.ok(tokens > text.length / 6 && tokens < text.length / 2, String(tokens));
  const sibling = await request("/docs.md");
  assert.equal(sibling.headers.get("x-markdown-tokens"), String(tokens));
  const html = await request("/docs");
  assert.equal(html.headers.get("x-markdown-tokens"), null);
  await Promise.all([sibling.body?.cancel(), html.body?.cancel()]);
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

Deno.test("a query changes nothing about which page it is", async () => {
  const response = await request("/docs?utm_source=x");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-location"), "/docs");
});

Deno.test("sources are read with the first request and never again", async () => {
  let reads = 0;
  const { request: counted } = await appWithoutLeads({
    pages: {
      list: REAL_PAGES.list,
      read: (file) => {
        reads++;
        return REAL_PAGES.read(file);
      },
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
  const { request: flaky } = await appWithoutLeads({
    pages: {
      list: REAL_PAGES.list,
      read: (file) => fail ? Promise.reject(new Error("Cannot read")) : REAL_PAGES.read(file),
    },
  });
  assert.equal((await flaky("/docs")).status, 500);
  fail = false;
  assert.equal((await flaky("/docs")).status, 200);
});
