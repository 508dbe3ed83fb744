/** @module The documentation in Chromium: tabs, menus, contents, search, links, the page as markdown. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
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

test("tabs work by keyboard, with and without script; print shows the chosen language", async ({ visit }) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, problems } = await visit("/docs", { javaScriptEnabled });
    deepEqual(await shown(page), LANGUAGES.slice(0, 1));
    await tabTo(page, ".tab");
    for (const language of LANGUAGES.slice(1)) {
      await page.keyboard.press("ArrowRight");
      deepEqual(await shown(page), [language]);
    }
    await page.emulateMedia({ media: "print" });
    deepEqual(await shown(page), LANGUAGES.slice(-1));
    deepEqual(problems, []);
  }
});

test("a choice of language applies to every group that has it and, by the URL, to the next page", async ({ visit }) => {
  const { page } = await visit("/developers");
  await page.getByRole("radio", { name: "fetch" }).last().check();
  const allChecked = async () => {
    const radios = await page.getByRole("radio", { name: "fetch" }).all();
    for (const radio of radios) ok(await radio.isChecked());
    return radios.length;
  };
  equal(await allChecked(), 2);
  equal(new URL(page.url()).search, "?code=fetch");
  deepEqual(await axeProblems(page), []);
  await page.locator("main").getByRole("link", { name: "quick start" }).first().click();
  await page.waitForURL("**/docs?code=fetch#quick-start");
  equal(await allChecked(), 1);
  await page.locator("main").getByRole("link", { name: "API reference" }).last().click();
  await page.waitForURL("**/docs/reference?code=fetch");
  ok(await allChecked() >= 5);
  await page.getByRole("radio", { name: "curl" }).first().check();
  equal(new URL(page.url()).search, "", "the first language needs no query");
});

test("responses are a menu, with and without script: one is shown, in print all are", async ({ visit }) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, problems } = await visit("/docs/reference", { javaScriptEnabled });
    const group = page.locator(".code:has(> select)");
    const labels = await group.locator("option").allInnerTexts();
    const visible = () => group.locator("pre:visible").allInnerTexts();
    match((await visible()).join(), /^{\s+"ok": true/);
    await page.getByRole("combobox", { name: "Response" }).selectOption("429 rate_limited");
    match((await visible()).join(), /^{\s+"error": {\s+"code": "rate_limited"/);
    await page.emulateMedia({ media: "print" });
    equal((await visible()).length, labels.length);
    deepEqual(await group.locator("> .tab:visible").allInnerTexts(), labels);
    deepEqual(problems, []);
  }
});

test("responses stand beside requests on a wide screen, below on a phone; nothing is cut off", async ({ visit }) => {
  for (const [viewport, isBeside] of [[DESKTOP, true], [PHONE, false]] as const) {
    const { page } = await visit("/docs", { viewport });
    const [request, response] = await page.locator(".exchange").first().locator(".code").all();
    const [a, b] = [(await request!.boundingBox())!, (await response!.boundingBox())!];
    equal(b.x > a.x + a.width / 2, isBeside);
    equal(b.y > a.y + a.height / 2, !isBeside);
    await page.goto("/docs/reference");
    const operation = page.locator(".operation").first();
    const [table, example] = await Promise.all(
      [".table", ".exchange"].map((part) => operation.locator(part).first().boundingBox()),
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
  for (const name of ["POST /api/lead", "Error codes", "GET /openapi.json"]) {
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

test("the search finds text of all pages by keyboard, and marks it; without script there is none", async ({ visit }) => {
  for (const [path, viewport] of [["/docs", DESKTOP], ["/de/docs/reference", PHONE]] as const) {
    const { page, problems } = await visit(path, { viewport });
    const loaded = page.waitForResponse(/\/search\.json$/);
    await page.locator(".opens-search").press("Enter");
    equal((await loaded).status(), 200);
    const dialog = page.getByRole("dialog");
    await page.keyboard.type("webHOOK mcp");
    await dialog.getByRole("status").filter({ hasText: /^\d/ }).waitFor();
    const results = dialog.getByRole("link");
    equal(await dialog.getByRole("status").innerText().then(parseInt), await results.count());
    for (const marked of await results.locator("mark").allInnerTexts()) {
      match(marked, /^(?:webhook|mcp)$/i);
    }
    deepEqual(await axeProblems(page), []);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    equal(await page.evaluate("document.activeElement.className"), "opens-search");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("rate lim");
    await page.keyboard.press("Enter"); // the first result
    await page.locator("tr:target", { hasText: "rate_limited" }).waitFor();
    ok(page.url().endsWith("/docs/reference#error-rate_limited"), page.url());
    deepEqual(problems, []);
  }
  const { page: bare } = await visit("/docs/reference", { javaScriptEnabled: false });
  equal(await bare.locator(".opens-search, dialog").count(), 0);
});

test("the search says that it found nothing, or cannot be loaded, and tries again", async ({ visit }) => {
  const { page } = await visit("/docs");
  await page.route("**/search.json", (route) => route.fulfill({ status: 503 }));
  await page.locator(".opens-search").click();
  await page.getByRole("status").getByText("cannot be loaded").waitFor();
  await page.unroute("**/search.json");
  await page.keyboard.type("(nowhere");
  await page.getByRole("status").getByText("0 found").waitFor();
});

test("the links of operations lead to their rows and to the panel", async ({ visit }) => {
  const { page } = await visit("/docs/reference");
  const operation = page.locator(".operation", { has: page.locator("#post-api-lead") });
  await operation.getByRole("link", { name: "invalid_json" }).click();
  await page.locator("tr:target", { hasText: "invalid_json" }).waitFor();
  await page.getByRole("link", { name: "Try it" }).nth(1).click();
  await page.waitForURL("**/docs?try=/api/site");
  equal(await page.locator(".try .head").innerText(), "GET /api/site");
  ok((await page.locator(".try").boundingBox())!.y < DESKTOP.height);
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
