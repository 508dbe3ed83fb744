/** @module Chromium against the real service. Page code is text, because there are no DOM types here. */

import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type PageScreenshotOptions,
} from "playwright-core";
import { type Answer, type Receiver, withReceiver } from "../../support/receiver.ts";
import { type Service, withRunningService } from "../../support/service.ts";

/**
 * Debian's (.ci/install_chromium), without a window: as Playwright's own, which are downloads of 150 MB,
 * and a quarter faster than the one with windows.
 */
const EXECUTABLE = "/usr/bin/chromium-headless-shell";

/** The sandbox does not start for root in a container; the rest avoids background requests. */
const FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** Enough on a busy machine; Playwright's default is 30 s. */
const TIMEOUT_MS = 10_000;

/** For tests that are not about limits. */
const HIGH_LIMITS = { LEAD_RATE_LIMIT: "100000/10m", LEAD_ATTEMPT_LIMIT: "100000/10m" };

export interface Visit {
  readonly page: Page;
  readonly problems: readonly string[];
}

export interface Site {
  readonly service: Service;
  readonly receiver: Receiver;
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>;
}

let browser: Browser | undefined;

Deno.test.beforeAll(async () => {
  browser = await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
});

Deno.test.afterAll(() => browser?.close());

export async function withVisits(
  url: string,
  test: (visit: Site["visit"]) => Promise<void>,
): Promise<void> {
  try {
    await test(async (path, options = {}) => {
      const still = { baseURL: url, reducedMotion: "reduce" } as const;
      const context = await browser!.newContext({ ...still, ...options });
      context.setDefaultTimeout(TIMEOUT_MS);
      const page = await context.newPage();
      const problems = watch(page, url);
      await page.goto(path);
      return { page, problems };
    });
  } finally {
    await Promise.all(browser!.contexts().map((context) => context.close()));
  }
}

/** Registers a test with {@link withSite}. */
export function test(title: string, ...site: Parameters<typeof withSite>): void {
  Deno.test(title, () => withSite(...site));
}

/** Runs a test with a service whose receiver takes every lead, unless `answer` does not. */
export function withSite(
  test: (site: Site) => Promise<void>,
  { env = {}, answer }: { readonly env?: Record<string, string>; readonly answer?: Answer } = {},
): Promise<void> {
  return withReceiver((receiver) =>
    withRunningService(
      (service) => withVisits(service.url, (visit) => test({ service, receiver, visit })),
      { ...HIGH_LIMITS, LEAD_TARGETS: receiver.url, ...env },
    ), answer);
}

/** Records errors, warnings, requests that fail or go elsewhere; not the status of a navigation. */
function watch(page: Page, origin: string): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    const [type, text] = [message.type(), message.text()];
    // Failed requests are recorded below, with their paths.
    if (!/^(?:error|warning)$/.test(type) || text.startsWith("Failed to load resource:")) return;
    problems.push(`console ${type}: ${text}`);
  });
  page.on("pageerror", ({ message }) => problems.push(`uncaught: ${message}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) problems.push(`foreign: ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    // Aborted by the browser, such as the request for an icon when the page is left.
    if (request.failure()?.errorText === "net::ERR_ABORTED") return;
    problems.push(`failed: ${request.method()} ${new URL(request.url()).pathname}`);
  });
  page.on("response", (response) => {
    const request = response.request();
    if (response.status() < 400 || request.isNavigationRequest()) return;
    const { pathname } = new URL(response.url());
    problems.push(`${response.status()}: ${request.method()} ${pathname}`);
  });
  return problems;
}

export async function pagePaths({ url }: Service): Promise<string[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, to]) => new URL(to!).pathname);
  if (paths.length === 0) throw new Error("Cannot read sitemap.xml: it lists no page");
  return paths;
}

/** Saves `.screenshots/NAME.png` for people; not under version control. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await capture(page, { path: `.screenshots/${name}.png`, fullPage: true });
}

/** @returns a picture in PNG. Chromium refuses one now and then, and takes the same when asked again. */
export async function capture(page: Page, options: PageScreenshotOptions): Promise<Uint8Array> {
  try {
    return await page.screenshot(options);
  } catch (error) {
    if (!String(error).includes("Unable to capture screenshot")) throw error;
    return await page.screenshot(options);
  }
}
