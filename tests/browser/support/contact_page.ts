/** @module The contact page in a browser: filling it in, sending it, reading what it says. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Page } from "playwright-core";
import { contactPaths, type Locale, LOCALES } from "../../../site/page_path.ts";
import { type Site, takePicture, type Visit } from "./browser.ts";
import { axeFaults, shapeFaults } from "./inspect.ts";
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

/** After an ambiguous commit the answer takes some 10 s. */
const LONGEST_ANSWER_MS = 20_000;

const FIELDS = ["email", "company", "plan", "message"] as const;

/** A field of the form that a person sees. */
export type FieldName = typeof FIELDS[number];

/** What is said of a form that is not taken. */
export interface Said {
  readonly notice: string;
  readonly faults: Partial<Record<FieldName, string>>;
}

/** A way to send: in a language, with script or without. */
export interface Way {
  readonly locale: Locale;
  readonly script: boolean;
}

/** The form, opened in one of the ways. */
export interface FormPage extends Visit, Way {}

/** Opens the form on a phone and fills it in; German is looked at in the dark. */
export async function openForm(
  { visit }: Site,
  { written, ...way }: Way & { readonly written: Written },
): Promise<FormPage> {
  const visited = await visit(contactPaths(way.locale).form, {
    javaScriptEnabled: way.script,
    colorScheme: way.locale === "de" ? "dark" : "light",
    viewport: { width: 390, height: 844 },
  });
  const { plan, ...texts } = written;
  for (const [field, text] of Object.entries(texts)) {
    await visited.page.locator(`#${field}`).fill(text);
  }
  await visited.page.locator("#plan").selectOption(plan);
  return { ...visited, ...way };
}

/**
 * Finds the page in shape and accessible as it is now: the last thing to be done with it. What it
 * looks like without script is the same, and axe needs script itself.
 */
export async function assertAccessible(form: FormPage, name: string): Promise<void> {
  const { page, locale, script } = form;
  if (!script) return;
  await takePicture(page, `${locale}-${name}-390`);
  deepEqual([...await shapeFaults(page, locale), ...await axeFaults(page)], []);
}

/** Presses the button and waits until the answer has been dealt with; returns its status. */
async function send({ page }: Pick<FormPage, "page">): Promise<number> {
  const answer = page.waitForResponse((response) => response.request().method() === "POST", {
    timeout: LONGEST_ANSWER_MS,
  });
  await page.locator(BUTTON).click();
  const status = (await answer).status();
  await page.locator("#contact-form[aria-busy=true]").waitFor({ state: "detached" });
  return status;
}

/** Sends, and sees success told: in place of the form, or without script on the page of thanks. */
export async function sendWell(
  { page, script }: Pick<FormPage, "page" | "script">,
): Promise<void> {
  equal(await send({ page }), script ? 200 : 303);
  if (script) await page.locator("#form-outcome :is(h1, h2, h3)").waitFor();
  else await page.waitForURL("**/sent");
}

/** Sends, sees it refused with this status and the text stay, and returns what is said of it. */
export async function sendInVain(
  { page }: Pick<FormPage, "page">,
  { status, written }: { readonly status: number; readonly written: Written },
): Promise<Said> {
  equal(await send({ page }), status);
  const said = { notice: await noticeOf(page), faults: await faultsOf(page) };
  deepEqual(await read(page), written);
  return said;
}

/** The values of the fields. */
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
async function faultsOf(page: Page): Promise<Partial<Record<FieldName, string>>> {
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

/** Sees that one thing is said the same with script and without, and otherwise in each language. */
export async function saidInEveryWay(say: (way: Way) => Promise<Said>): Promise<void> {
  const sentences: string[] = [];
  for (const locale of LOCALES) {
    const said = await say({ locale, script: true });
    deepEqual(await say({ locale, script: false }), said);
    sentences.push(said.notice, ...new Set(Object.values(said.faults)));
  }
  equal(new Set(sentences).size, sentences.length, sentences.join(" / "));
}
