/** @module Which route each request target finds, and the 404 of pages in each language and form. */

import { doesNotMatch, match, strictEqual as equal } from "node:assert/strict";
import { SITE_URL } from "../site/fixture.ts";
import { appWithoutLeads, HTML, MARKDOWN } from "../support/app_without_leads.ts";
import { connectionFrom } from "../support/send.ts";

const { app, request } = await appWithoutLeads();

const UNKNOWN: readonly (readonly [path: string, accept: string, type: string, locale: string])[] =
  [
    ["/nope", "*/*", HTML, "en"],
    ["/de/nope", "*/*", HTML, "de"],
    ["/nope", "text/markdown", MARKDOWN, "en"],
    ["/nope.md", "text/html", MARKDOWN, "en"],
    ["/de/nope.md", "text/html", MARKDOWN, "de"],
    ["/..%2fen%2fdocs.md", "*/*", MARKDOWN, "en"],
  ];

for (const [path, accept, type, locale] of UNKNOWN) {
  Deno.test(`${path} is a 404 in ${locale} as ${type} for ${accept}`, async () => {
    const response = await request(`${path}?zzsecretzz`, { headers: { accept } });
    equal(response.status, 404);
    equal(response.headers.get("content-type"), type);
    equal(response.headers.get("cache-control"), "public, max-age=60");
    const vary = path.endsWith(".md") ? "Accept-Encoding" : "Accept, Accept-Encoding";
    equal(response.headers.get("vary"), vary);
    equal(response.headers.get("content-language"), locale);
    equal(response.headers.get("etag"), null);
    const body = await response.text();
    match(body, locale === "de" ? /# Seite nicht gefunden|>Seite nicht/ : /Page not found/);
    match(body, /llms\.txt/);
    match(response.headers.get("link") ?? "", /llms\.txt>; rel="describedby"/);
    doesNotMatch(body + JSON.stringify([...response.headers]), /zzsecretzz/);
  });
}

/** Sends a URL as Deno writes it from Host and target; `new Request` would rewrite it. */
async function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const request = new Request(SITE_URL, { headers });
  Object.defineProperty(request, "url", { value: url });
  return await app.fetch(request, connectionFrom());
}

/** Each URL, the status of its answer, and the page of a 200. Further paths: `contract/cases/paths.yaml`. */
for (
  const [url, status, page = "/docs"] of [
    [`${SITE_URL}/docs`, 200],
    [`${SITE_URL}/docs#/pricing`, 200],
    [`${SITE_URL}/%64ocs?a=%2F`, 200],
    ["gopher://x/docs?a", 200],
    ["http://example.com?q", 200, "/"],
    [`${SITE_URL}/docs/`, 308],
    [`${SITE_URL}/de/`, 308],
    [`${SITE_URL}//docs`, 404],
    [`${SITE_URL}/a/../docs`, 404],
    [`${SITE_URL}/de%2Fdocs`, 404],
    [`${SITE_URL}/docs%3F`, 404],
    [`${SITE_URL}/api`, 404],
    [`${SITE_URL}/apis`, 404],
  ] as const
) {
  Deno.test(`${url} is answered ${status}`, async () => {
    const response = await get(url);
    equal(response.status, status);
    if (status === 200) equal(response.headers.get("content-location"), page);
    if (status === 308) equal(response.headers.get("location"), new URL(url).pathname.slice(0, -1));
    const type = url.endsWith("/api") ? "application/json" : HTML;
    if (status === 404) equal(response.headers.get("content-type"), type);
  });
}

/** Values of Host, and whether they are valid. */
const HOSTS: readonly (readonly [boolean, readonly string[]])[] = [
  [true, ["example.com", "EXAMPLE.com", "a_b.example", "localhost:8000", "[::1]:80", "a:", ""]],
  [false, ["a b", "a/b", "x/api/no-such", "x?y", "x#y", "a@b", "a\\b", "a:b", "a:1:2", "[::1"]],
  [false, ["::1", 'x"', "<x>", "\u00ff\u00fe", "a,b\tc"]],
];

Deno.test("an invalid Host is 400 bad_host for any path and method", async () => {
  for (const [isHost, hosts] of HOSTS) {
    for (const host of hosts) {
      const url = isHost ? `${SITE_URL}/docs` : `http://${host}/docs`;
      const response = await get(url, { host });
      equal(response.status, isHost ? 200 : 400, JSON.stringify(host));
      if (!isHost) equal((await response.json()).error.code, "bad_host");
    }
  }
  for (const method of ["POST", "OPTIONS", "DELETE"]) {
    equal((await request("/api/lead", { method, headers: { host: "x/y" } })).status, 400, method);
  }
});
