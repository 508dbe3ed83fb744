/** @module Reading: without script, in the other language, and what it costs to load. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Page } from "playwright-core";
import { LOCALES } from "../../site/page_path.ts";
import { browserSuite } from "../support/browser.ts";
import { everyPage } from "./support/every_page.ts";

const { withSite } = browserSuite();

/** For the home page with all that it loads, as it comes over the wire. */
const MOST_BYTES = 40 * 1024;

/** The texts of `main` that can be seen, block by block. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll("main :is(h1, h2, h3, h4, p, li, dt, dd, th, td, code, label)")]
      .filter((block) => block.checkVisibility({ visibilityProperty: true }))
      .map((block) => block.textContent.trim())
      .filter((text) => text !== "")`);
}

Deno.test("every page says the same without script as with it", () =>
  withSite(async ({ service, visit }) => {
    const { page: bare } = await visit("/", { javaScriptEnabled: false });
    const { page } = await visit("/");
    for (const { path } of await everyPage(service)) {
      await Promise.all([bare.goto(path), page.goto(path)]);
      const texts = await textsOf(bare);
      ok(texts.length > 3, path);
      deepEqual(texts, await textsOf(page), path);
    }
  }));

Deno.test("every page shows all of its text without script", () =>
  withSite(async ({ service, visit }) => {
    const { page } = await visit("/", { javaScriptEnabled: false });
    for (const { path } of await everyPage(service)) {
      await page.goto(path);
      const hidden = await page.evaluate(`
        [...document.querySelectorAll("main :is(h1, h2, h3, h4, p, li, th, td, pre)")]
          .filter((block) => !block.checkVisibility({ visibilityProperty: true }))
          .map((block) => block.textContent.trim())
          .filter((text) => text !== "")`);
      deepEqual(hidden, [], path);
    }
  }));

Deno.test("the language switch leads from every page to its twin and back", () =>
  withSite(async ({ service, visit }) => {
    const { page } = await visit("/", { viewport: { width: 1440, height: 900 } });
    for (const { path, locale, twins } of await everyPage(service)) {
      const other = LOCALES.find((one) => one !== locale)!;
      await page.goto(path);
      await page.locator(`header a[hreflang=${other}]`).click();
      equal(new URL(page.url()).pathname, twins[other]);
      equal(await page.locator("html").getAttribute("lang"), other);
      await page.locator(`header a[hreflang=${locale}]`).click();
      equal(new URL(page.url()).pathname, path);
    }
  }));

for (const path of ["/", "/de"]) {
  Deno.test(`${path} with all that it loads takes at most 40 KiB of transfer`, () =>
    withSite(async ({ visit }) => {
      const { page } = await visit("/robots.txt");
      const protocol = await page.context().newCDPSession(page);
      await protocol.send("Network.enable");
      await protocol.send("Network.setCacheDisabled", { cacheDisabled: true });
      const paths = new Map<string, string>();
      const bytes = new Map<string, number>();
      protocol.on("Network.requestWillBeSent", ({ requestId, request }) => {
        paths.set(requestId, new URL(request.url).pathname);
      });
      protocol.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        bytes.set(paths.get(requestId) ?? requestId, encodedDataLength);
      });
      await page.goto(path, { waitUntil: "networkidle" });
      const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
      // deno-lint-ignore no-console -- the weight is a figure to be quoted
      console.log(`${path}: ${total} bytes`, Object.fromEntries(bytes));
      ok(bytes.has(path) && bytes.has("/assets/site.css"), "both are counted");
      ok(total <= MOST_BYTES, `${total} bytes`);
    }));
}
