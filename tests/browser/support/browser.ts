/**
 * @module Chromium, driven by Playwright, against the real service with a receiver behind it: what
 * the tests of the browser suite share. Nothing is mocked.
 *
 * One browser for all tests; each test has a service, a receiver and contexts of its own. Code for
 * the page is handed over as text, because there are no DOM types on this side.
 */

import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { type Answer, type Receiver, withReceiver } from "../../support/receiver.ts";
import { type Service, startService, withFolder } from "../../support/service.ts";

/** Debian's; Playwright's own browsers are downloads of 150 MB. */
const EXECUTABLE = "/usr/bin/chromium";

/** The sandbox does not start for root in a container; the rest keeps the browser to itself. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Far above what a busy machine needs, far below Playwright's half minute. */
const PATIENCE_MS = 10_000;

/** Nothing that moves has to be waited for. */
const STILL: BrowserContextOptions = { reducedMotion: "reduce" };

/** Out of the way of tests that are not about limits. */
const ROOMY = { LEAD_RATE_LIMIT: "100000/10m", LEAD_ATTEMPT_LIMIT: "100000/10m" };

/** A page that has been opened. */
export interface Visit {
  readonly page: Page;
  /** What went wrong in the page so far, in words; see `watch`. */
  readonly troubles: readonly string[];
}

/** What a test has in hand. */
export interface Site {
  readonly service: Service;
  /** Where leads arrive. */
  readonly receiver: Receiver;
  /** Opens a path of the service in a context of its own: no cookies, no cache, no history. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Starts the service again, on the same address and data, after the test has ended it. */
  restart(): Promise<void>;
}

/** What differs from a service with room for every lead and a receiver that takes it. */
export interface SiteOptions {
  readonly env?: Record<string, string>;
  readonly answer?: Answer;
}

let browser: Browser | undefined;

Deno.test.beforeAll(async () => {
  const found = await Deno.stat(EXECUTABLE).catch(() => undefined);
  if (!found?.isFile) {
    throw new Error(`Cannot find ${EXECUTABLE}: install Debian's Chromium by .ci/install_chromium`);
  }
  browser = await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
});

Deno.test.afterAll(() => browser?.close());

/** Runs a test with a site of its own. */
export function withSite(
  test: (site: Site) => Promise<void>,
  { env = {}, answer }: SiteOptions = {},
): Promise<void> {
  return withReceiver(
    (receiver) => withFolder((folder) => run(test, { browser: browser!, receiver, folder, env })),
    answer,
  );
}

async function run(
  test: (site: Site) => Promise<void>,
  { browser, receiver, folder, env }: {
    readonly browser: Browser;
    readonly receiver: Receiver;
    readonly folder: string;
    readonly env: Record<string, string>;
  },
): Promise<void> {
  const settings = { ...ROOMY, LEAD_TARGETS: receiver.url, ...env };
  let service = await startService(folder, settings);
  const { url, port } = service;

  async function visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({ baseURL: url, ...STILL, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const troubles = watch(page, url);
    await page.goto(path);
    return { page, troubles };
  }

  try {
    await test({
      get service() {
        return service;
      },
      receiver,
      visit,
      async restart() {
        service = await startService(folder, { ...settings, PORT: String(port), SITE_URL: url });
      },
    });
  } finally {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await service.end("SIGKILL").catch(() => {}); // the test may have ended it
  }
}

/**
 * Collects, from now on: errors and warnings of the console (a violation of the
 * Content-Security-Policy is one), uncaught errors, requests that fail, are answered 400 or above,
 * or go to another origin. The answer to a navigation is not among them: a test asks for its
 * status.
 */
function watch(page: Page, origin: string): readonly string[] {
  const troubles: string[] = [];
  page.on("console", (message) => {
    const [type, text] = [message.type(), message.text()];
    // Chromium's own line about an answer or a request that failed is told below, with its path.
    if (!/^(?:error|warning)$/.test(type) || text.startsWith("Failed to load resource:")) return;
    troubles.push(`console ${type}: ${text}`);
  });
  page.on("pageerror", ({ message }) => troubles.push(`uncaught: ${message}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) troubles.push(`foreign: ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    // The browser's own doing, as with an icon that is on its way when the page is left.
    if (request.failure()?.errorText === "net::ERR_ABORTED") return;
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

/** Every page of `sitemap.xml` by its path, in its order. */
export async function pagePaths({ url }: Service): Promise<string[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) =>
    new URL(loc!).pathname
  );
  if (paths.length === 0) throw new Error("Cannot read sitemap.xml: it names no page");
  return paths;
}

/** Takes a picture for people, `.screenshots/NAME.png`; not under version control. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `.screenshots/${name}.png`, fullPage: true });
}
