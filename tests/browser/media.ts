/** @module Other ways to look at the pages: narrow, on paper, with more contrast, in forced colours. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Page } from "playwright-core";
import { pagePaths, takePicture, test } from "./support/browser.ts";
import { axeProblems, bodyContrastProblems, loadAxe } from "./support/inspect.ts";

const EXAMPLES = ["/", "/pricing", "/contact", "/docs"];

const WIDE_TABLES = `[...document.querySelectorAll(".table")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ ariaLabel }) => ariaLabel)`;

test("no table has to be scrolled, 390 and 768 px wide", async ({ service, visit }) => {
  for (const width of [390, 768]) {
    const { page } = await visit("/", { viewport: { width, height: 900 } });
    for (const path of await pagePaths(service)) {
      await page.goto(path);
      deepEqual(await page.evaluate(WIDE_TABLES), [], `${path}, ${width} px`);
    }
  }
});

test("on a phone each compared value follows the name of its column", async ({ visit }) => {
  const { page } = await visit("/pricing", { viewport: { width: 390, height: 900 } });
  const columns = await page.locator("thead th").allTextContents();
  const names = await page.evaluate(`[...document.querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].map((cell) => cell.dataset.column))`);
  deepEqual(names, Array(await page.locator("tbody tr").count()).fill(columns));
  const shown = await stylesOf(page, "tbody td", "content", "::before");
  ok(shown[0]!.startsWith(`"${columns[0]}"`), shown[0]);
});

/** The texts that would be too light for white paper. */
const LIGHT_TEXTS = `(() => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const luminance = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility()
    && (element.matches("svg") || [...element.childNodes].some((node) =>
      node.nodeType === Node.TEXT_NODE && node.data.trim() !== ""))
    && 1.05 / (luminance(getComputedStyle(element).color) + 0.05) < 4.5)
    .map((element) => element.textContent.trim() || element.outerHTML);
})()`;

test("on paper texts, icons and buttons are dark, the logo is there and menus are not", async ({ service, visit }) => {
  const { page } = await visit("/", { colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  for (const path of [...await pagePaths(service), "/contact/sent", "/nowhere"]) {
    await page.goto(path);
    deepEqual(await page.evaluate(LIGHT_TEXTS), [], path);
    deepEqual(
      await page.locator(":is(nav, button:not(.choices *)):visible").allInnerTexts(),
      [],
      path,
    );
  }
  deepEqual(
    new Set(await stylesOf(page, ".brand", "printColorAdjust", "::before")),
    new Set(["exact"]),
  );
});

test("the documentation takes few sheets, because of a request in many languages one is printed", async ({ visit }) => {
  const { page } = await visit("/docs");
  const pdf = new TextDecoder("latin1").decode(await page.pdf({ format: "A4" }));
  const sheets = pdf.match(/\/Type \/Page\b/g)!.length;
  ok(sheets <= 6, `${sheets} sheets`);
  await page.emulateMedia({ media: "print" });
  const requests = page.locator(".code").first().locator("pre:visible");
  equal(await requests.count(), 1);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`with more contrast, texts have 7 and buttons an edge, ${colorScheme}`, async ({ visit }) => {
    const { page } = await visit("/", { colorScheme, contrast: "more" });
    await loadAxe(page);
    for (const path of EXAMPLES) {
      await page.goto(path);
      const edges = await stylesOf(page, "main p > strong > a, .button, .copy", "borderTopWidth");
      deepEqual(new Set(edges), new Set(["2px"]), path);
      await takePicture(page, `${path.slice(1) || "index"}-contrast-${colorScheme}`);
      deepEqual(await bodyContrastProblems(page), [], path);
      await page.reload();
      deepEqual(await axeProblems(page), [], path);
    }
  });
}

test("in forced colours a chosen tab and an invalid field are told by a line", async ({ visit }) => {
  const { page } = await visit("/docs", { forcedColors: "active" });
  const lines = await stylesOf(page, "label.tab", "textDecorationLine");
  deepEqual(lines.slice(0, 2), ["underline", "none"]);
  await page.goto("/contact");
  await page.locator("#contact_form button").click();
  await page.locator("[aria-invalid]").waitFor();
  deepEqual(await stylesOf(page, "[aria-invalid]", "borderTopWidth"), ["3px"]);
});

/** A computed property of each matching element. */
function stylesOf(page: Page, selector: string, property: string, pseudo = ""): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll("${selector}")]
      .map((element) => getComputedStyle(element, "${pseudo}").${property})`,
  );
}
