/** @module Fills in and sends the contact form; what it answers, checked and returned. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Page } from "playwright-core";
import { type Locale, LOCALES } from "../../../schemas/site_data.ts";
import { pathsIn } from "../../../site/urls.ts";
import type { Receiver } from "../../support/receiver.ts";
import { type Site, takePicture, type Visit } from "./browser.ts";
import { axeProblems, shapeProblems } from "./inspect.ts";

export const INPUT = {
  email: "ada@example.com",
  company: "Example GmbH",
  plan: "business",
  message: 'Grüße & "quotes" <b>,\nin two lines',
};

export type Input = typeof INPUT;
const FIELDS = Object.keys(INPUT);

export const SUBMIT = "#contact_form button[type=submit]";

interface Refusal {
  readonly notice: string;
  readonly problems: Partial<Input>;
}

interface Variant {
  readonly locale: Locale;
  readonly script: boolean;
}

export async function openForm(
  { visit }: Site,
  { input = INPUT, ...variant }: Variant & { readonly input?: Input },
): Promise<Visit & Variant> {
  const visited = await visit(pathsIn(variant.locale).contact, {
    javaScriptEnabled: variant.script,
    colorScheme: variant.locale === "de" ? "dark" : "light",
    viewport: { width: 390, height: 844 },
  });
  const { plan, ...texts } = input;
  for (const [field, text] of Object.entries(texts)) {
    await visited.page.locator(`#field_${field}`).fill(text);
  }
  await visited.page.locator("#field_plan").selectOption(plan);
  return { ...visited, ...variant };
}

/** Checks the page as it is; afterwards it is no longer usable. axe needs script. */
export async function assertAccessible(
  { page, locale, script }: Visit & Variant,
  name: string,
): Promise<void> {
  if (!script) return;
  await takePicture(page, `${locale}-${name}-390`);
  deepEqual([...await shapeProblems(page, locale), ...await axeProblems(page)], []);
}

async function submit(page: Page): Promise<number> {
  const answer = page.waitForResponse((response) => response.request().method() === "POST");
  await page.locator(SUBMIT).click();
  const status = (await answer).status();
  await page.locator("#contact_form[aria-busy=true]").waitFor({ state: "detached" });
  return status;
}

export async function assertAccepted(
  { page, script, locale }: Visit & Variant,
  path = pathsIn(locale).sent,
): Promise<void> {
  equal(await submit(page), script ? 200 : 303);
  await page.waitForURL(`**${path}`);
  await page.locator("#contact_form").waitFor({ state: "detached" });
  await page.waitForLoadState();
}

export async function assertRefused(
  { page }: Visit,
  { status, input = INPUT }: { readonly status: number; readonly input?: Input },
): Promise<Refusal> {
  equal(await submit(page), status);
  const refusal = { notice: await noticeOf(page), problems: await problemsOf(page) };
  deepEqual(await inputOf(page), input);
  return refusal;
}

export async function inputOf(page: Page): Promise<Input> {
  const values = FIELDS.map((name) => page.locator(`#field_${name}`).inputValue());
  const [email = "", company = "", plan = "", message = ""] = await Promise.all(values);
  return { email, company, plan, message };
}

export async function noticeOf(page: Page): Promise<string> {
  const notice = page.locator("#form_notice[role=alert]:not(:empty)");
  await notice.waitFor();
  return await notice.innerText();
}

/** Returns the error texts, each of which must also be exposed to assistive technology. */
async function problemsOf(page: Page): Promise<Partial<Input>> {
  const problems: Record<string, string> = {};
  for (const field of FIELDS) {
    const control = page.locator(`#field_${field}`);
    const problem = page.locator(`#field_${field}_error`);
    const isShown = await problem.isVisible();
    if (isShown) problems[field] = await problem.innerText();
    const described = await control.getAttribute("aria-describedby");
    equal(await control.getAttribute("aria-invalid"), isShown ? "true" : null, field);
    equal(described?.split(" ").includes(`field_${field}_error`), isShown, field);
  }
  return problems;
}

export function leadsOf({ received }: Receiver): unknown[] {
  return received.map(({ body }) => {
    const { id: _id, receivedAt: _at, ...lead } = JSON.parse(body).data;
    return lead;
  });
}

export async function forEachVariant(refuse: (one: Variant) => Promise<Refusal>): Promise<void> {
  const texts: string[] = [];
  for (const locale of LOCALES) {
    const refusal = await refuse({ locale, script: true });
    deepEqual(await refuse({ locale, script: false }), refusal);
    texts.push(refusal.notice, ...new Set(Object.values(refusal.problems)));
  }
  equal(new Set(texts).size, texts.length, texts.join(" / "));
}
