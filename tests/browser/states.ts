/**
 * @module What a page shows only after something has happened: accessible and in shape too, in
 * light and dark. Leaves a picture of each state.
 */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  contactPaths,
  homePath,
  type Locale,
  localePrefix,
  LOCALES,
} from "../../site/page_path.ts";
import { browserSuite } from "../support/browser.ts";
import { sendInVain, sendWell, write, WRITTEN } from "./support/contact_page.ts";
import { PICTURES, SCHEMES } from "./support/every_page.ts";
import { axeFaults, shapeFaults } from "./support/inspect.ts";
import { picture } from "./support/picture.ts";

const { withSite } = browserSuite();

const PHONE = { width: 390, height: 844 };

interface State {
  readonly name: string;
  path(locale: Locale): string;
  /** Brings the page into the state. */
  reach(page: Page): Promise<void>;
}

const contact = (locale: Locale) => contactPaths(locale).form;

/** In an order in which the only lead that the limit admits is the first that is right. */
const STATES: readonly State[] = [
  {
    name: "menu",
    path: homePath,
    async reach(page) {
      await page.locator("[popovertarget=menu]").click();
      await page.locator("#menu a").first().waitFor();
    },
  },
  {
    name: "copied",
    path: (locale) => `${localePrefix(locale)}/developers`,
    async reach(page) {
      await page.locator("button.copy").first().click();
      await page.locator("main [role=status]:not(:empty)").waitFor({ state: "attached" });
    },
  },
  {
    name: "contact-faults",
    path: contact,
    async reach(page) {
      const written = { email: "ada", company: "", plan: "", message: "x".repeat(2001) };
      await write(page, written);
      await sendInVain({ page }, { status: 400, written });
    },
  },
  {
    name: "contact-success",
    path: contact,
    async reach(page) {
      await write(page, WRITTEN);
      await sendWell({ page, script: true });
    },
  },
  {
    name: "contact-limited",
    path: contact,
    async reach(page) {
      const written = { ...WRITTEN, company: "Another" };
      await write(page, written);
      await sendInVain({ page }, { status: 429, written });
    },
  },
];

for (const locale of LOCALES) {
  for (const colorScheme of SCHEMES) {
    Deno.test(`menu, notices and outcomes are accessible and fit, ${locale}, ${colorScheme}`, () =>
      withSite(async ({ visit }) => {
        const faults: string[] = [];
        for (const { name, path, reach } of STATES) {
          const { page } = await visit(path(locale), { viewport: PHONE, colorScheme });
          await reach(page);
          await picture(page, { path: `${PICTURES}/${locale}-${name}-390-${colorScheme}.png` });
          const found = [...await shapeFaults(page, { locale }), ...await axeFaults(page)];
          faults.push(...found.map((fault) => `${name}: ${fault}`));
        }
        deepEqual(faults, []);
      }, { env: { LEAD_RATE_LIMIT: "1/10m" } }));
  }
}
