/** @module The document around a page: menus from the pages that there are, and the layouts. */

import assert from "node:assert/strict";
import { contactForm } from "../../site/contact_form.ts";
import { contentsOf } from "../../site/contents.ts";
import { renderMarkdown } from "../../site/markdown.ts";
import { createSite } from "../../site/site.ts";
import { elementsOf } from "../support/html.ts";
import { FACTS, pagesOf, pageText } from "./fixture.ts";

const SECTIONS = "## A\n\na\n\n## B & `b`\n\n### C\n\nc\n\n### D\n\nd\n\n## E\n\ne\n";

const FILES = {
  "en/index.md": pageText(`# Home\n\n**[Go](/docs)**\n\n${SECTIONS}`, { layout: "landing" }),
  "en/docs.md": pageText(`# Docs\n\nlead\n\n${SECTIONS}\n\`\`\`js\n1\n\`\`\`\n`, {
    title: "A long title of the docs",
    label: '"Docs of {{site_name}}"',
    layout: "docs",
    nav: "1",
  }),
  "en/short.md": pageText("# Short\n\n## A\n\n## B\n", { layout: "docs", nav: "2" }),
  "en/contact.md": pageText("# Contact\n", { label: "Contact", footer: "1" }),
  "en/privacy.md": pageText("# Privacy\n", { label: "Privacy", footer: "2" }),
  "de/index.md": pageText("# Start\n"),
};

async function bodyOf(path: string, files: Readonly<Record<string, string>> = FILES) {
  const site = createSite(pagesOf(files), FACTS);
  const page = (await site.pages()).find((each) => each.path === path);
  const html = await site.html(page!);
  return html.slice(html.indexOf("<body"));
}

/** Path and label of every link in an element, by a pattern that only its start tag has. */
function linksIn(html: string, start: RegExp): [string | undefined, string | undefined][] {
  const from = html.search(start);
  assert.notEqual(from, -1, String(start));
  const element = html.slice(from, html.indexOf("</nav>", from));
  return [...element.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)].map(([, path, label]) => [
    path,
    label,
  ]);
}

Deno.test("menus show the pages that there are by their labels", async () => {
  const html = await bodyOf("/");
  assert.deepEqual(linksIn(html, /<nav id="menu"/), [["/docs", "Docs of Example"], [
    "/short",
    "Title",
  ]]);
  const footer = html.slice(html.indexOf("<footer"));
  assert.deepEqual(linksIn(footer, /<nav aria-labelledby="group-0"/).map(([path]) => path), [
    "/",
    "/docs",
    "/short",
  ]);
  assert.deepEqual(linksIn(footer, /<nav aria-labelledby="group-1"/), [
    ["/contact", "Contact"],
    ["/privacy", "Privacy"],
  ]);
  assert.deepEqual(linksIn(footer, /<nav aria-labelledby="group-2"/).map(([path]) => path), [
    "/llms.txt",
    "/openapi.json",
    "/sitemap.xml",
  ]);
  assert.ok(html.includes('<a href="/contact" class="button">Contact</a>'));
});

Deno.test("a site without a contact page has no button for it, and no empty menu", async () => {
  const html = await bodyOf("/", { "en/index.md": FILES["en/index.md"] });
  assert.doesNotMatch(html, /class="button"|<ul><\/ul><\/nav>\n<nav aria-labelledby/);
  assert.equal(html.match(/<nav aria-labelledby="group-/g)?.length, 2);
});

Deno.test("the page that is shown is marked wherever it is linked in the menus", async () => {
  const html = await bodyOf("/docs");
  assert.deepEqual(
    [...html.matchAll(/<a href="([^"]*)"[^>]* aria-current="page"/g)].map(([, path]) => path),
    ["/docs", "/docs"],
  );
  const contact = await bodyOf("/contact");
  assert.ok(contact.includes('<a href="/contact" class="button" aria-current="page">'));
});

Deno.test("what agents need comes before the menus, inside the header", async () => {
  assert.match(
    await bodyOf("/docs"),
    /^<body [^>]*>\n<a class="skip"[^\n]*\n<header>\n<p class="agents">.*\/docs\.md.*\/llms\.txt/,
  );
});

Deno.test("a landing page has its introduction apart from its sections", async () => {
  const html = await bodyOf("/");
  assert.match(html, /^<body class="landing home">/);
  assert.match(
    html,
    /<div class="hero">\n<h1 [^]*<strong><a href="\/docs">Go<\/a><\/strong><\/p>\n<\/div>\n<section /,
  );
});

Deno.test("documentation lists its headings before the first section", async () => {
  const html = await bodyOf("/docs");
  assert.match(html, /^<body class="docs">/);
  assert.ok(
    html.includes(
      '<p>lead</p>\n<nav class="contents" aria-labelledby="contents">\n' +
        '<p id="contents">On this page</p>\n<ul><li><a href="#a">A</a></li>\n' +
        '<li><a href="#b-b">B &amp; b</a><ul><li><a href="#c">C</a></li>' +
        '<li><a href="#d">D</a></li></ul></li>\n<li><a href="#e">E</a></li>\n</ul>\n</nav>\n' +
        '<section aria-labelledby="a">',
    ),
    html,
  );
});

Deno.test("a table of contents lists what comes before the first section, too", () => {
  const headings = ["h3", "h2", "h2", "h2"].map((tag, n) => `<${tag} id="${n}">${n}</${tag}>`);
  const links = contentsOf(headings.join("\n"), "Contents").matchAll(/href="#(\d)"/g);
  assert.deepEqual([...links].map(([, id]) => id), ["0", "1", "2", "3"]);
});

Deno.test("a page that is seen at a glance has no table of contents", async () => {
  assert.doesNotMatch(await bodyOf("/short"), /class="contents"/);
});

Deno.test("no heading gets an id that the frame or the contact form has", async () => {
  const faults = { email: "a", company: "b", plan: "c", message: "d" };
  const form = { values: {}, faults, notice: "e" };
  async function idsWith(headings: readonly string[]) {
    const body = ["# Contact", ...headings.map((heading) => `## ${heading}`)].join("\n\n");
    const files = { "en/contact.md": pageText(body, { layout: "docs", footer: "1" }) };
    const site = createSite(pagesOf(files), FACTS);
    const empty = await site.html((await site.pages())[0]!);
    const html = empty.replace(contactForm("en"), () => contactForm("en", form));
    return elementsOf(html).flatMap(({ attributes: { id } }) => id ?? []);
  }
  const ids = await idsWith(["A", "B", "C"]);
  for (const id of ["content", "contents", "menu", "plan-fault"]) assert.ok(ids.includes(id), id);
  const doubled = await idsWith(ids);
  assert.equal(doubled.length, 2 * ids.length - 3);
  assert.equal(new Set(doubled).size, doubled.length);
});

Deno.test("only a page with a code block loads the script for it", async () => {
  const site = createSite(pagesOf(FILES), FACTS);
  for (const page of await site.pages()) {
    const loads = (await site.html(page)).includes('src="/assets/copy.js"');
    assert.equal(loads, (await renderMarkdown(page.body)).html.includes("<pre"), page.path);
  }
});

Deno.test("what is no page is told apart, and marks nothing", async () => {
  const { html } = await createSite(pagesOf(FILES), FACTS).notFound("en");
  assert.match(
    html,
    /<body class="landing aside">[^]*<main id="content">\n<div class="hero">\n<h1 /,
  );
  assert.doesNotMatch(html, /aria-current/);
});
