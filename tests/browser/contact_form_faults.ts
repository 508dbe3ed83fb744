/** @module What people get wrong in the contact form: with script and without the same is said. */

import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { browserSuite } from "../support/browser.ts";
import { until } from "../support/until.ts";
import {
  type FieldName,
  leadsOf,
  openForm,
  saidInEveryWay,
  sendInVain,
  sendWell,
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

for (const [name, change, faulty] of FAULTY) {
  Deno.test(`${name} is pointed out beside the field in the page's language, the text stays`, () =>
    withSite(async (site) => {
      const written = { ...WRITTEN, ...change };
      await saidInEveryWay(async (way) => {
        const form = await openForm(site, { ...way, written });
        const said = await sendInVain(form, { status: 400, written });
        deepEqual(Object.keys(said.faults), faulty);
        const isFocused = () => hasFocus(form.page, `#${faulty[0]}`);
        await until("the first faulty field has the focus", isFocused);
        deepEqual(form.troubles, way.script ? ["400: POST /api/lead"] : []);
        return said;
      });
      equal(site.receiver.received.length, 0);
    }));
}

Deno.test("a fault that is mended is not pointed out any more, and the lead goes out", () =>
  withSite(async (site) => {
    let written: Written = { ...WRITTEN, email: "ada", company: "" };
    const form = await openForm(site, { locale: "en", script: true, written });
    for (
      const [field, left] of [["email", ["email", "company"]], ["company", ["company"]]] as const
    ) {
      const { faults } = await sendInVain(form, { status: 400, written });
      deepEqual(Object.keys(faults), left);
      await form.page.locator(`#${field}`).fill(WRITTEN[field]);
      written = { ...written, [field]: WRITTEN[field] };
    }
    await sendWell(form);
    deepEqual(leadsOf(site.receiver), [{ ...WRITTEN, locale: "en" }]);
  }));
