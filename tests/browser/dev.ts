/** @module `deno task dev` in the browser: what is saved is on the screen by itself. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Page } from "playwright-core";
import { NEWS, withDev } from "../support/dev_task.ts";
import { until } from "../support/until.ts";
import { takePicture, withVisits } from "./support/browser.ts";
import { axeProblems, shapeProblems } from "./support/inspect.ts";

const SCROLLED = "scrollY > 400";
const STYLED = 'getComputedStyle(document.querySelector("h1")).letterSpacing === "3px"';

/** False while the page reloads. */
function holds(page: Page, condition: string): Promise<boolean> {
  return page.evaluate<boolean>(condition).catch(() => false);
}

Deno.test("a page follows edits of text, style and code by itself, keeps its place, and shows problems", () =>
  withDev((dev) =>
    withVisits(dev.url, async (visit) => {
      const { page, problems } = await visit("/news", { viewport: { width: 1000, height: 500 } });
      const before = await Deno.readTextFile(dev.project + NEWS);
      await page.evaluate("scrollTo(0, 500)");
      await Deno.writeTextFile(dev.project + NEWS, `${before}\nWritten just now.\n`);
      await page.getByText("Written just now.").waitFor({ state: "attached" });
      await until(SCROLLED, () => holds(page, SCROLLED));

      const style = `${dev.project}static/styles/media.css`;
      await Deno.writeTextFile(style, "h1 { letter-spacing: 3px }");
      await until(STYLED, () => holds(page, STYLED));
      await until(SCROLLED, () => holds(page, SCROLLED));

      await Deno.writeTextFile(dev.project + NEWS, before.replace("title:", "titel:"));
      await page.locator("mark", { hasText: "titel:" }).waitFor();
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme });
        await takePicture(page, `dev-problem-${colorScheme}`);
      }
      deepEqual([...await shapeProblems(page, "en"), ...await axeProblems(page)], []);

      await Deno.writeTextFile(dev.project + NEWS, `${before}\n[Gone](/gone)\n`);
      await page.locator("a[href='/gone']").waitFor({ state: "attached" });
      await takePicture(page, "dev-note");
      await page.getByText("1 problem in the pages").click();
      await page.locator("mark", { hasText: "/gone" }).waitFor();

      await page.goto("/no-such-page");
      const words = `${dev.project}static/words/en.json`;
      const text = await Deno.readTextFile(words);
      await Deno.writeTextFile(words, text.replace(/"skip": ".*"/, '"skip": "Straight on"'));
      await page.getByText("Straight on").waitFor({ state: "attached" });
      // While the service starts again.
      deepEqual(problems.filter((problem) => problem !== "failed: GET /dev/edition"), []);

      // Playwright hides no page. More of them than the browser opens connections:
      await page.context().addInitScript(
        "Object.defineProperty(document, 'hidden', { get: () => !globalThis.isShown })",
      );
      const tabs = await Array.fromAsync({ length: 7 }, () => page.context().newPage());
      for (const tab of tabs) await tab.goto("/news");
      await Deno.writeTextFile(dev.project + NEWS, `${before}\nFor every tab.\n`);
      await tabs[0]!.evaluate(
        "isShown = true; document.dispatchEvent(new Event('visibilitychange'))",
      );
      await tabs[0]!.getByText("For every tab.").waitFor({ state: "attached" });
    })
  ));
