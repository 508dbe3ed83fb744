/** @module The copy button of code blocks: exactly the code, said and seen; none without script. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Page } from "playwright-core";
import { LOCALES } from "../../site/page_path.ts";
import { browserSuite } from "../support/browser.ts";
import type { Service } from "../support/service.ts";
import { everyPage } from "./support/every_page.ts";

const { withSite } = browserSuite();

/** Pages with code blocks, and their code as the markdown has it. */
async function codeOf(service: Service): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const { path } of await everyPage(service)) {
    const headers = { accept: "text/markdown" };
    const markdown = await (await fetch(`${service.url}${path}`, { headers })).text();
    const blocks = [...markdown.matchAll(/^```[^\n]*\n(.*?)\n```$/gms)].map(([, code]) => code!);
    if (blocks.length > 0) found.set(path, blocks);
  }
  ok(found.size >= LOCALES.length, "there are pages with code, in every language");
  return found;
}

/** What assistive technology is told of copying; waits until there is something. */
async function told(page: Page): Promise<string> {
  const status = page.locator("main [role=status]:not(:empty)");
  await status.waitFor({ state: "attached" });
  return await status.textContent() ?? "";
}

Deno.test("every code block has a button that copies exactly its code", () =>
  withSite(async ({ service, visit }) => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const { page, troubles } = await visit("/", { permissions });
    for (const [path, blocks] of await codeOf(service)) {
      await page.goto(path);
      const copied: string[] = [];
      for (const button of await page.locator("button.copy[type=button]").all()) {
        await button.click();
        await button.and(page.getByText(await told(page), { exact: true })).waitFor();
        copied.push(await page.evaluate("navigator.clipboard.readText()"));
      }
      deepEqual(copied, blocks, path);
    }
    deepEqual(troubles, []);
  }));

Deno.test("copying is told by the button and to assistive technology, in the page's language", () =>
  withSite(async ({ service, visit }) => {
    const { page } = await visit("/", { permissions: ["clipboard-write"] });
    const words = new Map<string, readonly string[]>();
    for (const { path, locale } of await everyPage(service)) {
      await page.goto(path);
      const button = page.locator("button.copy").first();
      if (await button.count() === 0) continue;
      const name = await button.innerText();
      await button.press("Enter");
      const said = await told(page);
      equal(await button.innerText(), said);
      words.set(locale, [name, said]);
    }
    equal(new Set([...words.values()].flat()).size, 2 * LOCALES.length);
  }));

Deno.test("where copying is not allowed the code is selected instead", () =>
  withSite(async ({ service, visit }) => {
    const [path, [code]] = [...await codeOf(service)][0]!;
    const { page } = await visit(path, { permissions: [] });
    await page.locator("button.copy").first().click();
    await told(page);
    equal(await page.evaluate("getSelection().toString().trimEnd()"), code);
  }));

Deno.test("without script there is no button that would do nothing", () =>
  withSite(async ({ service, visit }) => {
    const { page } = await visit("/", { javaScriptEnabled: false });
    for (const path of (await codeOf(service)).keys()) {
      await page.goto(path);
      equal(await page.locator("main button:not([type=submit])").count(), 0, path);
    }
  }));
