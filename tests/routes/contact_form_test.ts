/** @module The contact form without script: the same decisions as the API, as pages. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
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

  Deno.test(`${path} shows the form, posts it to itself, and hides the trap`, () =>
    withApp(async (t) => {
      const html = await (await t.request(path)).text();
      match(html, new RegExp(`<form class="contact" method="post" action="${path}"`));
      for (const field of ["email", "company", "plan", "message", "website"]) {
        match(html, new RegExp(`<label for="${field}">[^<]+</label>`));
        match(html, new RegExp(`id="${field}" name="${field}"`));
      }
      match(html, /<p class="trap" aria-hidden="true">/);
    }));
}

Deno.test("a form that is not valid comes back with what was written and what is to be mended", () =>
  withApp(async (t) => {
    const message = `<script>"&'</script>`;
    const response = await postForm(t, { ...FORM, email: "nobody", message });
    equal(response.status, 400);
    equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    equal(response.headers.get("cache-control"), "no-store");
    const html = await response.text();
    match(html, /role="alert">Not sent yet/);
    match(html, /id="email" name="email" aria-invalid="true" aria-describedby="email-fault"/);
    match(html, /id="email-fault">Please give an email address/);
    match(html, /value="nobody"/);
    match(html, /value="Example GmbH"/);
    ok(!html.includes("<script>"));
    match(html, /&lt;script&gt;/);
    deepEqual(await leads(t), []);
  }));

Deno.test("a form over the limit is asked to wait, its text still there", () =>
  withApp(async (t) => {
    equal((await postForm(t, FORM)).status, 303);
    const response = await postForm(t, { ...FORM, message: "keep me" }, { path: "/de/contact" });
    equal(response.status, 429);
    equal(response.headers.get("retry-after"), "600");
    const html = await response.text();
    match(html, /noch hier: Bitte senden Sie ihn in 10 min noch einmal/);
    match(html, />keep me<\/textarea>/);
  }, { env: { LEAD_RATE_LIMIT: "1/10m" } }));

Deno.test("a form that can be neither stored nor delivered is not lost: its text is still there", () =>
  withApp(async (t) => {
    const response = await postForm(t, { ...FORM, message: "keep me" });
    equal(response.status, 502);
    const html = await response.text();
    match(html, /role="alert">Your enquiry could not be kept/);
    match(html, />keep me<\/textarea>/);
  }, {
    wrapKv: (kv) => ({
      get: kv.get.bind(kv),
      getMany: kv.getMany.bind(kv),
      list: kv.list.bind(kv),
      atomic: () => {
        throw new Error("KV is out of order");
      },
    }),
  }));

for (
  const [what, headers, status] of [
    ["another site, by Sec-Fetch-Site", { "sec-fetch-site": "cross-site" }, 403],
    ["a sibling site", { "sec-fetch-site": "same-site" }, 403],
    ["another site, by Origin", { origin: "https://evil.example" }, 403],
    ["no site at all", { origin: "null" }, 403],
    ["its own page", { "sec-fetch-site": "same-origin", origin: SITE_URL }, 303],
    ["its own page, in a browser without Fetch Metadata", { origin: SITE_URL }, 303],
    ["a program", {}, 303],
  ] as const
) {
  Deno.test(`a form posted from ${what} is answered ${status}`, () =>
    withApp(async (t) => {
      const response = await postForm(t, FORM, { headers });
      equal(response.status, status);
      await response.body?.cancel();
      equal((await leads(t)).length, status === 303 ? 1 : 0);
    }));
}

Deno.test("a form in another media type, or too large, is 400 and a page", () =>
  withApp(async (t) => {
    for (
      const [type, body] of [
        ["application/json", "{}"],
        ["application/x-www-form-urlencoded", `message=${"x".repeat(70_000)}`],
      ] as const
    ) {
      const response = await t.request("/contact", {
        method: "POST",
        headers: { "content-type": type },
        body,
      });
      equal(response.status, 400);
      match(await response.text(), /could not be read/);
    }
  }));

/** What a person may fill in, and what the API would have been sent for it. */
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
  ["__proto__", { ["__proto__x"]: "1" }],
  ["a test address", { email: "a@b.invalid" }],
];

for (const [what, fields] of BOTH) {
  Deno.test(`form and API agree on ${what}`, () =>
    withApp((form) =>
      withApp(async (api) => {
        const json: Record<string, string> = {
          email: LEAD.email,
          company: LEAD.company,
          ...fields,
        };
        const asForm = await postForm(form, {
          ...json,
          ...(json["message"] ? { message: json["message"].replaceAll("\n", "\r\n") } : {}),
        });
        const asJson = await api.postLead({ ...json, locale: "en" });
        await asForm.body?.cancel();
        await asJson.body?.cancel();
        equal(asForm.status === 303 ? 200 : asForm.status, asJson.status);
        deepEqual(await leads(form), await leads(api));
      })
    ));
}
