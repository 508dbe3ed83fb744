/** @module What people get wrong in the contact form: with script and without the same is said. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { type Locale, LOCALES } from "../../site/page_path.ts";
import { browserSuite, type Site } from "../support/browser.ts";
import { until } from "../support/until.ts";
import {
  faultsOf,
  type FieldName,
  leadsOf,
  noticeOf,
  openForm,
  read,
  type Said,
  send,
  tellApart,
  write,
  WRITTEN,
  type Written,
} from "./support/contact_page.ts";
import { hasFocus } from "./support/keyboard.ts";

const { withSite } = browserSuite();

/** What is written, and the fields that are to be pointed out, in their order. */
const FAULTY: readonly (readonly [
  name: string,
  change: Partial<Written>,
  faulty: readonly FieldName[],
])[] = [
  ["an empty email", { email: "" }, ["email"]],
  ["a malformed email", { email: "ada@" }, ["email"]],
  ["an empty company", { company: "" }, ["company"]],
  ["a company of 121 characters", { company: "x".repeat(121) }, ["company"]],
  ["a message of 2001 characters", { message: "x".repeat(2001) }, ["message"]],
  ["an empty form", { email: "", company: "", plan: "", message: "" }, ["email", "company"]],
];

/** Sends what is faulty, sees that it stays and is marked, and returns what is said of it. */
async function refused(
  site: Site,
  { locale, script, written, faulty }: {
    readonly locale: Locale;
    readonly script: boolean;
    readonly written: Written;
    readonly faulty: readonly FieldName[];
  },
): Promise<Said> {
  const { page, troubles } = await openForm(site, { locale, script });
  await write(page, written);
  equal(await send({ page }), 400);
  const said = { notice: await noticeOf(page), faults: await faultsOf(page) };
  deepEqual(Object.keys(said.faults), faulty);
  deepEqual(await read(page), written);
  await until("the first faulty field has the focus", () => hasFocus(page, `#${faulty[0]}`));
  deepEqual(troubles, script ? ["400: POST /api/lead"] : []);
  return said;
}

for (const [name, change, faulty] of FAULTY) {
  Deno.test(`${name} is pointed out beside the field in the page's language, the text stays`, () =>
    withSite(async (site) => {
      const written = { ...WRITTEN, ...change };
      const words: Said[] = [];
      for (const locale of LOCALES) {
        const [scripted, bare] = await Promise.all(
          [true, false].map((script) => refused(site, { locale, script, written, faulty })),
        );
        deepEqual(scripted, bare);
        words.push(scripted!);
      }
      tellApart(words);
      equal(site.receiver.received.length, 0);
    }));
}

Deno.test("a fault that is mended is not pointed out any more, and the lead goes out", () =>
  withSite(async (site) => {
    const { page } = await openForm(site, { locale: "en", script: true });
    await write(page, { ...WRITTEN, email: "ada", company: "" });
    equal(await send({ page }), 400);
    deepEqual(Object.keys(await faultsOf(page)), ["email", "company"]);
    await page.locator("#email").fill(WRITTEN.email);
    equal(await send({ page }), 400);
    deepEqual(Object.keys(await faultsOf(page)), ["company"]);
    await page.locator("#company").fill(WRITTEN.company);
    equal(await send({ page }), 200);
    deepEqual(leadsOf(site.receiver), [{ ...WRITTEN, locale: "en" }]);
  }));
