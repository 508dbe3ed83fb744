/** @module Unknown pages over HTTP: real 404s, in the language and the form that was asked for. */

import assert from "node:assert/strict";
import { SITE_URL } from "../site/fixture.ts";
import {
  appWithoutLeads,
  assertPageHeaders,
  HTML,
  MARKDOWN,
} from "../support/app_without_leads.ts";

const { request } = await appWithoutLeads();

/** Each is unknown; the language and the form of the answer follow from path and Accept. */
const UNKNOWN: readonly (readonly [path: string, type: string, locale: string])[] = [
  ["/nope", HTML, "en"],
  ["/de/nope", HTML, "de"],
  ["/design", HTML, "en"],
  ["/nope.md", MARKDOWN, "en"],
  ["/de/nope.md", MARKDOWN, "de"],
  ["/nope/", HTML, "en"],
  ["/index", HTML, "en"],
  ["/en", HTML, "en"],
  ["/Docs", HTML, "en"],
  ["/docs.html", HTML, "en"],
  ["//", HTML, "en"],
  ["//docs", HTML, "en"],
  ["//h.example/", HTML, "en"],
  ["/docs//", HTML, "en"],
  ["/constructor", HTML, "en"],
  ["/__proto__", HTML, "en"],
  ["/%00", HTML, "en"],
  ["/%ff", HTML, "en"],
  ["/..%2fen%2fdocs.md", MARKDOWN, "en"],
];

for (const [path, type, locale] of UNKNOWN) {
  Deno.test(`${path} is a 404 in ${locale} as ${type.split(";")[0]}`, async () => {
    const response = await request(path);
    assert.equal(response.status, 404);
    assert.equal(response.headers.get("content-type"), type);
    const vary = path.endsWith(".md") ? "Accept-Encoding" : "Accept, Accept-Encoding";
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
  const response = await request("/de/nope", { headers: { accept: "text/markdown" } });
  assert.equal(response.status, 404);
  assert.equal(response.headers.get("content-type"), MARKDOWN);
  assert.equal(response.headers.get("vary"), "Accept, Accept-Encoding");
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
