/** @module The contact page in a browser: filling it in, sending it, reading what it says. */

import type { Page } from "playwright-core";
import { contactPaths, type Locale } from "../../../site/page_path.ts";
import type { Site, Visit } from "../../support/browser.ts";
import type { Receiver } from "../../support/receiver.ts";

/** What a person writes into the form. */
export interface Written {
  readonly email: string;
  readonly company: string;
  readonly plan: string;
  readonly message: string;
}

/** What can be sent as it is. */
export const WRITTEN: Written = {
  email: "ada@example.com",
  company: "Example GmbH",
  plan: "business",
  message: 'Grüße & "quotes" <b>,\nin two lines',
};

/** What sends the form. */
export const BUTTON = "#contact-form button[type=submit]";

/** A sender in doubt waits some 15 s for the truth. */
const LONGEST_ANSWER_MS = 20_000;

const FIELDS = ["email", "company", "plan", "message"] as const;

/** A field of the form that a person sees. */
export type FieldName = typeof FIELDS[number];

/** Fills in every field. */
export async function write(page: Page, written: Written): Promise<void> {
  const { plan, ...texts } = written;
  for (const [field, text] of Object.entries(texts)) await page.locator(`#${field}`).fill(text);
  await page.locator("#plan").selectOption(plan);
}

/** The form, opened with script or without. */
export interface FormPage extends Visit {
  readonly script: boolean;
}

/** Opens the form of a language. */
export async function openForm(
  { visit }: Site,
  { locale, script }: { readonly locale: Locale; readonly script: boolean },
): Promise<FormPage> {
  return { ...await visit(contactPaths(locale).form, { javaScriptEnabled: script }), script };
}

/** Presses the button and waits until the answer has been dealt with; returns its status. */
export async function send({ page }: Pick<FormPage, "page">): Promise<number> {
  const answer = page.waitForResponse((response) => response.request().method() === "POST", {
    timeout: LONGEST_ANSWER_MS,
  });
  await page.locator(BUTTON).click();
  const status = (await answer).status();
  await page.locator("#contact-form[aria-busy=true]").waitFor({ state: "detached" });
  return status;
}

/** Waits for success to be told: in place of the form, or without script on the page of thanks. */
export async function succeeded(
  { page, script }: Pick<FormPage, "page" | "script">,
): Promise<void> {
  if (script) await page.locator("#form-outcome :is(h1, h2, h3)").waitFor();
  else await page.waitForURL("**/sent");
}

/** What stands in the fields. */
export async function read(page: Page): Promise<Written> {
  const values = await Promise.all(
    FIELDS.map(async (field) => [field, await page.locator(`#${field}`).inputValue()]),
  );
  return Object.fromEntries(values);
}

/** The sentence that says what went wrong; waits until there is one. */
export async function noticeOf(page: Page): Promise<string> {
  const notice = page.locator("#form-notice[role=alert]:not(:empty)");
  await notice.waitFor();
  return await notice.innerText();
}

/** What is said of each faulty field, only where it is also told to assistive technology. */
export async function faultsOf(page: Page): Promise<Partial<Record<FieldName, string>>> {
  const faults = await Promise.all(FIELDS.map(async (field) => {
    const control = page.locator(`#${field}`);
    const fault = page.locator(`#${field}-fault`);
    const invalid = await control.getAttribute("aria-invalid") === "true";
    const described = (await control.getAttribute("aria-describedby") ?? "").split(" ");
    const text = await fault.isVisible() ? await fault.innerText() : "";
    if (invalid !== (text !== "") || (invalid && !described.includes(`${field}-fault`))) {
      throw new Error(`${field} is marked and described by halves: ${invalid}, "${text}"`);
    }
    return [field, text];
  }));
  return Object.fromEntries(faults.filter(([, text]) => text !== ""));
}

/** The leads that have arrived, without what the service adds to them. */
export function leadsOf({ received }: Receiver): unknown[] {
  return received.map(({ body }) => {
    const { id: _id, receivedAt: _at, ...lead } = JSON.parse(body).data;
    return lead;
  });
}

/** What is said of a form that is not taken. */
export interface Said {
  readonly notice: string;
  readonly faults: Partial<Record<FieldName, string>>;
}

/** Sees that no sentence about one and the same thing is the same in two languages. */
export function tellApart(said: readonly Said[]): void {
  const sentences = said.flatMap(({ notice, faults }) => [
    notice,
    ...new Set(Object.values(faults)),
  ]);
  if (new Set(sentences).size !== sentences.length) {
    throw new Error(`The same words in several languages: ${sentences.join(" / ")}`);
  }
}
