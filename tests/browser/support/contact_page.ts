/** @module The contact page in a browser: fill in, submit, read the result. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Page } from "playwright-core";
import { contactPaths, type Locale, LOCALES } from "../../../site/page_path.ts";
import type { Receiver } from "../../support/receiver.ts";
import { type Site, takePicture, type Visit } from "./browser.ts";
import { axeFaults, shapeFaults } from "./inspect.ts";

/** A valid input. */
export const INPUT = {
  email: "ada@example.com",
  company: "Example GmbH",
  plan: "business",
  message: 'Grüße & "quotes" <b>,\nin two lines',
};

/** The values of the fields. */
export type Input = typeof INPUT;
const FIELDS = Object.keys(INPUT);

export const SUBMIT = "#contact-form button[type=submit]";

/** What a refused form shows. */
export interface Refusal {
  readonly notice: string;
  /** Error texts by field. */
  readonly faults: Partial<Input>;
}

/** A language, with or without script. */
export interface Variant {
  readonly locale: Locale;
  readonly script: boolean;
}

/** Opens the form on a phone, in German in dark mode, and fills it in. */
export async function openForm(
  { visit }: Site,
  { input = INPUT, ...variant }: Variant & { readonly input?: Input },
): Promise<Visit & Variant> {
  const visited = await visit(contactPaths(variant.locale).form, {
    javaScriptEnabled: variant.script,
    colorScheme: variant.locale === "de" ? "dark" : "light",
    viewport: { width: 390, height: 844 },
  });
  const { plan, ...texts } = input;
  for (const [field, text] of Object.entries(texts)) {
    await visited.page.locator(`#${field}`).fill(text);
  }
  await visited.page.locator("#plan").selectOption(plan);
  return { ...visited, ...variant };
}

/** Checks the page as it is; afterwards it is no longer usable. axe needs script. */
export async function assertAccessible(
  { page, locale, script }: Visit & Variant,
  name: string,
): Promise<void> {
  if (!script) return;
  await takePicture(page, `${locale}-${name}-390`);
  deepEqual([...await shapeFaults(page, locale), ...await axeFaults(page)], []);
}

/** Submits the form and returns the status after the answer has been handled. */
async function submit(page: Page): Promise<number> {
  const answer = page.waitForResponse((response) => response.request().method() === "POST");
  await page.locator(SUBMIT).click();
  const status = (await answer).status();
  await page.locator("#contact-form[aria-busy=true]").waitFor({ state: "detached" });
  return status;
}

/** Submits the form and waits for success: in place of the form, or without script on its page. */
export async function assertAccepted({ page, script }: Visit & Variant): Promise<void> {
  equal(await submit(page), script ? 200 : 303);
  if (script) await page.locator("#form-outcome :is(h1, h2, h3)").waitFor();
  else await page.waitForURL("**/sent");
}

/** Submits the form, expects this status and the input unchanged, and returns what is shown. */
export async function assertRefused(
  { page }: Visit,
  { status, input = INPUT }: { readonly status: number; readonly input?: Input },
): Promise<Refusal> {
  equal(await submit(page), status);
  const refusal = { notice: await noticeOf(page), faults: await faultsOf(page) };
  deepEqual(await inputOf(page), input);
  return refusal;
}

/** Reads the fields. */
export async function inputOf(page: Page): Promise<Input> {
  const values = FIELDS.map((name) => page.locator(`#${name}`).inputValue());
  const [email = "", company = "", plan = "", message = ""] = await Promise.all(values);
  return { email, company, plan, message };
}

/** Waits for the notice. */
export async function noticeOf(page: Page): Promise<string> {
  const notice = page.locator("#form-notice[role=alert]:not(:empty)");
  await notice.waitFor();
  return await notice.innerText();
}

/** Returns the error texts, each of which must also be exposed to assistive technology. */
async function faultsOf(page: Page): Promise<Partial<Input>> {
  const faults: Record<string, string> = {};
  for (const field of FIELDS) {
    const control = page.locator(`#${field}`);
    const fault = page.locator(`#${field}-fault`);
    const isShown = await fault.isVisible();
    if (isShown) faults[field] = await fault.innerText();
    const described = await control.getAttribute("aria-describedby");
    equal(await control.getAttribute("aria-invalid"), isShown ? "true" : null, field);
    equal(described?.split(" ").includes(`${field}-fault`), isShown, field);
  }
  return faults;
}

/** Returns the received leads without the members that the service adds. */
export function leadsOf({ received }: Receiver): unknown[] {
  return received.map(({ body }) => {
    const { id: _id, receivedAt: _at, ...lead } = JSON.parse(body).data;
    return lead;
  });
}

/** Expects the same texts with and without script, and different ones in each language. */
export async function forEachVariant(refuse: (one: Variant) => Promise<Refusal>): Promise<void> {
  const texts: string[] = [];
  for (const locale of LOCALES) {
    const refusal = await refuse({ locale, script: true });
    deepEqual(await refuse({ locale, script: false }), refusal);
    texts.push(refusal.notice, ...new Set(Object.values(refusal.faults)));
  }
  equal(new Set(texts).size, texts.length, texts.join(" / "));
}
