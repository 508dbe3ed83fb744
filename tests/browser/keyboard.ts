/** @module Using the site with nothing but a keyboard. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { until } from "../support/until.ts";
import { pagePaths, takePicture, withSite } from "./support/browser.ts";
import { leadsOf } from "./support/contact_page.ts";
import { axeFaults, shapeFaults } from "./support/inspect.ts";
import { hasFocus, tabTo, walkFaults } from "./support/keyboard.ts";

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

Deno.test("Tab goes through every page in order and in sight, on a phone and a wide screen", () =>
  withSite(async ({ service, visit }) => {
    const paths = await pagePaths(service);
    const faults = await Promise.all([PHONE, DESK].map(async (viewport) => {
      const { page } = await visit("/", { viewport });
      const found: string[] = [];
      for (const path of paths) {
        await page.goto(path);
        found.push(...(await walkFaults(page)).map((fault) => `${path}: ${fault}`));
      }
      return found;
    }));
    deepEqual(faults.flat(), []);
  }));

Deno.test("the first Tab reaches the link past the menus, and Enter follows it", () =>
  withSite(async ({ service, visit }) => {
    const { page } = await visit("/");
    for (const path of await pagePaths(service)) {
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
    let scrolled = 0;
    for (const region of await page.locator("main pre:visible, main .table:visible").all()) {
      if (!await region.evaluate((element) => element.scrollWidth > element.clientWidth)) continue;
      await region.focus();
      await page.keyboard.press("ArrowRight");
      await until("it has moved", () => region.evaluate(({ scrollLeft }) => scrollLeft > 0));
      scrolled++;
    }
    ok(scrolled > 0, "there is such a region");
  }));

Deno.test("the menu of a phone is used by keyboard, with script and without, and accessible", () =>
  withSite(async ({ visit }) => {
    for (const colorScheme of ["light", "dark", undefined] as const) {
      const look = colorScheme === undefined ? { javaScriptEnabled: false } : { colorScheme };
      const { page } = await visit("/", { viewport: PHONE, ...look });
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
      await links.last().waitFor();
      if (colorScheme !== undefined) { // axe needs script itself
        await takePicture(page, `menu-390-${colorScheme}`);
        deepEqual([...await shapeFaults(page, "en"), ...await axeFaults(page)], []);
        continue;
      }
      await page.keyboard.press("Tab");
      const target = await links.first().getAttribute("href");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**${target}`);
    }
  }));

Deno.test("the contact form is filled in and sent with nothing but the keyboard", () =>
  withSite(async ({ visit, receiver }) => {
    for (const [n, locale] of LOCALES.entries()) {
      const { page, troubles } = await visit(contactPaths(locale).form, { viewport: DESK });
      for (
        const [field, text] of [
          ["#email", `ada${n}@example.com`],
          ["#company", "Example GmbH"],
          ["#plan", "Bus"],
          ["#message", "Hello,\ntwo lines."],
        ] as const
      ) {
        await (field === "#email" ? tabTo(page, field) : page.keyboard.press("Tab"));
        ok(await hasFocus(page, field));
        await page.keyboard.type(text);
      }
      await tabTo(page, "#contact-form button[type=submit]");
      await page.keyboard.press("Enter");

      await receiver.arrived(n + 1);
      deepEqual(leadsOf(receiver)[n], {
        email: `ada${n}@example.com`,
        company: "Example GmbH",
        plan: "business",
        message: "Hello,\ntwo lines.",
        locale,
      });
      await page.locator("#form-outcome :is(h1, h2, h3)").waitFor();
      ok(await hasFocus(page, "#form-outcome"));
      deepEqual(troubles, []);
    }
  }));
