/**
 * @module Every page of the sitemap, the 404 pages and the pages of thanks, in both languages: in
 * light and dark, on a phone, a tablet and a wide screen. Leaves a picture of each.
 *
 * Run by `deno task test:browser`; names end without `_test` because `deno task test` must not need
 * a browser.
 */

import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { contactPaths, localePrefix, LOCALES } from "../../site/page_path.ts";
import { browserSuite } from "../support/browser.ts";
import type { Service } from "../support/service.ts";
import { everyPage, type Listed, PICTURES, SCHEMES, slugOf } from "./support/every_page.ts";
import { axeFaults, bringAxe, shapeFaults } from "./support/inspect.ts";
import { picture } from "./support/picture.ts";

const { withSite } = browserSuite();

const WIDTHS = [390, 768, 1440] as const;
const HEIGHT = 900;

/** A page to look at. */
type Sight = Pick<Listed, "path" | "locale"> & { readonly status: number };

async function sights(service: Service): Promise<readonly Sight[]> {
  const pages = await everyPage(service);
  return [
    ...pages.map(({ path, locale }) => ({ path, locale, status: 200 })),
    ...LOCALES.map((locale) => ({ path: contactPaths(locale).sent, locale, status: 200 })),
    ...LOCALES.map((locale) => ({ path: `${localePrefix(locale)}/nowhere`, locale, status: 404 })),
  ];
}

for (const scheme of SCHEMES) {
  for (const width of WIDTHS) {
    Deno.test(`every page loads cleanly, fits and is accessible, ${scheme}, ${width} px wide`, () =>
      withSite(async ({ service, visit }) => {
        const viewport = { width, height: HEIGHT };
        const { page, troubles } = await visit("/", { viewport, colorScheme: scheme });
        await bringAxe(page);
        const faults: string[] = [];
        for (const sight of await sights(service)) {
          const { path, locale, status } = sight;
          const before = troubles.length;
          const response = await page.goto(path);
          await picture(page, {
            path: `${PICTURES}/${slugOf(sight)}-${width}-${scheme}.png`,
            fullPage: true,
          });
          const found = [
            ...(response?.status() === status ? [] : [`status ${response?.status()}`]),
            ...await shapeFaults(page, { locale }),
            ...await axeFaults(page),
            ...troubles.slice(before),
          ];
          faults.push(...found.map((fault) => `${path}: ${fault}`));
        }
        deepEqual(faults, []);
      }));
  }
}

Deno.test("the sitemap names every page in both languages", () =>
  withSite(async ({ service }) => {
    const pages = await everyPage(service);
    ok(pages.length > 0);
    for (const { twins } of pages) {
      deepEqual(Object.keys(twins), [...LOCALES]);
      for (const path of Object.values(twins)) ok(pages.some((page) => page.path === path), path);
    }
  }));
