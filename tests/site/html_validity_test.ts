/**
 * @module Every HTML document that the service can answer with is valid, by html-validate: each page
 * in each language, the missing page, the contact form in each of its states, the page of thanks.
 */

import assert from "node:assert/strict";
import { HtmlValidate } from "html-validate";
import { contactPaths, localePrefix, LOCALES } from "../../site/page_path.ts";
import { type TestApp, type TestAppOptions, withApp } from "../support/test_app.ts";

const validator = new HtmlValidate({
  root: true,
  extends: [
    "html-validate:recommended",
    "html-validate:standard",
    "html-validate:a11y",
    "html-validate:document",
  ],
  rules: {
    // HTML does not mind the case, and the document is in lower case throughout.
    "doctype-style": ["error", { style: "lowercase" }],
    // A hash guards against a foreign host; the content policy forbids to load from one.
    "require-sri": ["error", { target: "crossorigin" }],
  },
});

async function assertValid(response: Response, status: number): Promise<void> {
  assert.equal(response.status, status);
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
  const { results } = await validator.validateString(await response.text());
  const faults = results.flatMap(({ source, messages }) =>
    messages.map(({ ruleId, message, line }) =>
      `${ruleId}: ${message} in line ${line}: ${source?.split("\n")[line - 1]?.slice(0, 200)}`
    )
  );
  assert.deepEqual(faults, []);
}

Deno.test("the validator is strict: it finds what is wrong", async () => {
  const text = '<!doctype html>\n<html lang="en">\n<head><title>T</title></head>\n<body>\n' +
    '<p id="a" id="b" onclick="x()"><div></p><img src="/a.png">\n</body>\n</html>\n';
  const { results } = await validator.validateString(text);
  const rules = new Set(results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId)));
  for (const rule of ["no-dup-attr", "close-order", "wcag/h37"]) {
    assert.ok(rules.has(rule), `${rule} not in ${[...rules].join(", ")}`);
  }
});

Deno.test("every page of the sitemap is valid HTML", () =>
  withApp(async ({ request, config }) => {
    const sitemap = await (await request("/sitemap.xml")).text();
    const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)]
      .map(([, url]) => url!.slice(config.siteUrl.length) || "/");
    assert.ok(paths.length >= 10, String(paths.length));
    for (const path of paths) await assertValid(await request(path), 200);
  }));

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

/** KV that takes nothing, so that a lead can be held nowhere. */
const BROKEN: TestAppOptions = {
  wrapKv: (kv) => ({
    get: kv.get.bind(kv),
    getMany: kv.getMany.bind(kv),
    list: kv.list.bind(kv),
    atomic: () => {
      throw new Error("KV is out of order");
    },
  }),
};

interface State {
  readonly what: string;
  readonly status: number;
  readonly init: RequestInit;
  readonly options?: TestAppOptions;
}

const STATES: readonly State[] = [
  { what: "with every field empty", status: 400, init: post(EMPTY) },
  { what: "with a bad address and a long name", status: 400, init: post({ ...FULL, email: "x" }) },
  { what: "with a plan that there is not", status: 400, init: post({ ...FULL, plan: "<nope>" }) },
  { what: "not as a form", status: 400, init: post(FULL, { "content-type": "text/plain" }) },
  { what: "from another site", status: 403, init: post(FULL, { "sec-fetch-site": "cross-site" }) },
  {
    what: "too often",
    status: 429,
    init: post(FULL),
    options: { env: { LEAD_RATE_LIMIT: "1/10m" } },
  },
  { what: "when nothing can hold it", status: 502, init: post(FULL), options: BROKEN },
];

for (const locale of LOCALES) {
  const { form, sent } = contactPaths(locale);

  Deno.test(`the missing page and the page of thanks are valid HTML (${locale})`, () =>
    withApp(async ({ request }) => {
      await assertValid(await request(`${localePrefix(locale)}/nope`), 404);
      await assertValid(await request(sent), 200);
    }));

  for (const { what, status, init, options } of STATES) {
    Deno.test(`the form that comes back when sent ${what} is valid HTML (${locale})`, () =>
      withApp(async (app) => {
        if (status === 429) await spend(app, form);
        await assertValid(await app.request(form, init), status);
      }, options));
  }
}

async function spend({ request }: TestApp, path: string): Promise<void> {
  const response = await request(path, post({ ...FULL, email: "grace@example.com" }));
  await response.body?.cancel();
}
