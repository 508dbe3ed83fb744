/** @module What the eye meets: weight of a first visit, the faces, contrast (AAA). */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { pagePaths, test } from "./support/browser.ts";
import { bodyContrastProblems, loadAxe } from "./support/inspect.ts";

const PHONE = { width: 390, height: 844 };

/** The site's promise: everything that the home page loads, compressed. */
const HOME_BYTES = 40 * 1024;
const FACE_BYTES = { display: 14 * 1024, text: 12 * 1024 };

test("the home page with all that it loads has at most 40 KB, its faces 14 and 12 KB", async ({ visit }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, problems } = await visit("/llms.txt", { colorScheme });
    const sizes = new Map<string, number>();
    page.on("requestfinished", async (request) => {
      sizes.set(new URL(request.url()).pathname, (await request.sizes()).responseBodySize);
    });
    await page.goto("/", { waitUntil: "networkidle" });
    for (const [name, most] of Object.entries(FACE_BYTES)) {
      const face = [...sizes].find(([path]) => path.startsWith(`/assets/${name}.`));
      ok(face !== undefined && face[1] > 0 && face[1] <= most, `${face}`);
    }
    const total = [...sizes.values()].reduce((sum, size) => sum + size);
    ok(total <= HOME_BYTES, `${total} bytes: ${[...sizes].join(" ")}`);
    await page.goto("/docs"); // now the faces are in the cache, so they are there in time
    for (const selector of ["h1", "h2", "main p", "header a"]) {
      deepEqual(await systemFacesOf(page, selector), []);
    }
    deepEqual(problems, []);
  }
});

/** The system fonts that an element is really set in. */
async function systemFacesOf(page: Page, selector: string): Promise<string[]> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("DOM.enable");
  await protocol.send("CSS.enable");
  const { root: { nodeId } } = await protocol.send("DOM.getDocument");
  const node = await protocol.send("DOM.querySelector", { nodeId, selector });
  const { fonts } = await protocol.send("CSS.getPlatformFontsForNode", node);
  await protocol.detach();
  return fonts.filter((font) => !font.isCustomFont).map(({ familyName }) => familyName);
}

const PAINTED = `new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))`;

/** The sum of the layout's shifts (Layout Instability API). */
const SHIFT = `(() => {
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: "layout-shift", buffered: true });
  return observer.takeRecords().reduce((sum, { value }) => sum + value, 0);
})()`;

/** How much wider text is in the stand-in than in the face. */
const STAND_IN_WIDTH = `(async () => {
  await document.fonts.load('500 20px "Display Times"');
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  const [face, standIn] = ["Display", '"Display Times"'].map((family) => {
    context.font = "500 100px " + family;
    return context.measureText("What we do for you, and how to reach us. " +
      "Was wir für Sie tun und wie Sie uns erreichen: Preise, Sicherheit, Kontakt.").width;
  });
  return standIn / face;
})()`;

test("no line moves when the display face comes late: its stand-in stays, and is as wide", async ({ service, visit }) => {
  const { page } = await visit("/llms.txt", { viewport: PHONE });
  let held = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    await held.promise;
    await route.continue();
  });
  const problems: string[] = [];
  for (const path of await pagePaths(service)) {
    held = Promise.withResolvers();
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await page.evaluate(PAINTED);
    const early = await page.evaluate<boolean>(`document.fonts.check("500 20px Display")`);
    held.resolve();
    await page.evaluate(`document.fonts.load("500 20px Display")`);
    await page.evaluate(PAINTED);
    const shift = await page.evaluate<number>(SHIFT);
    if (early || shift > 0.01) problems.push(`${path}: ${early ? "not held" : shift}`);
  }
  deepEqual(problems, []);
  const { page: cached } = await visit("/docs");
  await cached.reload();
  const ratio = await cached.evaluate<number>(STAND_IN_WIDTH);
  ok(Math.abs(ratio - 1) < 0.015, `size-adjust of "Display Times" is too large by ${ratio}`);
});

test("paragraphs, lists and tables have a contrast of 7 in the light theme (AAA)", async ({ service, visit }) => {
  const { page } = await visit("/llms.txt", { colorScheme: "light" });
  await loadAxe(page);
  const problems: string[] = [];
  for (const path of ["/nowhere", ...await pagePaths(service), "/privacy"]) {
    await page.goto(path);
    problems.push(...(await bodyContrastProblems(page)).map((problem) => `${path}: ${problem}`));
  }
  deepEqual(problems, []);
});
