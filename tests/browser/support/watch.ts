/** @module Notes in words what goes wrong in a page. Which of it is to be expected, a test says. */

import type { Page } from "playwright-core";

/**
 * Chromium's own line about an answer of 400 or above, or a failed request: told here with method
 * and path instead.
 */
const TOLD_ELSEWHERE = /^Failed to load resource:/;

/** The browser's own doing, as with an icon that is on its way when the page is left. */
const ABANDONED = "net::ERR_ABORTED";

/**
 * Collects, from now on: errors and warnings of the console (a violation of the
 * Content-Security-Policy is one), uncaught errors, requests that fail, are answered 400 or above,
 * or go to another origin. The answer to a navigation is not among them: a test asks for its
 * status.
 */
export function watch(page: Page, origin: string): readonly string[] {
  const troubles: string[] = [];
  page.on("console", (message) => {
    const told = TOLD_ELSEWHERE.test(message.text());
    if (/^(?:error|warning)$/.test(message.type()) && !told) {
      troubles.push(`console ${message.type()}: ${message.text()}`);
    }
  });
  page.on("pageerror", ({ message }) => troubles.push(`uncaught: ${message}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) troubles.push(`foreign: ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText === ABANDONED) return;
    troubles.push(`failed: ${request.method()} ${pathOf(request.url())}`);
  });
  page.on("response", (response) => {
    const request = response.request();
    if (response.status() < 400 || request.isNavigationRequest()) return;
    troubles.push(`${response.status()}: ${request.method()} ${pathOf(response.url())}`);
  });
  return troubles;
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
