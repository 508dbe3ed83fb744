/** @module The site as a whole: when sources are read, and what the representations hold. */

import assert from "node:assert/strict";
import { createSite } from "../../site/site.ts";
import { FACTS, pagesOf, pageText, SITE_URL } from "./fixture.ts";

const FILES = {
  "de/index.md": pageText("# Start\n", { title: "Start" }),
  "de/docs.md": pageText("# Doku\n", { title: "Dokumentation", nav: "1" }),
  "en/privacy.md": pageText("# Privacy\n", { title: "Privacy", footer: "1" }),
  "en/docs.md": pageText(
    "# Docs\n\n[home](/) [german](/de/docs#a) [api](/openapi.json?x=1) [here](#docs) " +
      "[web](https://h.example/) `[code](/docs)`\n",
    { title: "'Docs & \"<more>\"'", nav: "2" },
  ),
  "en/index.md": pageText("# Home of {{site_name}}\n", { title: '"{{site_name}}: home"' }),
  "en/about.md": pageText("# About\n", { title: "About", nav: "1" }),
  "en/notes.txt": "not a page",
};

function newSite(reads: string[] = []) {
  return createSite(pagesOf(FILES, reads), FACTS);
}

async function pageAt(site: ReturnType<typeof newSite>, path: string) {
  return (await site.pages()).find((page) => page.path === path)!;
}

Deno.test("nothing is read before it is needed, and then once", async () => {
  const reads: string[] = [];
  const site = newSite(reads);
  assert.deepEqual(reads, []);
  await Promise.all([site.pages(), site.sitemap(), site.llms("en")]);
  await site.html(await pageAt(site, "/docs"));
  assert.deepEqual(
    reads.toSorted(),
    Object.keys(FILES).filter((f) => f.endsWith(".md")).toSorted(),
  );
});

Deno.test("a reading that failed is tried again", async () => {
  let fail = true;
  const source = pagesOf(FILES);
  const site = createSite({
    list: source.list,
    read: (file) => fail ? Promise.reject(new Error("unreadable")) : source.read(file),
  }, FACTS);
  await assert.rejects(site.pages(), /unreadable/);
  fail = false;
  assert.equal((await site.pages()).length, 6);
});

Deno.test("pages come by language, home first, then by nav", async () => {
  assert.deepEqual(
    (await newSite().pages()).map(({ path }) => path),
    ["/", "/about", "/docs", "/privacy", "/de", "/de/docs"],
  );
});

Deno.test("a page's markdown has front matter, the ways onward and absolute links", async () => {
  const site = newSite();
  assert.equal(
    await site.markdown(await pageAt(site, "/docs")),
    `---
title: "Docs & \\"<more>\\""
description: "A description that is long enough to be worth reading by anybody."
url: "${SITE_URL}/docs"
language: en
last_updated: "2026-11-21"
---

> Index of this site for agents: [llms.txt](${SITE_URL}/llms.txt) · Deutsch: [Dokumentation](${SITE_URL}/de/docs.md)

# Docs

[home](${SITE_URL}/index.md) [german](${SITE_URL}/de/docs.md#a) [api](${SITE_URL}/openapi.json?x=1) [here](${SITE_URL}/docs.md#docs) [web](https://h.example/) \`[code](/docs)\`
`,
  );
});

Deno.test("a page's HTML has title, menus, twin and date, everything escaped", async () => {
  const site = newSite();
  const html = await site.html(await pageAt(site, "/docs"));
  for (
    const part of [
      '<html lang="en">',
      "<title>Docs &amp; &quot;&lt;more&gt;&quot; – Example</title>",
      '<meta name="description" content="A description that',
      '<link rel="stylesheet" href="/assets/site.css">',
      '<a class="skip" href="#content">',
      '<main id="content">',
      '<a href="/docs" aria-current="page">Docs &amp;',
      '<a href="/de/docs" lang="de" hreflang="de">Deutsch</a>',
      '<li><a href="/privacy">Privacy</a></li>',
      '<time datetime="2026-11-21">21 November 2026</time>',
    ]
  ) assert.ok(html.includes(part), `${part}\nis missing in\n${html}`);
  assert.doesNotMatch(html, /<script(?! type="application\/ld\+json">)|<style|\sstyle=|\son\w+=/);
});

Deno.test("a title that has the site's name is not given it again", async () => {
  const site = newSite();
  assert.ok((await site.html(await pageAt(site, "/"))).includes("<title>Example: home</title>"));
});

Deno.test("the language switch leads home where a page has no twin", async () => {
  const site = newSite();
  const html = await site.html(await pageAt(site, "/about"));
  assert.ok(html.includes('<a href="/de" lang="de" hreflang="de">Deutsch</a>'));
  assert.ok(!html.includes('<link rel="alternate" hreflang="de"'));
});

Deno.test("a missing page is told in the language, kept out of indexes, with ways onward", async () => {
  const { html, markdown } = await newSite().notFound("de");
  assert.ok(html.includes('<html lang="de">') && html.includes('content="noindex"'));
  assert.ok(!html.includes('rel="canonical"') && !html.includes('hreflang="x-default"'));
  for (const path of ["/de", "/de/docs", "/de/llms.txt", "/sitemap.xml"]) {
    assert.ok(html.includes(`<a href="${path}">`), path);
  }
  for (const path of ["/de/index.md", "/de/docs.md", "/de/llms.txt", "/sitemap.xml"]) {
    assert.ok(markdown.includes(`](${SITE_URL}${path})`), path);
  }
});

Deno.test("llms.txt has a title, a summary and a line a page, the least important last", async () => {
  const llms = await newSite().llms("en");
  assert.match(llms, /^# Example\n\n> A description that .*\n\n\S/);
  assert.deepEqual(
    [...llms.matchAll(/^(?:## (.*)|- \[.*?\]\((.*?)\): .+|- .+: (http.*))$/gm)].map((
      [, title, page, other],
    ) => title ?? (page ?? other)?.replace(SITE_URL, "")),
    [
      ...["Pages", "/index.md", "/about.md", "/docs.md"],
      ...[
        "API",
        "/openapi.json",
        "/api/openapi.yaml",
        "/api/site",
        "/api/health",
      ],
      ...["Optional", "/privacy.md", "/llms-full.txt", "/sitemap.md", "/de/llms.txt"],
    ],
  );
});

Deno.test("llms-full.txt holds the text of every page of its language under its URL", async () => {
  const full = await newSite().llmsFull("de");
  assert.ok(full.includes(`URL: ${SITE_URL}/de\n\n# Start\n`));
  assert.ok(full.includes(`URL: ${SITE_URL}/de/docs\n\n# Doku\n`));
  assert.ok(!full.includes("# Docs"));
});

Deno.test("the sitemap has every page with all its languages and the author's date", async () => {
  const sitemap = await newSite().sitemap();
  assert.deepEqual(
    [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url?.replace(SITE_URL, "")),
    ["/", "/about", "/docs", "/privacy", "/de", "/de/docs"],
  );
  assert.equal(sitemap.match(/<lastmod>2026-11-21<\/lastmod>/g)?.length, 6);
  const entry = sitemap.split("<url>").find((part) => part.includes("/de/docs</loc>"));
  assert.deepEqual(
    [...entry!.matchAll(/hreflang="(.*?)" href="(.*?)"/g)].map((
      [, language, url],
    ) => [language, url]),
    [
      ["en", `${SITE_URL}/docs`],
      ["de", `${SITE_URL}/de/docs`],
      ["x-default", `${SITE_URL}/docs`],
    ],
  );
});
