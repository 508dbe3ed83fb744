/**
 * @module The pages that are served: sound as a whole, valid HTML, short enough for agents, and true
 * to the API that they describe.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { HtmlValidate } from "html-validate";
import { Marked, type Token } from "marked";
import { z } from "zod";
import { ERROR_CODES } from "../../schemas/error_codes.ts";
import { LeadRequest } from "../../schemas/lead.ts";
import { checkSite } from "../../site/check.ts";
import { contactPaths, localePrefix, LOCALES } from "../../site/page_path.ts";
import { createSite } from "../../site/site.ts";
import { brokenKv } from "../support/broken_kv.ts";
import { knownPaths } from "../support/known_paths.ts";
import { type TestAppOptions, withApp } from "../support/test_app.ts";
import { FACTS, REAL_PAGES } from "./fixture.ts";

/** The sizes at which agents cut what they read. */
const MOST = { page: 20_000, fullText: 50_000 };

const site = createSite(REAL_PAGES, FACTS);
const pages = await site.pages();
const docs = pages.filter(({ name }) => name === "docs");

Deno.test("the sources of all pages are sound", async () => {
  deepEqual(await checkSite(REAL_PAGES, { facts: FACTS, knownPaths: await knownPaths() }), []);
});

Deno.test("no page and no full text is longer than agents read", async () => {
  for (const page of pages) {
    // What agents make text of; head and frame they throw away.
    const main = /<main.*<\/main>/s.exec(await site.html(page))?.[0].length ?? Infinity;
    ok(main <= MOST.page, `${page.file}: ${main}`);
    ok((await site.markdown(page)).length <= MOST.page, page.file);
  }
  for (const locale of LOCALES) {
    ok((await site.llmsFull(locale)).length <= MOST.fullText, locale);
    ok((await site.llms(locale)).length <= MOST.fullText, locale);
  }
});

Deno.test("every link in the markdown is absolute, as a markdown parser sees it", async () => {
  const marked = new Marked();
  const texts = await Promise.all([
    ...pages.map((page) => site.markdown(page)),
    ...LOCALES.flatMap((locale) => [site.llms(locale), site.llmsFull(locale)]),
  ]);
  let links = 0;
  for (const text of texts) {
    marked.walkTokens(marked.lexer(text), (token: Token) => {
      if (token.type !== "link" && token.type !== "image") return;
      match(token["href"], /^https?:\/\//);
      links++;
    });
  }
  ok(links > 100, String(links));
});

Deno.test("the documentation lists every error code with its status", () => {
  const rows = Object.entries(ERROR_CODES).map(([code, { status }]) => `${status} ${code}`);
  for (const { body, file } of docs) {
    const listed = [...body.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)];
    deepEqual(listed.map(([, status, code]) => `${status} ${code}`).sort(), rows.sort(), file);
  }
});

interface Member {
  readonly maxLength?: number;
  readonly enum?: readonly string[];
}

Deno.test("the documentation tells each field with the limits of the schema", () => {
  const { properties = {}, required = [] } = z.toJSONSchema(LeadRequest);
  for (const page of docs) {
    for (const [name, schema] of Object.entries(properties as Record<string, Member>)) {
      const row = page.body.split("\n").find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";
      match(row, required.includes(name) ? /\| (?:yes|ja) \|/ : /\| (?:no|nein) \|/, page.file);
      const { maxLength, enum: values = [] } = schema;
      if (maxLength) ok(row.includes(` ${maxLength} `), `${page.file}: ${row}`);
      for (const value of values) ok(row.includes(`\`${value}\``), `${page.file}: ${row}`);
    }
  }
});

Deno.test("the privacy page tells the retention that is configured", async () => {
  const longer = createSite(REAL_PAGES, { ...FACTS, leadRetentionMs: 7 * 86_400_000 });
  for (const page of (await longer.pages()).filter(({ name }) => name === "privacy")) {
    match(page.body, / 7 (?:days|Tage) /);
    equal(page.body.includes("90"), false);
  }
});

const validator = new HtmlValidate({
  root: true,
  extends: ["recommended", "standard", "a11y", "document"].map((name) => `html-validate:${name}`),
  rules: {
    // HTML does not mind the case, and the document is in lower case throughout.
    "doctype-style": ["error", { style: "lowercase" }],
    // A hash guards against a foreign host; the content policy forbids to load from one.
    "require-sri": ["error", { target: "crossorigin" }],
  },
});

async function assertValid(response: Response, status: number): Promise<void> {
  equal(response.status, status);
  equal(response.headers.get("content-type"), "text/html; charset=utf-8");
  const { results } = await validator.validateString(await response.text());
  const faults = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId}: ${message} in line ${line}`)
  );
  deepEqual(faults, []);
}

const EMPTY = { email: "", company: "", plan: "", message: "", website: "" };
const FULL = {
  ...EMPTY,
  email: "ada@example.com",
  company: `"Example" & <Söhne>`,
  plan: "pro",
  message: "First line\r\n</textarea><script>",
};

function post(fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
  };
}

/** What the form is answered in each of its states, in an app of which nothing else is asked. */
const STATES: readonly (readonly [status: number, init: RequestInit, options?: TestAppOptions])[] =
  [
    [400, post(EMPTY)],
    [400, post({ ...FULL, email: "x" })],
    [400, post({ ...FULL, plan: "<nope>" })],
    [400, post(FULL, { "content-type": "text/plain" })],
    [403, post(FULL, { "sec-fetch-site": "cross-site" })],
    [429, post(FULL), { env: { LEAD_ATTEMPT_LIMIT: "1/10m" } }],
    [502, post(FULL), { wrapKv: brokenKv }],
  ];

Deno.test("every page, the missing page, the page of thanks and each state of the form are valid HTML", async () => {
  await withApp(async ({ request }) => {
    for (const { path } of pages) await assertValid(await request(path), 200);
    for (const locale of LOCALES) {
      await assertValid(await request(`${localePrefix(locale)}/nope`), 404);
      await assertValid(await request(contactPaths(locale).sent), 200);
    }
  });
  for (const [status, init, options] of STATES) {
    await withApp(async ({ request }) => {
      for (const locale of LOCALES) {
        const { form } = contactPaths(locale);
        if (status === 429) await (await request(form, post(EMPTY))).body?.cancel();
        await assertValid(await request(form, init), status);
      }
    }, options);
  }
});
