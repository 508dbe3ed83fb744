/**
 * @module The pages that are served: sound as a whole, short enough for agents, and true to the API
 * that they describe.
 */

import assert from "node:assert/strict";
import { Marked, type Token } from "marked";
import { z } from "zod";
import { ERROR_CODES } from "../../schemas/error_codes.ts";
import { LeadRequest } from "../../schemas/lead.ts";
import { checkSite } from "../../site/check.ts";
import { LOCALES } from "../../site/page_path.ts";
import { createSite } from "../../site/site.ts";
import { knownPaths } from "../support/known_paths.ts";
import { FACTS, REAL_PAGES } from "./fixture.ts";

/** The sizes at which agents cut what they read. */
const MOST = { page: 20_000, fullText: 50_000 };

const site = createSite(REAL_PAGES, FACTS);

Deno.test("the sources of all pages are sound", async () => {
  const faults = await checkSite(REAL_PAGES, { facts: FACTS, knownPaths: await knownPaths() });
  assert.deepEqual(faults, []);
});

/** Others may be added; these are named by the site index and the documents of discovery. */
const NAMED = [
  ...["index", "product", "pricing", "security", "about", "contact", "privacy", "imprint"],
  ...["developers", "docs"],
];

Deno.test("every language has the pages that the service itself names", async () => {
  for (const locale of LOCALES) {
    const own = (await site.pages()).filter((page) => page.locale === locale);
    const missing = NAMED.filter((name) => !own.some((page) => page.name === name));
    assert.deepEqual(missing, [], locale);
  }
});

Deno.test("no page and no full text is longer than agents read", async () => {
  for (const page of await site.pages()) {
    // What agents make text of; head and frame they throw away.
    const main = /<main.*<\/main>/s.exec(await site.html(page))?.[0].length ?? Infinity;
    assert.ok(main <= MOST.page, `${page.file}: ${main}`);
    assert.ok((await site.markdown(page)).length <= MOST.page, page.file);
  }
  for (const locale of LOCALES) {
    assert.ok((await site.llmsFull(locale)).length <= MOST.fullText, locale);
    assert.ok((await site.llms(locale)).length <= MOST.fullText, locale);
  }
});

Deno.test("every link in the markdown is absolute, as a markdown parser sees it", async () => {
  const marked = new Marked();
  const texts = await Promise.all([
    ...(await site.pages()).map((page) => site.markdown(page)),
    ...LOCALES.flatMap((locale) => [site.llms(locale), site.llmsFull(locale)]),
  ]);
  let links = 0;
  for (const text of texts) {
    marked.walkTokens(marked.lexer(text), (token: Token) => {
      if (token.type !== "link" && token.type !== "image") return;
      assert.match(token["href"], /^https?:\/\//);
      links++;
    });
  }
  assert.ok(links > 100, String(links));
});

Deno.test("the HTML asks nothing of other hosts and holds nothing inline", async () => {
  for (const page of await site.pages()) {
    const html = await site.html(page);
    // A data block, which never runs, and modules of this site's own.
    const scripts = html.replaceAll(
      /<script type="(?:application\/(?:ld\+)?json"|module" src="\/assets\/\w+\.js")/g,
      "",
    );
    assert.doesNotMatch(
      scripts,
      /<script|<style|\sstyle=|<iframe|<form(?! class="contact" id="contact-form" data-markdown-ignore method="post" action="\/)/,
    );
    assert.doesNotMatch(
      html,
      /<(?:img|source|link rel="(?:icon|stylesheet)")[^>]*(?:src|href)="http/,
    );
  }
});

Deno.test("the documentation lists every error code with its status", async () => {
  for (const page of (await site.pages()).filter(({ name }) => name === "docs")) {
    for (const [code, { status }] of Object.entries(ERROR_CODES)) {
      assert.ok(page.body.includes(`| ${status} | \`${code}\` |`), `${page.file}: ${code}`);
    }
    const listed = [...page.body.matchAll(/^\| \d{3} \| `(\w+)` \|/gm)].map(([, code]) => code);
    assert.deepEqual(listed.sort(), Object.keys(ERROR_CODES).sort(), page.file);
  }
});

interface Member {
  readonly maxLength?: number;
  readonly enum?: readonly string[];
}

Deno.test("the documentation tells each field with the limits of the schema", async () => {
  const { properties = {}, required = [] } = z.toJSONSchema(LeadRequest);
  for (const page of (await site.pages()).filter(({ name }) => name === "docs")) {
    for (const [name, schema] of Object.entries(properties as Record<string, Member>)) {
      const row = page.body.split("\n").find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";
      const isRequired = required.includes(name);
      assert.match(row, isRequired ? /\| (?:yes|ja) \|/ : /\| (?:no|nein) \|/, page.file);
      const { maxLength, enum: values = [] } = schema;
      if (maxLength) assert.ok(row.includes(` ${maxLength} `), `${page.file}: ${row}`);
      for (const value of values) assert.ok(row.includes(`\`${value}\``), `${page.file}: ${row}`);
    }
  }
});

Deno.test("the privacy page tells the retention that is configured", async () => {
  const longer = createSite(REAL_PAGES, { ...FACTS, leadRetentionMs: 7 * 86_400_000 });
  for (const page of (await longer.pages()).filter(({ name }) => name === "privacy")) {
    assert.match(page.body, / 7 (?:days|Tage) /);
    assert.doesNotMatch(page.body, /90/);
  }
});
