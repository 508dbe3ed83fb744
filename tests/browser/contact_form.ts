/** @module The contact form in Chromium, with and without script. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { LOCALES } from "../../schemas/site_data.ts";
import { pathsIn } from "../../site/urls.ts";
import { postLead } from "../support/post_lead.ts";
import { freePort } from "../support/service.ts";
import { until } from "../support/until.ts";
import { test, withSite } from "./support/browser.ts";
import {
  assertAccepted,
  assertAccessible,
  assertRefused,
  forEachVariant,
  INPUT,
  type Input,
  inputOf,
  leadsOf,
  noticeOf,
  openForm,
  SUBMIT,
} from "./support/contact_form.ts";
import { hasFocus } from "./support/keyboard.ts";

for (const locale of LOCALES) {
  const { contact, sent, test: tested } = pathsIn(locale);
  for (const [path, email] of [[sent, INPUT.email], [tested, "ada@example.invalid"]] as const) {
    test(`${contact} sends a lead from ${email} and leads to ${path}, which shows the address`, async (site) => {
      const { page: plain } = await site.visit(path, { javaScriptEnabled: false });
      const [title, text] = [await plain.title(), await plain.locator("main").innerText()];
      const address = await plain.locator("h1 + p > strong").innerText();
      for (const script of [true, false]) {
        const input = { ...INPUT, email, company: `Example ${script}` };
        const open = await openForm(site, { locale, script, input });
        const { page, problems } = open;
        await assertAccepted(open, path);
        // The first time with the address, reloaded without.
        for (const shown of [script ? text.replace(address, email) : text, text]) {
          equal(page.url(), site.service.url + path);
          equal(await page.title(), title);
          equal(await page.locator("main").innerText(), shown);
          await page.reload();
        }
        equal(await page.evaluate("history.state"), null);
        deepEqual(leadsOf(site.receiver).at(-1), path === sent ? { ...input, locale } : undefined);
        deepEqual(problems, []);
        await assertAccessible(open, path === sent ? "contact-sent" : "contact-test");
      }
    });
  }
}

test("a company is optional, with and without script", async (site) => {
  for (const locale of LOCALES) {
    for (const script of [true, false]) {
      const email = `${locale}.${script}@example.com`;
      const form = await openForm(site, {
        locale,
        script,
        input: { ...INPUT, email, company: "" },
      });
      await assertAccepted(form);
      deepEqual(leadsOf(site.receiver).at(-1), { ...INPUT, email, company: "", locale });
    }
  }
});

Deno.test("a double click, or Enter while sending, sends one lead", () => {
  const released = Promise.withResolvers<void>();
  return withSite(async (site) => {
    const { page } = await openForm(site, { locale: "en", script: true });
    const posts: string[] = [];
    page.on("request", (one) => one.method() === "POST" && posts.push(new URL(one.url()).pathname));
    try {
      await page.locator(SUBMIT).dblclick();
      await page.locator("#contact_form[aria-busy=true]").waitFor();
      ok(await hasFocus(page, SUBMIT), "the button keeps the focus");
      await page.locator("#field_email").press("Enter");
    } finally {
      released.resolve();
    }
    await page.waitForURL("**/sent");
    deepEqual(posts, ["/api/lead"]);
    equal(site.receiver.received.length, 1);
  }, {
    env: { LEAD_INLINE_TIMEOUT: "10s" },
    answer: () => released.promise.then(() => new Response(null, { status: 204 })),
  });
});

const INVALID: readonly (readonly [Input, ...fields: string[]])[] = [
  [{ email: "", company: "", plan: "", message: "" }, "email"],
  [{ ...INPUT, company: "x".repeat(121), message: "x".repeat(2001) }, "company", "message"],
];

test("invalid fields have error texts, the first has the focus, the input is unchanged", async (site) => {
  for (const [input, ...fields] of INVALID) {
    await forEachVariant(async (variant) => {
      const form = await openForm(site, { ...variant, input });
      const refusal = await assertRefused(form, { status: 400, input });
      deepEqual(Object.keys(refusal.problems), fields);
      await until(
        "the first field has the focus",
        () => hasFocus(form.page, `#field_${fields[0]}`),
      );
      const links = form.page.locator("#form_notice a");
      deepEqual(await links.allInnerTexts(), Object.values(refusal.problems));
      await links.last().press("Enter");
      await until(
        "a link leads to its field",
        () => hasFocus(form.page, `#field_${fields.at(-1)}`),
      );
      deepEqual(form.problems, variant.script ? ["400: POST /api/lead"] : []);
      await assertAccessible(form, "contact-problems");
      return refusal;
    });
  }
  equal(site.receiver.received.length, 0);
});

test("a corrected field is no longer marked", async (site) => {
  const company = "x".repeat(121);
  const input = { ...INPUT, email: "ada", company };
  const form = await openForm(site, { locale: "en", script: true, input });
  await assertRefused(form, { status: 400, input });
  await form.page.locator("#field_email").fill(INPUT.email);
  const { problems } = await assertRefused(form, { status: 400, input: { ...INPUT, company } });
  deepEqual(Object.keys(problems), ["company"]);
  await form.page.locator("#field_company").fill(INPUT.company);
  await assertAccepted(form);
});

test("the honeypot is hidden, also from assistive technology, and emptied if filled", async (site) => {
  for (const script of [true, false]) {
    const input = { ...INPUT, company: `Example ${script}` };
    const open = await openForm(site, { locale: "en", script, input });
    const { page } = open;
    const honeypot = page.locator("#field_website");
    const { x, width } = (await honeypot.boundingBox())!;
    ok(x + width <= 0, "left of the page, where it cannot be scrolled to");
    const protocol = await page.context().newCDPSession(page);
    const { nodes } = await protocol.send("Accessibility.getFullAXTree");
    const names = nodes.filter(({ ignored }) => !ignored).map(({ name }) => name?.value);
    const label = (id: string) => page.locator(`label[for=field_${id}]`).textContent();
    ok(names.includes(await label("email")));
    equal(names.includes(await label("website")), false);

    await honeypot.evaluate((field) => field.value = "filled");
    const { notice, problems } = await assertRefused(open, { status: 400, input });
    ok(notice.length > 20);
    deepEqual(problems, {});
    await assertAccepted(open);
    deepEqual(leadsOf(site.receiver).at(-1), { ...input, locale: "en" });
  }
  equal(site.receiver.received.length, 2);
});

test("a client over the limit sees how long to wait", async (site) => {
  await (await postLead(site.service.url)).body?.cancel();
  await forEachVariant(async (variant) => {
    const form = await openForm(site, variant);
    const refusal = await assertRefused(form, { status: 429 });
    match(refusal.notice, variant.locale === "en" ? /\b10 minutes\b/ : /\b10 Minuten\b/);
    await assertAccessible(form, "contact-limited");
    return refusal;
  });
  equal(site.receiver.received.length, 1);
}, { env: { LEAD_RATE_LIMIT: "1/10m" } });

test(
  "a lead that is neither stored nor delivered is refused and can be sent again",
  async (site) => {
    await forEachVariant(async (variant) => {
      const form = await openForm(site, variant);
      const refusal = await assertRefused(form, { status: 502 });
      await assertAccepted(form);
      deepEqual(leadsOf(site.receiver).at(-1), { ...INPUT, locale: variant.locale });
      return refusal;
    });
    equal(site.receiver.received.length, 8);
  },
  {
    // No KV server listens; the target refuses each lead the first time.
    env: { KV_PATH: `http://127.0.0.1:${freePort()}`, DENO_KV_ACCESS_TOKEN: "token" },
    answer: (n) => new Response(null, { status: n % 2 === 0 ? 503 : 204 }),
  },
);

test("the form keeps its input while the network is down, and can be sent later", async (site) => {
  const form = await openForm(site, { locale: "de", script: true });
  const { page, problems } = form;
  await page.context().setOffline(true);
  await page.locator(SUBMIT).click();
  ok((await noticeOf(page)).length > 20);
  deepEqual(await inputOf(page), INPUT);
  deepEqual(problems, ["failed: POST /api/lead"]);
  await page.context().setOffline(false);
  await assertAccepted(form);
  deepEqual(leadsOf(site.receiver), [{ ...INPUT, locale: "de" }]);
});

test("an agent of the browser may fill in the form, but not send it (WebMCP)", async ({ visit }) => {
  const { page } = await visit("/contact");
  const form = page.locator("form[toolname=fill_in_enquiry]:not([toolautosubmit])");
  match(await form.getAttribute("tooldescription") ?? "", /only if the person .* asked for it/);
  for (const field of ["email", "company", "plan", "message"]) {
    const description = await page.locator(`#field_${field}`).getAttribute("toolparamdescription");
    const texts = page.locator(`[for=field_${field}], #field_${field}_hint`);
    equal(description, (await texts.allTextContents()).join(": "));
  }
  // The browser submits the form itself, so that its agent gets the page that follows.
  const isLeftAlone = `document.querySelector("#contact_form").dispatchEvent(
    Object.assign(new Event("submit", { cancelable: true }), { agentInvoked: true }))`;
  equal(await page.evaluate(isLeftAlone), true);
});
