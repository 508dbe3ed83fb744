/** @module The contact form without script: the same decisions as the API, as pages. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import type { FormState } from "../../site/contact_form.ts";
import { WORDS } from "../../site/words.ts";
import { leadOf } from "../../static/assets/contact.js";
import { brokenKv } from "../support/broken_kv.ts";
import { LEAD, SITE_URL, type TestApp, withApp } from "../support/test_app.ts";

const FORM = { email: "ada@example.com", company: "Example GmbH", plan: "", message: "" };

function postForm(
  { request }: TestApp,
  fields: Record<string, string>,
  { path = "/contact", headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  return request(path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams({ ...fields, website: fields["website"] ?? "" }).toString(),
  });
}

/** What the form holds and says: fields by name, faults by field, the notice. */
function shown(html: string): FormState {
  const text = (found: string | undefined) =>
    (found ?? "").replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? "");
  const email = /<input type="email"[^>]* value="([^"]*)"/.exec(html)?.[1];
  const company = /<input type="text" id="company"[^>]* value="([^"]*)"/.exec(html)?.[1];
  const plan = /<option value="([^"]*)" selected>/.exec(html)?.[1];
  const message = /<textarea[^>]*>\n([^<]*)<\/textarea>/.exec(html)?.[1];
  const faults = html.matchAll(/<span class="fault" id="(\w+)-fault">([^<]*)</g);
  return {
    values: {
      email: text(email),
      company: text(company),
      plan: text(plan),
      message: text(message),
      website: text(/<input type="text" id="website"[^>]* value="([^"]*)"/.exec(html)?.[1]),
    },
    faults: Object.fromEntries([...faults].map(([, field, fault]) => [field, text(fault)])),
    notice: text(/ id="form-notice"[^>]*>([^<]*)</.exec(html)?.[1]),
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  "#39": "'",
};

async function leads({ store }: TestApp) {
  return (await Array.fromAsync(store.all())).map(({ lead }) => lead);
}

for (
  const [path, locale, thanks] of [
    ["/contact", "en", /Thank you/],
    ["/de/contact", "de", /Vielen Dank/],
  ] as const
) {
  Deno.test(`a form posted to ${path} is a lead in ${locale}, and leads to a page of thanks`, () =>
    withApp(async (t) => {
      const response = await postForm(t, { ...FORM, plan: "pro", message: "Hi" }, { path });
      equal(response.status, 303);
      equal(response.headers.get("location"), `${path}/sent`);
      deepEqual(await leads(t), [{ ...LEAD, plan: "pro", message: "Hi", locale }]);
      const sent = await t.request(`${path}/sent`);
      equal(sent.status, 200);
      equal(sent.headers.get("content-type"), "text/html; charset=utf-8");
      const html = await sent.text();
      match(html, thanks);
      match(html, /<meta name="robots" content="noindex">/);
    }));
}

const WRITTEN = {
  email: "nobody",
  company: 'Müller & "Söhne" <GmbH>',
  plan: "hosted",
  message: "\n<script>\"&'</script>\n\nHi",
  website: "",
};

for (const [path, locale] of [["/contact", "en"], ["/de/contact", "de"]] as const) {
  const { notices, faults } = WORDS[locale].form;

  Deno.test(`a form at ${path} that is not valid comes back as written, with what to mend`, () =>
    withApp(async (t) => {
      const message = WRITTEN.message.replaceAll("\n", "\r\n");
      const response = await postForm(t, { ...WRITTEN, message }, { path });
      equal(response.status, 400);
      equal(response.headers.get("content-type"), "text/html; charset=utf-8");
      equal(response.headers.get("content-language"), locale);
      equal(response.headers.get("cache-control"), "no-store");
      const html = await response.text();
      ok(!html.includes("<script>"));
      deepEqual(shown(html), {
        values: WRITTEN,
        faults: { email: faults.email!["format"] },
        notice: notices.invalid,
      });
      match(html, /id="email"[^>]* aria-describedby="email-hint email-fault" aria-invalid="true"/);
      deepEqual(await leads(t), []);
    }));

  Deno.test(`a form at ${path} with its trap filled comes back with the trap empty`, () =>
    withApp(async (t) => {
      const fields = { ...WRITTEN, email: "ada@example.com", website: "https://x.example" };
      const response = await postForm(t, fields, { path });
      equal(response.status, 400);
      const html = await response.text();
      const values = { ...fields, website: "" };
      deepEqual(shown(html), { values, faults: {}, notice: notices.trap });
      equal((await postForm(t, shown(html).values as typeof values, { path })).status, 303);
    }));
}

for (
  const [limit, wait, german] of [
    ["1/10m", "10 minutes", "10 Minuten"],
    ["1/61s", "2 minutes", "2 Minuten"],
    ["1/60s", "1 minute", "1 Minute"],
    ["1/59s", "59 seconds", "59 Sekunden"],
    ["1/1s", "1 second", "1 Sekunde"],
  ] as const
) {
  Deno.test(`a form over the limit of ${limit} is asked to wait ${wait} and keeps its text`, () =>
    withApp(async (t) => {
      equal((await postForm(t, FORM)).status, 303);
      const fields = { ...FORM, plan: "pro", message: "keep me", website: "" };
      for (const [path, text] of [["/contact", wait], ["/de/contact", german]] as const) {
        const response = await postForm(t, fields, { path });
        equal(response.status, 429);
        const seconds = Number(response.headers.get("retry-after"));
        equal(Math.ceil(seconds < 60 ? seconds : seconds / 60), parseInt(text));
        const { values, notice } = shown(await response.text());
        deepEqual(values, fields);
        match(notice, new RegExp(`\\b${text}\\b`));
      }
    }, { env: { LEAD_RATE_LIMIT: limit } }));
}

Deno.test("a form of somebody who has tried too often keeps its text as well", () =>
  withApp(async (t) => {
    const fields = { ...FORM, plan: "pro", message: "keep me", website: "" };
    equal((await postForm(t, { ...FORM, email: "nobody" })).status, 400);
    const response = await postForm(t, fields);
    equal(response.status, 429);
    equal(response.headers.get("retry-after"), "60");
    deepEqual(shown(await response.text()).values, fields);
    deepEqual(await leads(t), []);
  }, { env: { LEAD_ATTEMPT_LIMIT: "1/1m" } }));

Deno.test("a form that can be neither stored nor delivered keeps its text", () =>
  withApp(async (t) => {
    const fields = { ...FORM, plan: "pro", message: "keep me", website: "" };
    const response = await postForm(t, fields);
    equal(response.status, 502);
    const { values, notice } = shown(await response.text());
    deepEqual(values, fields);
    equal(notice, WORDS.en.form.notices.notStored);
  }, { wrapKv: brokenKv }));

Deno.test("every answer to a form names its request and what is left of the limits", async () => {
  const seen: [number, boolean][] = [];
  async function note(response: Promise<Response>) {
    const { status, headers, body } = await response;
    await body?.cancel();
    match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    match(headers.get("ratelimit") ?? "", /^"lead";r=\d+;t=\d+, "attempt";r=\d+;t=\d+$/);
    seen.push([status, headers.has("retry-after")]);
  }
  await withApp(async (t) => {
    await note(postForm(t, FORM, { headers: { "sec-fetch-site": "cross-site" } }));
    await note(postForm(t, { ...FORM, email: "nobody" }));
    await note(postForm(t, FORM));
    await note(postForm(t, FORM));
  }, { env: { LEAD_RATE_LIMIT: "1/10m" } });
  await withApp((t) => note(postForm(t, FORM)), { wrapKv: brokenKv });
  deepEqual(seen, [[403, false], [400, false], [303, false], [429, true], [502, false]]);
});

for (
  const [what, headers, status] of [
    ["another site, by Sec-Fetch-Site", { "sec-fetch-site": "cross-site" }, 403],
    ["a sibling site", { "sec-fetch-site": "same-site" }, 403],
    ["another site, by Origin", { origin: "https://evil.example" }, 403],
    ["no site at all", { origin: "null" }, 403],
    ["its own page", { "sec-fetch-site": "same-origin", origin: SITE_URL }, 303],
    ["its own page, in a browser without Fetch Metadata", { origin: SITE_URL }, 303],
    [
      "its own page, its referrer withheld",
      { "sec-fetch-site": "same-origin", origin: "null" },
      303,
    ],
    ["the page that the browser loads again", { "sec-fetch-site": "none" }, 303],
    ["a program", {}, 303],
  ] as const
) {
  Deno.test(`a form posted from ${what} is answered ${status}`, () =>
    withApp(async (t) => {
      const response = await postForm(t, FORM, { headers });
      equal(response.status, status);
      const { values, notice } = shown(await response.text());
      // What another site made somebody send is not shown as if they had written it.
      equal(values.email, "");
      equal(notice, status === 303 ? "" : WORDS.en.form.notices.crossSite);
      equal((await leads(t)).length, status === 303 ? 1 : 0);
    }));
}

for (
  const [what, type, body, notice] of [
    ["in another media type", "application/json", "{}", "unreadable"],
    ["too large", "application/x-www-form-urlencoded", "x".repeat(70_000), "tooLarge"],
  ] as const
) {
  Deno.test(`a form ${what} is 400 and a page that says so`, () =>
    withApp(async (t) => {
      const headers = { "content-type": type };
      const response = await t.request("/contact", { method: "POST", headers, body });
      equal(response.status, 400);
      equal(shown(await response.text()).notice, WORDS.en.form.notices[notice]);
    }));
}

/** What a person may fill in. */
const BOTH: readonly (readonly [string, Record<string, string>])[] = [
  ["all that is required", {}],
  ["everything", { plan: "hosted", message: "Zeile\nZeile 😀" }],
  ["an empty company", { company: "" }],
  ["a company at its limit", { company: "😀".repeat(120) }],
  ["a company beyond it", { company: "😀".repeat(121) }],
  ["a message at its limit, line breaks counted once", { message: "a\n".repeat(1000) }],
  ["a message beyond it", { message: "a".repeat(2001) }],
  ["a plan that there is not", { plan: "gold" }],
  ["no email address", { email: "" }],
  ["a filled trap", { website: "http://x.example" }],
  ["a field that there is not", { tenant: "x" }],
  ["a field of the prototype's name", { ["__proto__"]: "1" }],
  ["a test address", { email: "a@b.invalid" }],
];

for (const [what, fields] of BOTH) {
  Deno.test(`a form is the same lead, or none, with script and without: ${what}`, () =>
    withApp((plain) =>
      withApp(async (scripted) => {
        const { message = "", ...rest } = { ...FORM, ...fields };
        const filled = { ...rest, message: message.replaceAll("\n", "\r\n") };
        const page = await postForm(plain, filled);
        const answer = await scripted.postLead(leadOf(Object.entries(filled), "en"));
        await page.body?.cancel();
        await answer.body?.cancel();
        equal(page.status === 303 ? 200 : page.status, answer.status);
        deepEqual(await leads(plain), await leads(scripted));
      })
    ));
}
