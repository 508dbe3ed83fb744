/** @module The suite's own watchman: what no page may have is seen where a page has it. */

import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import { browserSuite } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { axeFaults, shapeFaults } from "./support/inspect.ts";

const { withSite } = browserSuite();

/** What a careless page does, and the first thing to be noted of it. */
const TROUBLES: readonly (readonly [deed: string, noted: RegExp])[] = [
  ["console.error('alas')", /^console error: alas$/],
  ["console.warn('alas')", /^console warning: alas$/],
  ["setTimeout(() => { throw new Error('alas') })", /^uncaught: alas$/],
  ["fetch('/api/nowhere')", /^404: GET \/api\/nowhere$/],
  ["fetch('http://127.0.0.1:1/')", /^console error: .*Content Security Policy/],
  [
    "document.body.setAttribute('style', 'color: red')",
    /^console error: .*Content Security Policy/,
  ],
  ["location.assign('http://127.0.0.1:1/')", /^foreign: http:\/\/127\.0\.0\.1:1\/$/],
];

Deno.test("trouble in a page is noted", () =>
  withSite(async ({ visit }) => {
    for (const [deed, noted] of TROUBLES) {
      const { page, troubles } = await visit("/");
      deepEqual(troubles, []);
      await page.evaluate(`void (${deed})`);
      await until(`trouble by ${deed}`, () => troubles.length > 0);
      match(troubles[0]!, noted);
    }
  }));

Deno.test("text that is hard to read on a picture is found out", () =>
  withSite(async ({ visit }) => {
    const { page } = await visit("/privacy");
    await page.evaluate(`
      const { style } = document.querySelector("h1");
      style.background = "linear-gradient(90deg, white, black)";
      style.color = "gray";
      undefined`);
    const [fault, ...others] = await axeFaults(page);
    match(fault ?? "", /^contrast \d\.\d\d < 3: /);
    deepEqual(others, []);
  }));

Deno.test("a page out of shape, in the wrong language or inaccessible is found out", () =>
  withSite(async ({ visit }) => {
    const { page } = await visit("/");
    deepEqual([...await shapeFaults(page, { locale: "en" }), ...await axeFaults(page)], []);
    await page.evaluate(`
      const image = document.createElement("img");
      image.src = "/assets/favicon.svg";
      image.style.minWidth = "5000px";
      document.querySelector("h1").after(document.createElement("h1"), image);
      document.title = "";
      undefined`);
    const [headings, title, language, width] = await shapeFaults(page, { locale: "de" });
    deepEqual([headings, title, language], ["2 h1", "no title", 'language is "en"']);
    match(width ?? "", /^\d+ px too wide$/);
    const faults = (await axeFaults(page)).map((fault) => fault.split(":", 1)[0]);
    for (const rule of ["axe document-title", "axe empty-heading", "axe image-alt"]) {
      deepEqual(faults.filter((fault) => fault === rule), [rule]);
    }
  }));
