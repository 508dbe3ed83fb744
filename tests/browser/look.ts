/** @module What the eye meets: weight of a first visit, display face, contrast (AAA), lines, tables. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { Page } from "playwright-core";
import { pagePaths, withSite } from "./support/browser.ts";
import { bodyContrastFaults, loadAxe } from "./support/inspect.ts";

const PHONE = { width: 390, height: 844 };

/** The site's promise: everything that the home page loads, compressed. */
const HOME_BYTES = 40 * 1024;
const FACE_BYTES = 14 * 1024;

Deno.test("the home page with all that it loads has at most 40 KB, the display face 14 KB", () =>
  withSite(async ({ visit }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, problems } = await visit("/llms.txt", { colorScheme });
      const sizes = new Map<string, number>();
      page.on("requestfinished", async (request) => {
        sizes.set(new URL(request.url()).pathname, (await request.sizes()).responseBodySize);
      });
      await page.goto("/", { waitUntil: "networkidle" });
      const face = [...sizes].find(([path]) => path.endsWith(".woff2"));
      ok(face !== undefined && face[1] > 0 && face[1] <= FACE_BYTES, `${face}`);
      const total = [...sizes.values()].reduce((sum, size) => sum + size);
      ok(total <= HOME_BYTES, `${total} bytes: ${[...sizes].join(" ")}`);
      await page.goto("/"); // now the face is in the cache, so it is there in time
      for (const selector of ["h1", "h2", ".brand"]) {
        deepEqual(await facesOf(page, selector), ["Newsreader 16pt"], selector);
      }
      deepEqual(problems, []);
    }
  }));

/** The faces that an element is really set in; system fonts are in brackets. */
async function facesOf(page: Page, selector: string): Promise<string[]> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("DOM.enable");
  await protocol.send("CSS.enable");
  const { root: { nodeId } } = await protocol.send("DOM.getDocument");
  const node = await protocol.send("DOM.querySelector", { nodeId, selector });
  const { fonts } = await protocol.send("CSS.getPlatformFontsForNode", node);
  await protocol.detach();
  return fonts.map(({ familyName, isCustomFont }) => isCustomFont ? familyName : `(${familyName})`);
}

const PAINTED = `new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))`;

/** The sum of the layout's shifts (Layout Instability API). */
const SHIFT = `(() => {
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: "layout-shift", buffered: true });
  return observer.takeRecords().reduce((sum, { value }) => sum + value, 0);
})()`;

/** How much wider all headings are in the stand-in than in the face. */
const STAND_IN_WIDTH = `(async () => {
  await document.fonts.load('500 20px "Display Times"');
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  const headings = [...document.querySelectorAll("h1, h2, h3")];
  const [face, standIn] = ["Display", '"Display Times"'].map((family) => {
    context.font = "500 100px " + family;
    return headings.reduce((sum, { textContent }) => sum + context.measureText(textContent).width, 0);
  });
  return standIn / face;
})()`;

Deno.test("no line moves when the display face comes late: its stand-in stays, and is as wide", () =>
  withSite(async ({ service, visit }) => {
    const { page } = await visit("/llms.txt", { viewport: PHONE });
    let held = Promise.withResolvers<void>();
    await page.route("**/*.woff2", async (route) => {
      await held.promise;
      await route.continue();
    });
    const faults: string[] = [];
    for (const path of await pagePaths(service)) {
      held = Promise.withResolvers();
      await page.goto(path, { waitUntil: "domcontentloaded" });
      await page.evaluate(PAINTED);
      const early = await page.evaluate<boolean>(`document.fonts.check("500 20px Display")`);
      held.resolve();
      await page.evaluate(`document.fonts.load("500 20px Display")`);
      await page.evaluate(PAINTED);
      const shift = await page.evaluate<number>(SHIFT);
      if (early || shift > 0.01) faults.push(`${path}: ${early ? "not held" : shift}`);
    }
    deepEqual(faults, []);
    const { page: cached } = await visit("/de/docs");
    await cached.goto("/de");
    const ratio = await cached.evaluate<number>(STAND_IN_WIDTH);
    ok(Math.abs(ratio - 1) < 0.015, `${ratio}`);
  }));

Deno.test("paragraphs, lists and tables have a contrast of 7 in the light theme (AAA)", () =>
  withSite(async ({ service, visit }) => {
    const { page } = await visit("/llms.txt", { colorScheme: "light" });
    await loadAxe(page);
    const faults: string[] = [];
    for (const path of ["/nowhere", ...await pagePaths(service), "/privacy"]) {
      await page.goto(path);
      faults.push(...(await bodyContrastFaults(page)).map((fault) => `${path}: ${fault}`));
    }
    deepEqual(faults, []);
    await page.evaluate(`document.querySelector("main p").style.color = "dimgray"`);
    equal((await bodyContrastFaults(page)).length, 1);
  }));

/** Headings and the footer's texts whose last line has less than a quarter of the longest. */
const ORPHANS = `[...document.querySelectorAll(":is(h1, h2, h3, body > footer p)")]
  .filter((element) => element.checkVisibility())
  .flatMap((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    // Boxes of a line overlap in height, even where their sizes differ.
    const lines = [];
    for (const box of range.getClientRects()) {
      if (lines.length === 0 || box.top > lines.at(-1)[0].bottom - 4) lines.push([]);
      lines.at(-1).push(box);
    }
    const widths = lines.map((boxes) =>
      Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left)));
    return widths.at(-1) < Math.max(...widths) / 4 ? [element.textContent.trim()] : [];
  })`;

Deno.test("no heading and no text of the footer ends in a lone word, on phone, tablet and desktop", () =>
  withSite(async ({ service, visit }) => {
    const paths = [...await pagePaths(service), "/nowhere", "/de/nowhere"];
    const { page } = await visit("/llms.txt");
    const faults: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      for (const width of [390, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const found = await page.evaluate<string[]>(ORPHANS);
        faults.push(...found.map((text) => `${path} ${width}: ${text}`));
      }
    }
    deepEqual(faults, []);
  }));

Deno.test("the line for agents is the first text of the document, and small on screen", () =>
  withSite(async ({ visit }) => {
    for (const path of ["/", "/de/docs", "/nowhere"]) {
      const { page } = await visit(path, { viewport: PHONE });
      const [isFirst, size, height] = await page.evaluate<[boolean, number, number]>(`
        const line = document.querySelector("body > :not(.skip)").firstElementChild;
        [line.matches(".agents"), parseFloat(getComputedStyle(line).fontSize), line.offsetHeight]`);
      ok(isFirst && size < 13.5 && height < 32, `${path}: ${[isFirst, size, height]}`);
    }
  }));

const TABLE = `document.querySelector(".table")`;

Deno.test("a table that is too wide has a shadow where there is more, and keeps its rows' names", () =>
  withSite(async ({ visit }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await visit("/pricing", { viewport: PHONE, colorScheme });
      const table = page.locator(".table").first();
      await page.evaluate(`${TABLE}.scrollIntoView()`);
      const name = table.locator("th[scope=row]").first();
      const { x, y, width } = (await table.boundingBox())!;
      // One line of pixels in the padding above the names of the columns.
      const clip = { x: x + width - 6, y: y + 3, width: 4, height: 1 };
      const edge = async () => (await page.screenshot({ clip })).toString("base64");
      const left = (await name.boundingBox())!.x;
      const before = await edge();
      await page.evaluate(`${TABLE}.scrollLeft = 60`);
      equal(await edge(), before);
      equal((await name.boundingBox())!.x, left);
      await page.evaluate(`${TABLE}.scrollLeft = 9999`);
      ok(await edge() !== before, `${colorScheme}: the shadow is gone at the end`);
    }
  }));
