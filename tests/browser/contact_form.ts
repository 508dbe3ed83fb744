/** @module The contact form when all goes well, with script and without: sent, heard, sent once. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { browserSuite } from "../support/browser.ts";
import { BUTTON, leadsOf, openForm, sendWell, WRITTEN } from "./support/contact_page.ts";
import { hasFocus } from "./support/keyboard.ts";

const { withSite } = browserSuite();

for (const locale of LOCALES) {
  const { form, sent } = contactPaths(locale);

  Deno.test(`${form} sends a lead, and success is seen, heard and has the focus`, () =>
    withSite(async (site) => {
      const open = await openForm(site, { locale, script: true, written: WRITTEN });
      const { page, troubles } = open;
      const outcome = page.locator("#form-outcome[role=status][aria-live=polite]");
      // A live region is heard only if it is there, and empty, before it speaks.
      equal(await outcome.textContent(), "");
      await sendWell(open);

      deepEqual(leadsOf(site.receiver), [{ ...WRITTEN, locale }]);
      equal(await page.locator("#contact-form").isVisible(), false);
      ok((await outcome.innerText()).length > 20);
      ok(await hasFocus(page, "#form-outcome"));
      equal(new URL(page.url()).pathname, form);
      deepEqual(troubles, []);
    }));

  Deno.test(`${form} sends a lead without script and leads to ${sent}`, () =>
    withSite(async (site) => {
      const open = await openForm(site, { locale, script: false, written: WRITTEN });
      const { page, troubles } = open;
      await sendWell(open);
      equal(new URL(page.url()).pathname, sent);
      deepEqual(leadsOf(site.receiver), [{ ...WRITTEN, locale }]);
      equal(await page.locator("html").getAttribute("lang"), locale);
      await page.reload();
      equal(site.receiver.received.length, 1, "to load it again sends nothing");
      deepEqual(troubles, []);
    }));
}

Deno.test("only what has to be filled in is filled in, and that is a lead", () =>
  withSite(async (site) => {
    for (const [index, script] of [true, false].entries()) {
      const needed = { email: "ada@example.com", company: `Example ${index}` };
      const written = { ...needed, plan: "", message: "" };
      await sendWell(await openForm(site, { locale: "de", script, written }));
      deepEqual(leadsOf(site.receiver)[index], { ...needed, locale: "de" });
    }
  }));

Deno.test("a double click, and Enter while a lead is on its way, send it once", () => {
  const released = Promise.withResolvers<void>();
  return withSite(async (site) => {
    const { page } = await openForm(site, { locale: "en", script: true, written: WRITTEN });
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
    });
    try {
      await page.locator(BUTTON).dblclick();
      await page.locator("#contact-form[aria-busy=true]").waitFor();
      ok(await hasFocus(page, BUTTON), "the button keeps the focus");
      await page.locator("#email").press("Enter");
    } finally {
      released.resolve();
    }
    await page.locator("#form-outcome h2").waitFor();
    deepEqual(posts, ["/api/lead"]);
    equal(site.receiver.received.length, 1);
  }, {
    env: { LEAD_INLINE_TIMEOUT: "10s" },
    answer: async () => {
      await released.promise;
      return new Response(null, { status: 204 });
    },
  });
});
