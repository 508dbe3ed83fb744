/** @module Using the site with nothing but a keyboard. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { browserSuite } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { leadsOf } from "./support/contact_page.ts";
import { everyPage } from "./support/every_page.ts";
import { hasFocus, tabTo, walkFaults } from "./support/keyboard.ts";

const { withSite } = browserSuite();

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

for (const viewport of [PHONE, DESK]) {
  Deno.test(`Tab goes through every page in order and in sight, ${viewport.width} px wide`, () =>
    withSite(async ({ service, visit }) => {
      const { page } = await visit("/", { viewport });
      const faults: string[] = [];
      for (const { path } of await everyPage(service)) {
        await page.goto(path);
        faults.push(...(await walkFaults(page)).map((fault) => `${path}: ${fault}`));
      }
      deepEqual(faults, []);
    }));
}

Deno.test("the first Tab reaches the link past the menus, and Enter follows it", () =>
  withSite(async ({ service, visit }) => {
    const { page } = await visit("/");
    for (const { path } of await everyPage(service)) {
      await page.goto(path);
      const link = page.locator("a.skip");
      ok((await link.boundingBox())!.y < 0, "out of sight until it is needed");
      await page.keyboard.press("Tab");
      ok(await hasFocus(page, "a.skip"), path);
      await until("it is in sight", async () => (await link.boundingBox())!.y >= 0);
      await page.keyboard.press("Enter");
      await page.waitForURL(({ hash }) => hash === "#content");
      await page.keyboard.press("Tab");
      equal(await hasFocus(page, "header"), false, path);
    }
  }));

Deno.test("regions that scroll are scrolled by the arrow keys", () =>
  withSite(async ({ visit }) => {
    const { page } = await visit("/docs", { viewport: PHONE });
    const region = page.locator("main pre:visible, main .table:visible");
    let scrolled = 0;
    for (const one of await region.all()) {
      if (!await one.evaluate((element) => element.scrollWidth > element.clientWidth)) continue;
      await one.focus();
      await page.keyboard.press("ArrowRight");
      await until("it has moved", () => one.evaluate(({ scrollLeft }) => scrollLeft > 0));
      scrolled++;
    }
    ok(scrolled > 0, "there is such a region");
  }));

Deno.test("the menu of a phone is used by keyboard, with script and without", () =>
  withSite(async ({ visit }) => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await visit("/", { viewport: PHONE, javaScriptEnabled });
      const links = page.locator("#menu a");
      const opener = "[popovertarget=menu]";
      equal(await links.first().isVisible(), false);

      await tabTo(page, opener);
      await page.keyboard.press("Enter");
      await links.last().waitFor();
      for (const _ of await links.all()) {
        await page.keyboard.press("Tab");
        ok(await hasFocus(page, "#menu a"));
      }
      await page.keyboard.press("Escape");
      await links.first().waitFor({ state: "hidden" });
      ok(await hasFocus(page, opener), "the focus goes back to where it came from");

      await page.keyboard.press("Space");
      await page.keyboard.press("Tab");
      const target = await links.first().getAttribute("href");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**${target}`);
    }
  }));

for (const locale of LOCALES) {
  const { form } = contactPaths(locale);
  Deno.test(`${form} is filled in and sent with nothing but the keyboard`, () =>
    withSite(async ({ visit, receiver }) => {
      const { page, troubles } = await visit(form, { viewport: DESK });
      await tabTo(page, "#email");
      await page.keyboard.type("ada@example.com");
      await page.keyboard.press("Tab");
      ok(await hasFocus(page, "#company"));
      await page.keyboard.type("Example GmbH");
      await page.keyboard.press("Tab");
      ok(await hasFocus(page, "#plan"));
      await page.keyboard.type("Bus");
      await page.keyboard.press("Tab");
      ok(await hasFocus(page, "#message"));
      await page.keyboard.type("Hello,");
      await page.keyboard.press("Enter");
      await page.keyboard.type("two lines.");
      await tabTo(page, "#contact-form button[type=submit]");
      await page.keyboard.press("Enter");

      await receiver.arrived(1);
      deepEqual(leadsOf(receiver), [{
        email: "ada@example.com",
        company: "Example GmbH",
        plan: "business",
        message: "Hello,\ntwo lines.",
        locale,
      }]);
      await page.locator("#form-outcome :is(h1, h2, h3)").waitFor();
      ok(await hasFocus(page, "#form-outcome"));
      deepEqual(troubles, []);
    }));
}
