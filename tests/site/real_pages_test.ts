/** @module The served pages are valid HTML, and short enough for agents. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { HtmlValidate } from "html-validate";
import { pageFiles } from "../../site/files.ts";
import { llmsFullOf, llmsOf } from "../../site/llms_and_sitemaps.ts";
import { LOCALES } from "../../schemas/site_data.ts";
import { localePrefix, pathsIn } from "../../site/urls.ts";
import { Site } from "../../site/site.ts";
import { startApp } from "../support/test_app.ts";
import { FACTS } from "./fixture.ts";

/** Agents truncate a page at 20,000 characters; graders reject pages and llms.txt from 50,000 on. */
const MOST = { written: 20_000, served: 50_000 };
const site = await Site.read(pageFiles, FACTS);

/** What authors wrote: the API reference, at the end of its page, is in /openapi.json too. */
const written = await Site.read({
  list: pageFiles.list,
  read: async (file) => (await pageFiles.read(file)).replace(/\{\{api_reference\}\}\s*$/, ""),
}, FACTS);

Deno.test("no page, llms.txt or llms-full.txt is longer than agents read", async () => {
  const sizes = (site: Site) =>
    Promise.all(site.pages.map(async (page) => {
      const main = /<main.*<\/main>/s.exec(await site.html(page))?.[0].length ?? Infinity;
      return [
        `static/pages/${page.file}`,
        Math.max(main, (await site.markdown(page)).length),
      ] as const;
    }));
  const indexes = await Promise.all(LOCALES.map(async (locale) => [
    [`llms.txt in ${locale}`, llmsOf(locale, site).length] as const,
    [`llms-full.txt in ${locale}`, (await llmsFullOf(locale, site)).length] as const,
  ]));
  const tooLong = [
    ...(await sizes(written)).filter(([, size]) => size > MOST.written),
    ...[...await sizes(site), ...indexes.flat()].filter(([, size]) => size >= MOST.served),
  ];
  deepEqual(tooLong, [], "shorten these, or split the pages");
});

const validator = new HtmlValidate({
  root: true,
  extends: ["recommended", "standard", "a11y", "document"].map((name) => `html-validate:${name}`),
  rules: {
    // HTML ignores its case.
    "doctype-style": ["error", { style: "lowercase" }],
    // Scripts of other hosts are forbidden by the Content-Security-Policy.
    "require-sri": ["error", { target: "crossorigin" }],
  },
});

async function assertValid(response: Response, status: number): Promise<void> {
  equal(response.status, status);
  equal(response.headers.get("content-type"), "text/html; charset=utf-8");
  const { results } = await validator.validateString(await response.text());
  const problems = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId}: ${message} in line ${line}`)
  );
  deepEqual(problems, []);
}

const COMPANY = `"Example" & <Söhne>`;

const REFUSED: readonly (readonly [status: number, fields: Record<string, string>])[] = [
  [400, {}],
  [400, { email: "x", company: COMPANY, plan: "<nope>", message: "Line\r\n</textarea><script>" }],
  [429, { email: "ada@example.com", company: COMPANY, plan: "pro" }],
];

Deno.test("pages, 404, the page of thanks and refused forms are valid HTML", async () => {
  await using app = await startApp({ env: { LEAD_ATTEMPT_LIMIT: `${2 * LOCALES.length}/10m` } });
  const { request } = app;
  for (const { path } of site.pages) await assertValid(await request(path), 200);
  for (const locale of LOCALES) {
    await assertValid(await request(`${localePrefix(locale)}/nope`), 404);
    const { sent, test } = pathsIn(locale);
    for (const path of [sent, test]) await assertValid(await request(path), 200);
  }
  for (const [status, fields] of REFUSED) {
    for (const locale of LOCALES) {
      const init = { method: "POST", body: new URLSearchParams(fields) };
      await assertValid(await request(pathsIn(locale).contact, init), status);
    }
  }
});
