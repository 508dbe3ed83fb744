/** @module The contact form without JavaScript: the API's decisions, as pages. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { contactForm, type FormState } from "../../site/contact_form.ts";
import type { Locale } from "../../schemas/site_data.ts";
import { fill, wordsOf } from "../../schemas/words.ts";
import { leadOf } from "../../static/assets/contact.js";
import { brokenKv } from "../support/kv_with.ts";
import { stored } from "../support/sent_leads.ts";
import { LEAD, SITE_URL, startApp, type TestApp } from "../support/test_app.ts";

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

function assertShown(html: string, state: FormState, locale: Locale = "en"): void {
  ok(html.includes(contactForm(locale, state)), `no such form in ${html}`);
  for (const asset of [/\/site\.[0-9a-f]{10}\.css"/, /\/contact\.[0-9a-f]{10}\.js"/]) {
    match(html, asset);
  }
}

async function leads(t: TestApp) {
  return (await stored(t)).map(({ lead }) => lead);
}

const NOTICES = wordsOf("en").form.notices;
const limited = (wait: string) => fill(NOTICES.limited, { wait });
const KEPT = { ...FORM, plan: "pro", message: "keep me", website: "" };

const WRITTEN = {
  email: "nobody",
  company: 'Müller & "Söhne" <GmbH>',
  plan: "hosted",
  message: "\n<script>\"&'</script>\n\nHi",
  website: "",
};

for (
  const [path, locale, thanks, nothingStored] of [
    ["/contact", "en", /Thank you/, /<h1[^>]*>This was a test/],
    ["/de/contact", "de", /Vielen Dank/, /<h1[^>]*>Das war ein Test/],
  ] as const
) {
  const { notices, errors } = wordsOf(locale).form;

  Deno.test(`a form posted to ${path} is stored as a lead in ${locale} and redirects to a thank-you page`, async () => {
    await using t = await startApp();
    const response = await postForm(t, { ...FORM, plan: "pro", message: "Hi" }, { path });
    equal(response.status, 303);
    equal(response.headers.get("location"), `${path}/sent`);
    deepEqual(await leads(t), [{ ...LEAD, plan: "pro", message: "Hi", locale }]);
    const sent = await t.request(`${path}/sent`);
    equal(sent.status, 200);
    match(await sent.text(), thanks);
  });

  Deno.test(`a form posted to ${path} with a test address is not stored, and the page says so`, async () => {
    await using t = await startApp();
    const response = await postForm(t, { ...FORM, email: "ada@example.invalid" }, { path });
    equal(response.status, 303);
    equal(response.headers.get("location"), `${path}/test`);
    deepEqual(await leads(t), []);
    const page = await t.request(`${path}/test`);
    equal(page.status, 200);
    match(await page.text(), nothingStored);
  });

  Deno.test(`an invalid form at ${path} is shown again with its input and what to correct`, async () => {
    await using t = await startApp();
    const message = WRITTEN.message.replaceAll("\n", "\r\n");
    const response = await postForm(t, { ...WRITTEN, message }, { path });
    equal(response.status, 400);
    equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    equal(response.headers.get("content-language"), locale);
    equal(response.headers.get("cache-control"), "no-store");
    const html = await response.text();
    ok(!html.includes("<script>"));
    const problem = { email: errors.email!["format"]! };
    assertShown(html, { values: WRITTEN, errors: problem, notice: notices.invalid }, locale);
    deepEqual(await leads(t), []);
  });
}

for (
  const { status, wait, text, ...options } of [
    { env: { LEAD_RATE_LIMIT: "1/10m" }, status: 429, wait: "600", text: limited("10 minutes") },
    { env: { LEAD_ATTEMPT_LIMIT: "1/1m" }, status: 429, wait: "60", text: limited("1 minute") },
    { wrapKv: brokenKv, status: 502, wait: null, text: NOTICES.notStored },
  ]
) {
  Deno.test(`a form answered ${status}, retry after ${wait} s, keeps its text`, async () => {
    await using t = await startApp(options);
    await (await postForm(t, FORM)).body?.cancel();
    const response = await postForm(t, KEPT);
    equal(response.status, status);
    equal(response.headers.get("retry-after"), wait);
    match(response.headers.get("ratelimit") ?? "", /^"lead";r=\d+;t=\d+, "attempt";r=\d+;t=\d+$/);
    match(response.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    assertShown(await response.text(), { values: KEPT, errors: {}, notice: text });
  });
}

for (
  const [what, headers, status] of [
    ["another site (Sec-Fetch-Site)", { "sec-fetch-site": "cross-site" }, 403],
    ["a sibling site", { "sec-fetch-site": "same-site" }, 403],
    ["another site (Origin)", { origin: "https://evil.example" }, 403],
    ["an opaque origin", { origin: "null" }, 403],
    ["its own page, without Fetch Metadata", { origin: SITE_URL }, 303],
    ["its own page under another name", { origin: "https://a.example", host: "a.example" }, 303],
    ["its own page without Origin", { "sec-fetch-site": "same-origin", origin: "null" }, 303],
    ["a reloaded page", { "sec-fetch-site": "none" }, 303],
    ["a program", {}, 303],
  ] as const
) {
  Deno.test(`a form posted from ${what} is answered ${status}`, async () => {
    await using t = await startApp();
    const response = await postForm(t, FORM, { headers });
    equal(response.status, status);
    match(response.headers.get("ratelimit") ?? "", /"attempt";r=119;t=1$/);
    const html = await response.text();
    // A page must not show the input of another site as the visitor's.
    if (status === 303) equal(html, "");
    else assertShown(html, { values: {}, errors: {}, notice: NOTICES.crossSite });
    equal((await leads(t)).length, status === 303 ? 1 : 0);
  });
}

const BROKEN_OFF = new ReadableStream({ pull: (body) => body.error(new Error("reset")) });

for (
  const [what, type, body, notice] of [
    ["in another media type", "application/json", "{}", "unreadable"],
    ["too large", "application/x-www-form-urlencoded", "x".repeat(70_000), "tooLarge"],
    ["that is cut off", "application/x-www-form-urlencoded", BROKEN_OFF, "unreadable"],
  ] as const
) {
  Deno.test(`a form ${what} gets 400 and the matching notice`, async () => {
    await using t = await startApp();
    const headers = { "content-type": type };
    const response = await t.request("/contact", { method: "POST", headers, body });
    equal(response.status, 400);
    assertShown(await response.text(), { values: {}, errors: {}, notice: NOTICES[notice] });
  });
}

const NOT_UTF8: readonly (readonly [what: string, message: string, shown: string])[] = [
  ["percent-encoded Latin-1", "Gr%FC%DFe", "Gr\u{FFFD}\u{FFFD}e"],
  ["raw Latin-1", "Gr\xFC\xDFe", "Gr\u{FFFD}\u{FFFD}e"],
  ["an encoded surrogate", "a%ED%A0%80b%", "a\u{FFFD}\u{FFFD}\u{FFFD}b%"],
  ["a sequence that is cut off", "100%+%C3", "100% \u{FFFD}"],
];

for (const [what, message, shown] of NOT_UTF8) {
  Deno.test(`a form with ${what} is refused and keeps its text, to be sent again`, async () => {
    await using t = await startApp();
    const text = `email=ada%40example.com&company=A%26B&message=${message}`;
    const body = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await t.request("/contact", { method: "POST", headers, body });
    equal(response.status, 400);
    const values = { email: "ada@example.com", company: "A&B", message: shown };
    const refused = { values, errors: {}, notice: NOTICES.unreadableText };
    assertShown(await response.text(), refused);
    deepEqual(await leads(t), []);
    const again = await postForm(t, values);
    equal(again.status, 303);
    deepEqual((await leads(t)).map((lead) => lead.message), [shown]);
  });
}

const BOTH: readonly (readonly [string, Record<string, string>])[] = [
  ["all fields", { plan: "hosted", message: "Zeile\nZeile 😀" }],
  ["an empty company", { company: "" }],
  ["a message of maximum length, line breaks counted once", { message: "a\n".repeat(1000) }],
  ["an unknown plan", { plan: "gold" }],
  ["a filled honeypot", { website: "http://x.example" }],
  ["U+FFFD and percent signs", { message: "\u{FFFD} 100 % %zz %C3" }],
  ["a field named __proto__", { ["__proto__"]: "1" }],
];

for (const [what, fields] of BOTH) {
  Deno.test(`a form gives the same lead with and without JavaScript: ${what}`, async () => {
    await using plain = await startApp();
    await using scripted = await startApp();
    const { message = "", ...rest } = { ...FORM, ...fields };
    const filled = { ...rest, message: message.replaceAll("\n", "\r\n") };
    const page = await postForm(plain, filled);
    const answer = await scripted.postLead(
      leadOf(Object.entries(filled), { locale: "en", blank: ["company"] }),
    );
    await page.body?.cancel();
    await answer.body?.cancel();
    equal(page.status === 303 ? 200 : page.status, answer.status);
    const sent = await leads(plain);
    deepEqual(sent, await leads(scripted));
    for (const { company } of sent) equal(company, filled.company);
  });
}
