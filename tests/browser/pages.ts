/**
 * @module Every page of the sitemap, the 404 pages and the pages of thanks, in both languages: in light
 * and dark, on a phone and on a wide screen, with script and without. Leaves a picture of each.
 */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { contactPaths, localeOfPath, localePrefix, LOCALES } from "../../site/page_path.ts";
import { until } from "../support/until.ts";
import { pagePaths, takePicture, withSite } from "./support/browser.ts";
import { axeFaults, bringAxe, shapeFaults } from "./support/inspect.ts";

for (const width of [390, 1440]) {
  Deno.test(`every page loads cleanly, fits and is accessible in light and dark, ${width} px wide`, () =>
    withSite(async ({ service, visit }) => {
      const paths = [
        ...await pagePaths(service),
        ...LOCALES.flatMap((one) => [contactPaths(one).sent, `${localePrefix(one)}/nowhere`]),
      ];
      const faults = await Promise.all((["light", "dark"] as const).map(async (colorScheme) => {
        const found: string[] = [];
        const viewport = { width, height: 900 };
        const { page, troubles } = await visit("/", { viewport, colorScheme });
        await bringAxe(page);
        for (const path of paths) {
          const before = troubles.length;
          const response = await page.goto(path);
          const name = `${path.slice(1).replaceAll("/", "-") || "index"}-${width}-${colorScheme}`;
          await takePicture(page, name);
          const status = path.endsWith("/nowhere") ? 404 : 200;
          const faults = [
            ...(response?.status() === status ? [] : [`status ${response?.status()}`]),
            ...await shapeFaults(page, localeOfPath(path)),
            ...await axeFaults(page),
            ...troubles.slice(before),
          ];
          found.push(...faults.map((fault) => `${name}: ${fault}`));
        }
        return found;
      }));
      deepEqual(faults.flat(), []);
    }));
}

/** The texts of a page's blocks, those that can be seen and the others. */
const TEXTS = `
  const blocks = "h1, h2, h3, h4, p, li, dt, dd, th, td, pre, code, label";
  const texts = [...document.querySelectorAll("main :is(" + blocks + ")")]
    .filter((block) => block.textContent.trim() !== "");
  const { true: shown = [], false: hidden = [] } = Object.groupBy(texts, (block) =>
    block.checkVisibility({ visibilityProperty: true }));
  [shown, hidden].map((list) => list.map((block) => block.textContent.trim()))`;

Deno.test("every page shows all of its text without script, the same as with it", () =>
  withSite(async ({ service, visit }) => {
    const visits = [visit("/", { javaScriptEnabled: false }), visit("/")];
    const [bare, scripted] = (await Promise.all(visits)).map(({ page }) => page);
    for (const path of await pagePaths(service)) {
      await Promise.all([bare!.goto(path), scripted!.goto(path)]);
      const [shown, hidden] = await bare!.evaluate<string[][]>(TEXTS);
      ok(shown!.length > 3, path);
      deepEqual(hidden, [], path);
      deepEqual([shown, hidden], await scripted!.evaluate(TEXTS), path);
      equal(await bare!.locator("main button:not([type=submit])").count(), 0, path);
    }
  }));

Deno.test("every code block has a button that copies exactly its code and says so, or selects it", () =>
  withSite(async ({ service, visit }) => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const { page, troubles } = await visit("/", { permissions });
    const { page: refused } = await visit("/", { permissions: [] });
    const status = "main [role=status]:not(:empty)";
    const words = new Set<string>();
    for (const path of await pagePaths(service)) {
      const headers = { accept: "text/markdown" };
      const markdown = await (await fetch(service.url + path, { headers })).text();
      const blocks = [...markdown.matchAll(/^```[^\n]*\n(.*?)\n```$/gms)].map(([, code]) => code!);
      if (blocks.length === 0) continue;
      await page.goto(path);
      const copied: string[] = [];
      for (const button of await page.locator("button.copy[type=button]").all()) {
        words.add(await button.innerText());
        await button.press("Enter");
        await page.locator(status).waitFor({ state: "attached" });
        const said = await page.locator(status).textContent() ?? "";
        await button.and(page.getByText(said, { exact: true })).waitFor();
        words.add(said);
        copied.push(await page.evaluate("navigator.clipboard.readText()"));
      }
      deepEqual(copied, blocks, path);
      deepEqual(await axeFaults(page), []);

      await refused.goto(path);
      await refused.locator("button.copy").first().click();
      await refused.locator(status).waitFor({ state: "attached" });
      equal(await refused.evaluate("getSelection().toString().trimEnd()"), blocks[0]);
    }
    equal(words.size, 2 * LOCALES.length, "what the button says, in each language");
    deepEqual(troubles, []);
  }));

/** What a careless page does, and the first thing to be noted of it. */
const TROUBLES: readonly (readonly [deed: string, noted: RegExp])[] = [
  ["console.error('alas')", /^console error: alas$/],
  ["console.warn('alas')", /^console warning: alas$/],
  ["setTimeout(() => { throw new Error('alas') })", /^uncaught: alas$/],
  ["fetch('/api/nowhere')", /^404: GET \/api\/nowhere$/],
  ["fetch('http://127.0.0.1:1/')", /^console error: .*Content Security Policy/],
  ["document.body.setAttribute('style', 'top: 0')", /^console error: .*Content Security Policy/],
  ["location.assign('http://127.0.0.1:1/')", /^foreign: http:\/\/127\.0\.0\.1:1\/$/],
];

Deno.test("the suite sees what it looks for: trouble, odd shape, barriers, low contrast on a picture", () =>
  withSite(async ({ visit }) => {
    for (const [deed, noted] of TROUBLES) {
      const { page, troubles } = await visit("/");
      deepEqual(troubles, []);
      await page.evaluate(`void (${deed})`);
      await until(`trouble by ${deed}`, () => troubles.length > 0);
      match(troubles[0]!, noted);
    }
    const { page } = await visit("/privacy");
    await page.evaluate(`
      const heading = document.querySelector("h1");
      heading.style.background = "linear-gradient(90deg, white, black)";
      heading.style.color = "gray";
      const image = document.createElement("img");
      image.src = "/assets/favicon.svg";
      image.style.minWidth = "5000px";
      heading.after(document.createElement("h1"), image);
      document.title = "";
      undefined`);
    const [headings, title, language, width] = await shapeFaults(page, "de");
    deepEqual([headings, title, language], ["2 h1", "no title", 'language is "en"']);
    match(width ?? "", /^\d+ px too wide$/);
    const faults = await axeFaults(page);
    for (
      const seen of [
        ...["axe document-title:", "axe empty-heading:", "axe image-alt:"],
        "contrast ",
      ]
    ) ok(faults.some((fault) => fault.startsWith(seen)), `${seen} not in ${faults.join("\n")}`);
  }));
