/** @module The site by keyboard. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { until } from "../support/until.ts";
import { pagePaths, takePicture, test } from "./support/browser.ts";
import { axeProblems, shapeProblems } from "./support/inspect.ts";
import { hasFocus, tabTo, walkProblems } from "./support/keyboard.ts";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

test("Tab visits every control of every page in visual order, on phone and desktop", async ({ service, visit }) => {
  const paths = await pagePaths(service);
  const problems: string[] = [];
  await Promise.all([PHONE, DESKTOP].map(async (viewport) => {
    const { page } = await visit("/", { viewport });
    for (const path of paths) {
      await page.goto(path);
      problems.push(...(await walkProblems(page)).map((problem) => `${path}: ${problem}`));
    }
  }));
  deepEqual(problems, []);
});

test("the first Tab shows the skip link, and Enter follows it", async ({ service, visit }) => {
  const { page } = await visit("/");
  for (const path of await pagePaths(service)) {
    await page.goto(path);
    const link = page.locator("a.skip");
    ok((await link.boundingBox())!.y < 0, "hidden at first");
    await page.keyboard.press("Tab");
    ok(await hasFocus(page, "a.skip"), path);
    await until("it is visible", async () => (await link.boundingBox())!.y >= 0);
    await page.keyboard.press("Enter");
    await page.waitForURL(({ hash }) => hash === "#main_content");
    await page.keyboard.press("Tab");
    equal(await hasFocus(page, "header"), false, path);
  }
});

test("the menu of a phone works by keyboard, with and without script, and is accessible", async ({ visit }) => {
  for (const colorScheme of ["light", "dark", undefined] as const) {
    const look = colorScheme === undefined ? { javaScriptEnabled: false } : { colorScheme };
    const { page } = await visit("/privacy", { viewport: PHONE, ...look });
    const links = page.locator("#main_menu a");
    const opener = "[popovertarget=main_menu]";
    equal(await links.first().isVisible(), false);

    await tabTo(page, opener);
    await page.keyboard.press("Enter");
    await links.last().waitFor();
    for (const _ of await links.all()) {
      await page.keyboard.press("Tab");
      ok(await hasFocus(page, "#main_menu a"));
    }
    await page.keyboard.press("Escape");
    await links.first().waitFor({ state: "hidden" });
    ok(await hasFocus(page, opener), "the opener gets the focus back");

    await page.keyboard.press("Space");
    await links.last().waitFor();
    if (colorScheme !== undefined) { // axe needs script
      await takePicture(page, `menu-390-${colorScheme}`);
      deepEqual([...await shapeProblems(page, "en"), ...await axeProblems(page)], []);
      continue;
    }
    await page.keyboard.press("Tab");
    const target = await links.first().getAttribute("href");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${target}`);
  }
});
