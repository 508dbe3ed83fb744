/** @module The changelog's days, and its Atom feed (RFC 4287), which `test:browser` parses as XML. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { Site } from "../../site/site.ts";
import { appWithoutLeads } from "../support/app_without_leads.ts";
import { elementsOf } from "../support/html.ts";
import { FACTS, pagesOf, pageText, SITE_URL } from "./fixture.ts";

const BODY = `# Changes

## 2026-11-22: A & \`<b>\`

See [docs](/docs) and [below](#old).

\`\`\`bash
## 2026-11-23: a comment
\`\`\`

## 2026-11-20: Old

a < b

## 2026-02-30: No day

## No entry
`;
const FILES = {
  "en/changelog.md": pageText(BODY, { title: '"Changes & more"', updated: "2026-11-21" }),
  "de/changelog.md": pageText("# Änderungen\n", { title: "Änderungen" }),
};

function partsOf(feed: string): (name: string) => string[] {
  const elements = elementsOf(feed);
  return (name) => elements.filter((one) => one.name === name).map(({ text }) => text);
}

Deno.test("feedOf() has an entry for each dated section, with absolute links", async () => {
  const site = await Site.read(pagesOf(FILES), FACTS);
  const feed = await site.feed({ file: "en/changelog.md" });
  const texts = partsOf(feed);
  const page = `${SITE_URL}/changelog`;
  const ids = [`${page}#2026-11-22-a-b`, `${page}#2026-11-20-old`];
  deepEqual(texts("id"), [page, ...ids]);
  deepEqual(texts("updated"), ["22", "22", "20"].map((day) => `2026-11-${day}T00:00:00Z`));
  deepEqual(texts("title"), ["Changes & more – Example", "A &amp; <code>&lt;b&gt;</code>", "Old"]);
  deepEqual(texts("name"), ["Example"]);
  deepEqual(texts("subtitle"), [site.pages.find(({ locale }) => locale === "en")!.description]);
  const links = elementsOf(feed).filter(({ name }) => name === "link")
    .map(({ attributes: { rel = "alternate", type, href } }) => [rel, type, href].join(" "));
  deepEqual(links, [
    `self application/atom+xml ${page}.xml`,
    `alternate text/html ${page}`,
    ...ids.map((id) => `alternate  ${id}`),
  ]);
  const [first = "", second] = texts("content");
  ok(first.includes(`<a href="${SITE_URL}/docs">docs</a> and <a href="${page}#old">`), first);
  ok(first.includes("## 2026-11-23: a comment"), first);
  equal(second, "<p>a &lt; b</p>\n");
  ok(
    feed.startsWith(
      '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/At',
    ),
  );
});

Deno.test("the index of a folder lists its posts, newest first, in every representation and a feed", async () => {
  const post = (date: string, title: string) =>
    pageText(`# ${title}\n\n[a](/blog#b)\n`, { title, date });
  const site = await Site.read(
    pagesOf({
      "en/blog/index.md": pageText("# Blog\n\n{{posts}}\n", {
        title: "Blog",
        updated: "2026-11-01",
      }),
      "en/blog/a.md": post("2026-11-20", '"Old [x]"').replace(/^updated.*\n/m, ""),
      "en/blog/b.md": post("2026-11-22", "New"),
      "de/blog/c.md": post("2026-11-23", "Andere"),
    }),
    FACTS,
  );
  const index = { file: "en/blog/index.md" };
  const found = elementsOf(await site.html(index));
  const texts = (name: string) => found.filter((one) => one.name === name).map(({ text }) => text);
  deepEqual(texts("h2"), ["New", "Old [x]"]);
  deepEqual(texts("time").slice(0, 2), ["22 November 2026", "20 November 2026"]);
  ok(
    (await site.markdown(index)).includes(
      `## 2026-11-22: [New](${SITE_URL}/blog/b.md)\n\nA description`,
    ),
  );
  const feed = partsOf(await site.feed(index));
  const page = `${SITE_URL}/blog`;
  deepEqual(feed("id"), [page, `${page}/b`, `${page}/a`]);
  deepEqual(feed("title"), ["Blog – Example", "New", "Old [x]"]);
  deepEqual(feed("updated"), ["22", "21", "20"].map((day) => `2026-11-${day}T00:00:00Z`));
  equal(feed("content")[0], `<p><a href="${page}#b">a</a></p>\n`);
  const html = await site.html({ file: "en/blog/b.md" });
  ok(html.includes('<time datetime="2026-11-22">22 November 2026</time></p>\n<h1'), html);
});

Deno.test("the changelog shows the days above its headings, in its language", async () => {
  const files = { ...FILES, "de/changelog.md": FILES["en/changelog.md"] };
  const site = await Site.read(pagesOf(files), FACTS);
  for (const [file, day] of [["en", "22 November 2026"], ["de", "22. November 2026"]]) {
    const html = await site.html({ file: `${file}/changelog.md` });
    ok(
      html.includes(`<time datetime="2026-11-22">${day}</time></p>\n<h2 id="2026-11-22-a-b">A`),
      html,
    );
    ok(html.includes(">2026-02-30: No day</h2>"), html);
  }
});

Deno.test("a changelog without entries has an empty feed, in its language", async () => {
  const site = await Site.read(pagesOf(FILES), FACTS);
  const feed = await site.feed({ file: "de/changelog.md" });
  deepEqual(partsOf(feed)("id"), [`${SITE_URL}/de/changelog`]);
  deepEqual(partsOf(feed)("updated"), ["2026-11-21T00:00:00Z"]);
  ok(feed.includes('xml:lang="de"'), feed);
});

const FEEDS = [
  ["/changelog", "/changelog.xml"],
  ["/blog", "/blog.xml"],
  ["/docs", undefined],
  ["/guides", undefined],
] as const;

Deno.test("the changelog and an index that lists its posts have a feed, to which they link", async () => {
  const others = {
    "en/docs.md": pageText("# Docs\n"),
    "en/blog/index.md": pageText("# Blog\n\n{{posts}}\n"),
    "en/guides/index.md": pageText("# Guides\n"),
  };
  const { request } = await appWithoutLeads({ pages: pagesOf({ ...FILES, ...others }) });
  for (const [path, feed] of FEEDS) {
    const links = elementsOf(await (await request(path)).text())
      .filter(({ attributes }) => attributes["type"] === "application/atom+xml")
      .map(({ attributes }) => attributes["href"]);
    deepEqual(links, feed === undefined ? [] : [feed]);
    equal((await request(`${path}.xml`)).status, feed === undefined ? 404 : 200, path);
  }
  const response = await request("/changelog.xml");
  equal(response.headers.get("content-type"), "application/atom+xml; charset=utf-8");
  equal(partsOf(await response.text())("entry").length, 2);
  const bare = await appWithoutLeads({ pages: pagesOf(others) });
  equal((await bare.request("/changelog.xml")).status, 404);
});
