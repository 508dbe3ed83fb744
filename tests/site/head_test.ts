/** @module What a page says of itself in its head: to browsers, search engines and those who share it. */

import assert from "node:assert/strict";
import { createSite } from "../../site/site.ts";
import { FACTS, pagesOf, pageText, SITE_URL } from "./fixture.ts";

const TITLE = `A "title" & <script>alert(1)</script></script>`;

const site = createSite(
  pagesOf({
    "en/index.md": pageText("# Home\n"),
    "de/index.md": pageText("# Start\n"),
    "en/sub.md": pageText("# Sub\n", { title: JSON.stringify(TITLE) }),
    "de/sub.md": pageText("# Unter\n"),
  }),
  FACTS,
);

async function htmlOf(path: string): Promise<string> {
  const page = (await site.pages()).find((one) => one.path === path)!;
  return await site.html(page);
}

function dataOf(html: string): { "@graph": Record<string, unknown>[] } {
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

Deno.test("structured data names organisation, site, page, and the product on the home page", async () => {
  const types = dataOf(await htmlOf("/"))["@graph"].map((node) => node["@type"]);
  assert.deepEqual(types, ["Organization", "WebSite", "WebPage", "SoftwareApplication"]);
});

Deno.test("structured data leads from any other page to the home page of its language", async () => {
  const [, , page, trail] = dataOf(await htmlOf("/de/sub"))["@graph"];
  assert.equal(page!["inLanguage"], "de");
  assert.equal(page!["dateModified"], "2026-11-21");
  assert.equal(trail!["@type"], "BreadcrumbList");
  const items = trail!["itemListElement"] as { item: string }[];
  assert.deepEqual(items.map(({ item }) => item), [`${SITE_URL}/de`, `${SITE_URL}/de/sub`]);
});

Deno.test("a title cannot end the data block or an attribute", async () => {
  const html = await htmlOf("/sub");
  assert.equal(dataOf(html)["@graph"][2]!["name"], TITLE);
  assert.doesNotMatch(html, /<script>/);
  assert.ok(
    html.includes('<meta property="og:title" content="A &quot;title&quot; &amp; &lt;script&gt;'),
  );
});

Deno.test("a page says where it is in every language, and what a link to it looks like", async () => {
  const html = await htmlOf("/de/sub");
  for (
    const line of [
      `<link rel="canonical" href="${SITE_URL}/de/sub">`,
      `<link rel="alternate" hreflang="en" href="${SITE_URL}/sub">`,
      `<link rel="alternate" hreflang="de" href="${SITE_URL}/de/sub">`,
      `<link rel="alternate" hreflang="x-default" href="${SITE_URL}/sub">`,
      '<link rel="alternate" type="text/markdown" href="/de/sub.md">',
      '<link rel="describedby" type="text/plain" href="/de/llms.txt">',
      `<meta property="og:url" content="${SITE_URL}/de/sub">`,
      '<meta property="og:locale" content="de_DE">',
      '<meta property="og:locale:alternate" content="en_GB">',
      `<meta property="og:image" content="${SITE_URL}/assets/og.png">`,
    ]
  ) assert.ok(html.includes(line), line);
});

Deno.test("what is no page is kept out of indexes and claims no address", async () => {
  const { html } = await site.notFound("en");
  assert.match(html, /<meta name="robots" content="noindex">/);
  assert.doesNotMatch(html, /rel="canonical"|og:|ld\+json/);
});
