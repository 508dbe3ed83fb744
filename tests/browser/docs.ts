/** @module The documentation in Chromium: tabs, contents, filter, links to headings, the page as markdown. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../support/until.ts";
import { test } from "./support/browser.ts";
import { axeProblems } from "./support/inspect.ts";
import { tabTo } from "./support/keyboard.ts";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

/** The languages of the blocks that are shown in the first group. */
function shown(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(".code:has(input) pre")].slice(0, 5)
    .filter((block) => block.checkVisibility()).map((block) => block.firstElementChild.className)`);
}

const LANGUAGES = ["bash", "js", "ts", "python", "go"].map((name) => `language-${name}`);

test("tabs work by keyboard, with and without script; print shows all", async ({ visit }) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, problems } = await visit("/docs", { javaScriptEnabled });
    deepEqual(await shown(page), LANGUAGES.slice(0, 1));
    await tabTo(page, ".tab");
    for (const language of LANGUAGES.slice(1)) {
      await page.keyboard.press("ArrowRight");
      deepEqual(await shown(page), [language]);
    }
    await page.emulateMedia({ media: "print" });
    deepEqual(await shown(page), LANGUAGES);
    equal(await page.locator("label.tab:visible").count() >= LANGUAGES.length, true);
    deepEqual(problems, []);
  }
});

test("a choice of language applies to every group that has it, one of a response to its own", async ({ visit }) => {
  const { page: docs } = await visit("/docs/reference");
  await docs.getByRole("radio", { name: "405 method_not_allowed" }).first().check();
  equal(await docs.locator("label", { hasText: "405" }).locator(":checked").count(), 1);
  const { page } = await visit("/developers");
  await page.getByRole("radio", { name: "fetch" }).last().check();
  const radios = await page.getByRole("radio", { name: "fetch" }).all();
  equal(radios.length, 2);
  for (const radio of radios) ok(await radio.isChecked());
  deepEqual(await axeProblems(page), []);
});

test("responses stand beside requests on a wide screen, below on a phone; nothing is cut off", async ({ visit }) => {
  for (const [viewport, isBeside] of [[DESKTOP, true], [PHONE, false]] as const) {
    const { page } = await visit("/docs", { viewport });
    const [request, response] = await page.locator(".exchange").first().locator(".code").all();
    const [a, b] = [(await request!.boundingBox())!, (await response!.boundingBox())!];
    equal(b.x > a.x + a.width / 2, isBeside);
    equal(b.y > a.y + a.height / 2, !isBeside);
    await page.goto("/docs/reference");
    const parts = page.locator(".operation").first().locator("> .table, > .exchange");
    const [table, example] = await Promise.all(
      (await parts.all()).map((one) => one.boundingBox()),
    );
    equal(example!.x > table!.x + table!.width / 2, isBeside);
    const hidden = await page.evaluate(`[...document.querySelectorAll("pre, .table")]
        .filter((block) => block.matches(".table") || /"hint"/.test(block.textContent))
        .filter((block) => block.scrollWidth > block.clientWidth)
        .map((block) => block.textContent)`);
    deepEqual(hidden, []);
  }
});

test("the contents mark the section in view, and open on a phone", async ({ visit }) => {
  const low = { ...DESKTOP, height: 420 }; // the contents scroll
  const { page } = await visit("/docs/reference", { viewport: low });
  const current = page.locator(".contents [aria-current=location]");
  for (const name of ["Schema LeadRequest", "Error codes", "Schema Health"]) {
    const link = page.locator(".contents").getByRole("link", { name, exact: true });
    await link.click();
    await until(name, async () => (await current.allInnerTexts()).join() === name);
  }
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  const last = page.locator(".contents").getByRole("link", { name: "Error codes" });
  await until("the end", async () => await last.getAttribute("aria-current") !== null);
  await page.evaluate("scrollTo(0, 0)");
  await until("the beginning", async () => await current.count() === 0);
  await page.evaluate("document.getElementById('error-codes').scrollIntoView()");
  await until("the contents have scrolled to the mark", async () => {
    const box = await last.boundingBox();
    return await last.getAttribute("aria-current") !== null && box !== null && box.y > 0 &&
      box.y + box.height <= low.height;
  });
  const { page: phone } = await visit("/docs/reference", {
    viewport: PHONE,
    javaScriptEnabled: false,
  });
  const link = phone.locator(".contents").getByRole("link", { name: "Schemas" });
  equal(await link.isVisible(), false);
  for (const target of ["summary", ".languages a"]) {
    const { width, height } = (await phone.locator(target).boundingBox())!;
    ok(Math.min(width, height) >= 24, target); // WCAG 2.5.8
  }
  await phone.locator("summary").press("Enter");
  await link.click();
  await phone.waitForURL(({ hash }) => hash === "#schemas");
});

test("the filter finds sections, codes and fields; Escape clears it; without script there is none", async ({ visit }) => {
  const { page } = await visit("/docs/reference", { viewport: DESKTOP });
  const contents = page.locator(".contents");
  const all = await contents.locator("li:visible").count();
  const field = contents.getByRole("searchbox", { name: "Filter" });
  await field.fill("RATE_LIM");
  deepEqual(await contents.locator("li:visible").allInnerTexts(), ["rate_limited"]);
  equal(await contents.getByRole("status").innerText(), "1 found");
  await contents.getByRole("link", { name: "rate_limited" }).click();
  await until("the row is in view", async () => {
    const box = await page.locator("td", { hasText: /^rate_limited$/ }).boundingBox();
    return box !== null && box.y >= 0 && box.y < DESKTOP.height;
  });
  await page.goto("/");
  await page.goto("/docs/reference#error-codes-rate_limited");
  await page.locator("tr:target", { hasText: "rate_limited" }).waitFor();
  await page.locator("td a", { hasText: "invalid_json" }).click();
  await page.locator("tr:target", { hasText: "invalid_json" }).waitFor();
  await field.fill("operations");
  ok(await contents.getByRole("link", { name: "/api/health" }).isVisible(), "below Operations");
  deepEqual(await axeProblems(page), []);
  // Not the key itself, by which Chromium clears the field without script.
  const escape = 'new KeyboardEvent("keydown", { key: "Escape" })';
  await page.evaluate(`document.querySelector(".contents input").dispatchEvent(${escape})`);
  equal(await contents.locator("li:visible").count(), all);
  equal(await field.inputValue(), "");
  const { page: bare } = await visit("/docs/reference", { javaScriptEnabled: false });
  equal(await bare.getByRole("searchbox").count(), 0);
});

test("each heading has a link that shows on focus", async ({ visit }) => {
  const { page } = await visit("/de/docs", { viewport: DESKTOP });
  equal(await page.getByRole("link", { name: "Link zum Abschnitt „Limits“" }).count(), 1);
  const selector = "a.permalink[href='#limits']";
  const opacity = `getComputedStyle(document.querySelector("${selector}")).opacity`;
  equal(await page.evaluate(opacity), "0");
  await tabTo(page, selector);
  await until("it shows", async () => await page.evaluate(opacity) === "1");
  await page.keyboard.press("Enter");
  equal(new URL(page.url()).hash, "#limits");
  const headings = await page.locator("main :is(h2, h3, h4):not(.try *)").count();
  equal(await page.locator(".permalink").count(), headings);
});

test("a page is copied as markdown, by a link without script; failures are told", async ({ service, visit }) => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page, problems } = await visit("/docs", { permissions });
  const button = page.locator(".source button");
  await button.click();
  await page.getByRole("status").getByText("Copied").waitFor({ state: "attached" });
  const markdown = await (await fetch(`${service.url}/docs.md`)).text();
  equal(await page.evaluate("navigator.clipboard.readText()"), markdown);
  deepEqual(problems, []);
  await page.route("**/docs.md", (route) => route.fulfill({ status: 503 }));
  await button.click();
  await page.getByRole("status").getByText("Not copied: use the link").waitFor({
    state: "attached",
  });
  const { page: bare } = await visit("/docs", { javaScriptEnabled: false });
  await bare.getByRole("link", { name: "View as markdown" }).click();
  await bare.waitForURL("**/docs.md");
  equal(await bare.locator(".source button").count(), 0);
});
