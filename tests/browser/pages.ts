/** @module Every page in Chromium: in two widths, light and dark mode, with and without script. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { LOCALES } from "../../schemas/site_data.ts";
import { localeOfPath, localePrefix, pathsIn } from "../../site/urls.ts";
import { chunksOf } from "../support/png.ts";
import { capture, pagePaths, takePicture, test } from "./support/browser.ts";
import { axeProblems, loadAxe, shapeProblems } from "./support/inspect.ts";

for (const width of [390, 1440]) {
  test(`every page loads without problems, fits and is accessible, ${width} px wide`, async ({ service, visit }) => {
    const paths = [
      ...await pagePaths(service),
      ...LOCALES.flatMap((one) => {
        const { sent, test } = pathsIn(one);
        return [sent, test, `${localePrefix(one)}/nowhere`];
      }),
    ];
    const all: string[] = [];
    await Promise.all((["light", "dark"] as const).map(async (colorScheme) => {
      const viewport = { width, height: 900 };
      const { page, problems } = await visit("/", { viewport, colorScheme });
      await loadAxe(page);
      for (const path of paths) {
        const before = problems.length;
        const status = (await page.goto(path))?.status();
        const name = `${path.slice(1).replaceAll("/", "-") || "index"}-${width}-${colorScheme}`;
        await takePicture(page, name);
        const found = [
          ...(status === (path.endsWith("/nowhere") ? 404 : 200) ? [] : [`status ${status}`]),
          ...await shapeProblems(page, localeOfPath(path)),
          ...await axeProblems(page),
          ...problems.slice(before),
        ];
        all.push(...found.map((problem) => `${name}: ${problem}`));
      }
    }));
    deepEqual(all, []);
  });
}

test("theme-color is the colour at the top of the screen, by day and by night", async ({ visit }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const path of ["/", "/docs", "/nowhere"]) {
      const { page } = await visit(path, { colorScheme });
      const named = await page.evaluate<string[]>(`
          [...document.querySelectorAll("meta[name=theme-color]")]
            .filter(({ media }) => matchMedia(media).matches).map(({ content }) => content)`);
      // Of one pixel: the filter of its row, then red, green and blue.
      const png = await capture(page, { clip: { x: 3, y: 1, width: 1, height: 1 } });
      const pixel = inflateSync(chunksOf(png).get("IDAT")!);
      const top = `#${new Uint8Array(pixel).subarray(1, 4).toHex()}`;
      deepEqual(named, [top], `${path}, ${colorScheme}`);
    }
  }
});

/** Brand and accent: lightest, darkest and most vivid. */
const BRANDS = [["white", "yellow"], ["black", "black"], ["magenta", "lime"]] as const;

for (const colorScheme of ["light", "dark"] as const) {
  test(`texts have enough contrast with any two colours of a brand, ${colorScheme}`, async ({ visit }) => {
    const { page } = await visit("/", { colorScheme });
    await loadAxe(page);
    for (const [brand, accent] of BRANDS) {
      for (const path of ["/", "/docs", "/contact"]) {
        await page.goto(path);
        const set = "document.documentElement.style.setProperty";
        await page.evaluate(`${set}("--brand", "${brand}"), ${set}("--accent", "${accent}")`);
        deepEqual(await axeProblems(page), [], `${brand} and ${accent}, ${path}`);
      }
    }
  });
}

/** The texts of a page's visible and hidden blocks, without the panel that needs script. */
const TEXTS = `
  const blocks = "h1, h2, h3, h4, p, li, dt, dd, th, td, pre, code, label";
  const texts = [...document.querySelectorAll("main :is(" + blocks + ")")]
    .filter((block) => block.textContent.trim() !== "")
    // Only chosen tabs and open contents are visible; docs.ts and try_panel.ts test them.
    .filter((block) => !block.closest(".code, .contents, .try"));
  const { true: visible = [], false: hidden = [] } = Object.groupBy(texts, (block) =>
    block.checkVisibility({ visibilityProperty: true }));
  [visible, hidden].map((list) => list.map((block) => block.textContent.trim()))`;

/** The elements that Atom requires (RFC 4287 §4.1), as one line for the feed and one for each entry. */
const FEED_PARTS = `(async () => {
  const text = await (await fetch(location.pathname + ".xml")).text();
  const { documentElement: feed } = new DOMParser().parseFromString(text, "application/xml");
  return [feed, ...feed.querySelectorAll("entry")].map((element) => {
    const names = [...element.children].map(({ namespaceURI, localName }) =>
      namespaceURI === "http://www.w3.org/2005/Atom" ? localName : "foreign " + localName);
    return [element.localName, ...names.filter((name) => name !== "entry").sort()].join(" ");
  });
})()`;

test("the feed of a changelog is well-formed XML with the elements that Atom requires", async ({ service, visit }) => {
  const paths = (await pagePaths(service)).filter((path) => path.endsWith("/changelog"));
  for (const path of paths) {
    const [feed, ...entries] = await (await visit(path)).page.evaluate<string[]>(FEED_PARTS);
    equal(feed, "feed author id link link subtitle title updated", path);
    deepEqual(new Set(entries), new Set(["entry content id link title updated"]));
  }
});

test("every page shows the same text without script as with it", async ({ service, visit }) => {
  const { page: bare } = await visit("/", { javaScriptEnabled: false });
  const { page: scripted } = await visit("/");
  for (const path of await pagePaths(service)) {
    await Promise.all([bare.goto(path), scripted.goto(path)]);
    const texts = await bare.evaluate<string[][]>(TEXTS);
    ok(texts[0]!.length > 3, path);
    deepEqual(texts[1], [], path);
    deepEqual(texts, await scripted.evaluate(TEXTS), path);
    equal(await bare.locator("main button:not([type=submit])").count(), 0, path);
  }
});

test("every code block has a button that copies or selects its code, and confirms it", async ({ service, visit }) => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page, problems } = await visit("/", { permissions });
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
    for (const group of await page.locator(".code").all()) {
      const button = group.locator("button.copy[type=button]");
      words.add(await button.innerText());
      const choices = [
        ...(await group.getByRole("radio").all()).map((tab) => () => tab.check()),
        ...(await group.locator("option").allInnerTexts())
          .map((name) => () => group.locator("select").selectOption(name)),
      ];
      for (const choose of choices.length > 0 ? choices : [() => {}]) {
        await choose();
        await button.press("Enter");
        await page.locator(status).waitFor({ state: "attached" });
        const confirmation = await page.locator(status).textContent() ?? "";
        await button.and(page.getByText(confirmation, { exact: true })).waitFor();
        words.add(confirmation);
        copied.push(await page.evaluate("navigator.clipboard.readText()"));
      }
    }
    deepEqual(copied, blocks, path);
    deepEqual(await axeProblems(page), []);

    await refused.goto(path);
    await refused.locator(".code button.copy").first().click();
    await refused.locator(status).waitFor({ state: "attached" });
    equal(await refused.evaluate("getSelection().toString().trimEnd()"), blocks[0]);
  }
  equal(words.size, 2 * LOCALES.length);
  deepEqual(problems, []);
});
