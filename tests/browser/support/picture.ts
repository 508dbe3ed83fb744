/** @module Pictures of pages: to be looked at, and to be measured. */

import type { Page, PageScreenshotOptions } from "playwright-core";

/** What Chromium says to one capture in many thousands, and not to the next one of the same page. */
const REFUSED = /Unable to capture screenshot/;

/** Takes a picture, and once more if Chromium refuses it. @returns a PNG, as a buffer */
export async function picture(
  page: Page,
  options: PageScreenshotOptions,
): Promise<Awaited<ReturnType<Page["screenshot"]>>> {
  try {
    return await page.screenshot(options);
  } catch (error) {
    if (!(error instanceof Error) || !REFUSED.test(error.message)) throw error;
    return await page.screenshot(options);
  }
}
