/** @module Discovery documents over HTTP. */

import assert from "node:assert/strict";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { assertHeadOf } from "../support/send.ts";
import { SITE_URL } from "../site/fixture.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const now = () => NOW;

const { request } = await appWithoutLeads({ now });
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
    ["/robots.txt", PLAIN, "# The texts"],
    ["/sitemap.md", "text/markdown; charset=utf-8", "# Example: Sitemap\n\n## English\n\n- ["],
    ["/site.webmanifest", "application/manifest+json", '{"name":"Example"'],
    [
      "/.well-known/api-catalog",
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      '{"linkset":[{"anchor":"https://www.example.com',
    ],
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

    const vary = new TextEncoder().encode(body).byteLength < 300 ? null : "Accept-Encoding";
    assert.equal(response.headers.get("vary"), vary);

    const etag = response.headers.get("etag")!;
    const again = await request(path, { headers: { "if-none-match": etag } });
    assert.equal(again.status, 304);
    const head = await request(path, { method: "HEAD" });
    await assertHeadOf(await request(path), head);
    const post = await request(path, { method: "POST" });
    assert.equal(post.status, 405);
    assert.equal(post.headers.get("allow"), "GET, HEAD, OPTIONS");
    await post.body?.cancel();
  });
}

Deno.test("every page of llms.txt and of the sitemap is there, in the form that is promised", async () => {
  for (const path of ["/llms.txt", "/de/llms.txt", "/sitemap.xml", "/sitemap.md"]) {
    const text = await (await request(path)).text();
    const urls = new Set(
      [...text.matchAll(/https:\/\/www\.example\.com([^\s)<"]*)/g)].map(([, p]) => p!),
    );
    assert.ok([...urls].filter((url) => !/^\/(?:api\/|assets\/)/.test(url)).length >= 5);
    for (const url of urls) {
      if (url === "/api/lead") continue; // takes no GET
      const response = await request(url === "" ? "/" : url);
      assert.equal(response.status, 200, url);
      if (url.endsWith(".md")) {
        assert.equal(response.headers.get("content-type"), "text/markdown; charset=utf-8");
      }
      await response.body?.cancel();
    }
  }
});

Deno.test("security.txt names a contact and a day of expiry less than a year ahead", async () => {
  const response = await request("/.well-known/security.txt");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), PLAIN);
  const fields = new Map(
    (await response.text()).trim().split("\n").map((line) =>
      line.split(": ", 2) as [string, string]
    ),
  );
  assert.deepEqual([...fields], [
    ["Contact", `${SITE_URL}/contact`],
    ["Expires", "2027-05-20T00:00:00.000Z"],
    ["Preferred-Languages", "en, de"],
    ["Canonical", `${SITE_URL}/.well-known/security.txt`],
    ["Policy", `${SITE_URL}/security`],
  ]);
  const expires = Date.parse(fields.get("Expires")!);
  assert.ok(expires > NOW && expires < NOW + 365 * 86_400_000);
});

Deno.test("security.txt names the address that is configured", async () => {
  const app = await appWithoutLeads({ env: { CONTACT_EMAIL: "security@example.com" }, now });
  const response = await app.request("/.well-known/security.txt");
  assert.match(await response.text(), /^Contact: mailto:security@example\.com$/m);
});

/** What the signal says, and a crawler of each kind with what it may read. */
for (
  const [contentSignal, allowed] of [
    [{ search: true, aiInput: true, aiTrain: true }, ["*", "ChatGPT-User", "GPTBot"]],
    [{ search: true, aiInput: true, aiTrain: false }, ["*", "ChatGPT-User"]],
    [{ search: true, aiInput: false, aiTrain: false }, ["*"]],
    [{ search: false, aiInput: false, aiTrain: true }, ["GPTBot"]],
  ] as const
) {
  const says = JSON.stringify(contentSignal);
  Deno.test(`robots.txt opens what ${says} opens, and no more`, async () => {
    const yes = (is: boolean) => is ? "yes" : "no";
    const { search, aiInput, aiTrain } = contentSignal;
    const signal = `search=${yes(search)}, ai-input=${yes(aiInput)}, ai-train=${yes(aiTrain)}`;
    const app = await appWithoutLeads({ env: { CONTENT_SIGNAL: signal } });
    const text = await (await app.request("/robots.txt")).text();
    const groups = text.split("\n\n").filter((part) => part.includes("User-agent: "));
    assert.equal(groups.length, 3);
    for (const group of groups) {
      assert.ok(group.includes(`Content-Signal: ${signal}`));
      for (const agent of ["*", "ChatGPT-User", "GPTBot"]) {
        if (!group.includes(`User-agent: ${agent}\n`)) continue;
        assert.ok(
          group.endsWith(
            (allowed as readonly string[]).includes(agent) ? "\nAllow: /" : "\nDisallow: /",
          ),
          `${agent}: ${group}`,
        );
      }
    }
    assert.match(text, /^Sitemap: https:\/\/www\.example\.com\/sitemap\.xml\n$/m);
  });
}

Deno.test("the API catalog names each document with the type that it is served as", async () => {
  const response = await request("/.well-known/api-catalog", { method: "HEAD" });
  assert.match(response.headers.get("link") ?? "", /api-catalog>; rel="api-catalog"$/);
  const { linkset: [context] } = await (await request("/.well-known/api-catalog")).json();
  assert.deepEqual(Object.keys(context), ["anchor", "service-desc", "service-doc", "status"]);
  const hrefs = (relation: string) =>
    context[relation].map((
      { href, type }: { href: string; type: string },
    ) => [href.slice(SITE_URL.length), type]);
  assert.deepEqual(hrefs("service-desc"), [
    ["/openapi.json", "application/json"],
    ["/api/openapi.yaml", "application/yaml"],
  ]);
  assert.deepEqual(hrefs("status"), [["/api/health", "application/json"]]);
  for (const [path, type] of hrefs("service-doc")) {
    const page = await request(path);
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("content-type"), `${type}; charset=utf-8`);
    await page.body?.cancel();
  }
});
