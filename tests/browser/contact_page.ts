/** @module The contact page in Chromium: a plan from a link, and what agents of the browser may do. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { LOCALES } from "../../schemas/site_data.ts";
import { pathsIn } from "../../site/urls.ts";
import { withSite } from "./support/browser.ts";

for (const locale of LOCALES) {
  const { contact: form } = pathsIn(locale);

  Deno.test(`a link to ${form} selects a plan, which is sent, with and without script`, () =>
    withSite(async ({ receiver, visit }) => {
      for (const javaScriptEnabled of [true, false]) {
        const company = `Example ${javaScriptEnabled}`;
        const { page } = await visit(`${form}?plan=enterprise`, { javaScriptEnabled });
        await page.locator("#field_email").fill("ada@example.com");
        await page.locator("#field_company").fill(company);
        await page.locator("#contact_form button").click();
        await page.getByRole("heading", { name: /^(?:Thank you|Vielen Dank)$/ }).waitFor();
        const { id: _id, receivedAt: _at, ...lead } =
          JSON.parse(receiver.received.at(-1)!.body).data;
        deepEqual(lead, { email: "ada@example.com", company, plan: "enterprise", locale });
      }
    }));
}

Deno.test("an agent of the browser may fill in the form, but not send it (WebMCP)", () =>
  withSite(async ({ visit }) => {
    const { page } = await visit("/contact");
    const form = page.locator("form[toolname=fill_in_enquiry]:not([toolautosubmit])");
    match(await form.getAttribute("tooldescription") ?? "", /only if the person .* asked for it/);
    for (const field of ["email", "company", "plan", "message"]) {
      const description = await page.locator(`#${field}`).getAttribute("toolparamdescription");
      const texts = page.locator(`[for=${field}], #${field}-hint`);
      equal(description, (await texts.allTextContents()).join(": "));
    }
    // The browser submits the form itself, so that its agent gets the page that follows.
    const isLeftAlone = `document.querySelector("#contact_form").dispatchEvent(
      Object.assign(new Event("submit", { cancelable: true }), { agentInvoked: true }))`;
    equal(await page.evaluate(isLeftAlone), true);
  }));
