/**
 * @module Chromium, driven by Playwright, against the real service with a receiver behind it: what
 * the tests of the browser suite share. Nothing is mocked.
 *
 * One browser for all tests of a file; each test has a service, a receiver and contexts of its own.
 * Code for the page is handed over as text, because there are no DOM types on this side.
 */

import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Response as PageResponse,
} from "playwright-core";
import { type Answer, type Receiver, withReceiver } from "./receiver.ts";
import { type Service, startService, withFolder } from "./service.ts";
import { watch } from "../browser/support/watch.ts";

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
  /** The answer to the navigation. */
  readonly response: PageResponse;
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

/** Runs a test with a site of its own. */
export type WithSite = (
  test: (site: Site) => Promise<void>,
  options?: SiteOptions,
) => Promise<void>;

/** Starts a browser before the first test of a file and ends it after the last. Once a file. */
export function browserSuite(): { readonly withSite: WithSite } {
  let browser: Browser | undefined;
  Deno.test.beforeAll(async () => {
    await assertInstalled();
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
  });
  Deno.test.afterAll(() => browser?.close());
  return {
    withSite: (test, { env = {}, answer } = {}) =>
      withReceiver(
        (receiver) =>
          withFolder((folder) => run(test, { browser: browser!, receiver, folder, env })),
        answer,
      ),
  };
}

async function assertInstalled(): Promise<void> {
  const found = await Deno.stat(EXECUTABLE).catch(() => undefined);
  if (found?.isFile) return;
  throw new Error(
    `Cannot find Chromium at ${EXECUTABLE}: install Debian's with .ci/install_chromium`,
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
    const response = await page.goto(path);
    return { page, response: response!, troubles };
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
    await endHard(service);
  }
}

/** What is under way is of no interest any more; the test may have ended the service already. */
async function endHard(service: Service): Promise<void> {
  try {
    await service.end("SIGKILL");
  } catch { /* it has ended */ }
}
