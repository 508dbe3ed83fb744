/** @module What a first visit loads, the display face and its stand-in, and contrast for text (AAA). */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
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
      equal(await page.evaluate(`document.fonts.check("500 20px Display")`), true);
      deepEqual(problems, []);
    }
  }));

/** Milliseconds after which the display face arrives: long after the first frame. */
const DELAY_MS = 300;

/** The shifts of the layout (Layout Instability API) once the face is there. */
const SHIFT = `(async () => {
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await painted();
  const early = document.fonts.check("500 20px Display");
  await document.fonts.ready;
  await painted();
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: "layout-shift", buffered: true });
  const shift = observer.takeRecords().reduce((sum, { value }) => sum + value, 0);
  return [early, document.fonts.check("500 20px Display"), shift];
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

Deno.test("no line moves when the display face arrives: its stand-in is as wide", () =>
  withSite(async ({ service, visit }) => {
    const { page } = await visit("/llms.txt", { viewport: PHONE });
    await page.route("**/*.woff2", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
      await route.continue();
    });
    const faults: string[] = [];
    const ratios: number[] = [];
    for (const path of await pagePaths(service)) {
      await page.goto(path, { waitUntil: "domcontentloaded" });
      const [early, late, shift] = await page.evaluate<[boolean, boolean, number]>(SHIFT);
      if (early || !late || shift > 0.01) faults.push(`${path}: ${[early, late, shift]}`);
      ratios.push(await page.evaluate<number>(STAND_IN_WIDTH));
    }
    deepEqual(faults, []);
    const mean = ratios.reduce((sum, ratio) => sum + ratio) / ratios.length;
    ok(Math.abs(mean - 1) < 0.01, `${mean}`);
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
