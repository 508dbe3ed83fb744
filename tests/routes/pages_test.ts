/** @module The headers of pages and of their 404. `contract/service` have who gets which representation. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { SITE_URL } from "../site/fixture.ts";
import { appWithoutLeads, HTML, MARKDOWN } from "../support/app_without_leads.ts";

const { request } = await appWithoutLeads();

async function ask(path: string, { method = "GET", accept = "*/*", held = "" } = {}) {
  const headers = { accept, "if-none-match": held };
  const response = await request(path, { method, headers });
  const field = (name: string) => response.headers.get(name);
  return { status: response.status, field, etag: field("etag")!, text: await response.text() };
}

const NAMES = [
  ...["content-type", "vary", "cache-control", "content-language", "content-location"],
  ...["x-robots-tag", "x-markdown-tokens"],
];
const CACHED = "public, max-age=300";
const CODED = "Accept-Encoding";
const BOTH = `Accept, ${CODED}`;
const MISSING = "public, max-age=60";
const NO_PAGE = { en: "# Page not found", de: "# Seite nicht gefunden" };

/** A path, Accept, and the headers of the answer in the order of NAMES. */
for (
  const [path, accept, headers, status = 200] of [
    ["/docs", "*/*", [HTML, BOTH, CACHED, "en", "/docs", null, null]],
    ["/de/docs", "text/html", [HTML, BOTH, CACHED, "de", "/de/docs", null, null]],
    ["/docs", "text/markdown", [MARKDOWN, BOTH, CACHED, "en", "/docs.md", null, "tokens"]],
    ["/docs.md", "text/html", [MARKDOWN, CODED, CACHED, "en", null, "noindex", "tokens"]],
    ["/nope", "*/*", [HTML, BOTH, MISSING, "en", null, null, null], 404],
    ["/nope", "text/markdown", [MARKDOWN, BOTH, MISSING, "en", null, null, "tokens"], 404],
    ["/de/nope.md", "text/html", [MARKDOWN, CODED, MISSING, "de", null, null, "tokens"], 404],
    ["/404", "*/*", [HTML, BOTH, MISSING, "en", null, null, null], 404],
    ["/de/404.md", "*/*", [MARKDOWN, CODED, MISSING, "de", null, null, "tokens"], 404],
    ["/..%2fen%2fdocs.md", "*/*", [MARKDOWN, CODED, MISSING, "en", null, null, "tokens"], 404],
  ] as const
) {
  Deno.test(`GET ${path} for ${accept} has the headers ${headers}`, async () => {
    const response = await request(`${path}?utm_source=x`, { headers: { accept } });
    equal(response.status, status);
    equal(response.headers.has("etag"), status === 200);
    const index = `<${SITE_URL}${headers[3] === "de" ? "/de" : ""}/llms.txt>; rel="describedby"`;
    ok(response.headers.get("link")!.includes(index));
    const text = await response.text();
    const tokens = String(Math.ceil(text.length / 4));
    deepEqual(
      NAMES.map((name) => response.headers.get(name)),
      headers.map((value) => value === "tokens" ? tokens : value),
    );
    const start = status === 200 ? '---\ntitle: "' : NO_PAGE[headers[3]];
    ok(
      text.startsWith(headers[0] === HTML ? `<!doctype html>\n<html lang="${headers[3]}"` : start),
    );
  });
}

Deno.test("an unknown path is an error in JSON for clients that prefer it", async () => {
  const response = await request("/de/nope", { headers: { accept: "application/json, */*" } });
  const { error } = await response.json();
  const found = [response.status, error.code, response.headers.get("vary")];
  deepEqual(found, [404, "not_found", "Accept"]);
});

Deno.test("the Link field lists the page, its other representation and languages, and the API", async () => {
  const links = (path: string) =>
    [
      `<${SITE_URL}${path}>; rel="canonical"`,
      `<${SITE_URL}${path}.md>; rel="alternate"; type="text/markdown"`,
      `<${SITE_URL}/docs>; rel="alternate"; hreflang="en"; type="text/html"`,
      `<${SITE_URL}/de/docs>; rel="alternate"; hreflang="de"; type="text/html"`,
      `<${SITE_URL}/docs>; rel="alternate"; hreflang="x-default"; type="text/html"`,
      `<${SITE_URL}${path.replace("docs", "llms.txt")}>; rel="describedby"; type="text/plain"`,
      `<${SITE_URL}/openapi.json>; rel="service-desc"; type="application/json"`,
      `<${SITE_URL}${path}>; rel="service-doc"; type="text/html"`,
      `<${SITE_URL}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
      `<${SITE_URL}/.well-known/ard.json>; rel="ard"; type="application/json"`,
    ].join(", ");
  for (const path of ["/docs", "/de/docs"]) {
    for (const url of [path, `${path}.md`]) {
      const response = await request(url);
      equal(response.headers.get("link"), links(path));
      await response.body?.cancel();
    }
  }
});

for (const path of ["/contact", "/de/contact"]) {
  for (const plan of ["pro", "business", "enterprise", "hosted"]) {
    Deno.test(`${path}?plan=${plan} selects the plan, as an answer of its own`, async () => {
      const url = `${path}?utm_source=x&plan=${plan}`;
      const [plain, planned] = [await ask(path), await ask(url)];
      const option = `<option value="${plan}"`;
      equal(planned.text, plain.text.replace(option, `${option} selected`));
      equal(planned.field("content-location"), `${path}?plan=${plan}`);
      for (const name of ["link", "vary", "cache-control", "content-language", "content-type"]) {
        equal(planned.field(name), plain.field(name));
      }
      ok(plain.etag !== planned.etag);
      equal((await ask(url, { held: planned.etag })).status, 304);
      equal((await ask(url, { held: plain.etag })).status, 200);
      const head = await ask(url, { method: "HEAD" });
      deepEqual([head.status, head.etag, head.text], [200, planned.etag, ""]);
      const markdown = { accept: "text/markdown" };
      deepEqual((await ask(url, markdown)).etag, (await ask(path, markdown)).etag);
    });
  }

  Deno.test(`${path} ignores other plans and queries`, async () => {
    const plain = await ask(path);
    const long = "x".repeat(8_000);
    for (
      const query of [
        ...["plan", "plan=", "plan=gold", "plan=unspecified", "plan=Pro", "plan=__proto__"],
        ...["plan=%ff", "plan=pro%00", "plan=gold&plan=pro", "name=pro", `plan=${long}`, "%"],
      ]
    ) {
      const { etag, field } = await ask(`${path}?${query}`);
      deepEqual([etag, field("content-location")], [plain.etag, path], query);
    }
  });
}
