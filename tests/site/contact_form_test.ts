/** @module The contact form: error texts and notices; `expected/form_de.html` has its marks. */

import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { parseLead } from "../../schemas/lead.ts";
import { contactForm, formScript, invalidForm, waitText } from "../../site/contact_form.ts";
import { LOCALES } from "../../schemas/site_data.ts";
import { wordsOf } from "../../schemas/words.ts";
import { waitText as waitTextOfScript } from "../../static/assets/contact.js";

const SOUND = { email: "ada@example.com", company: "Example GmbH" };
const LONG_ADDRESS = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}`;

/** Every way in which a submitted field can violate the schema. */
const FAULTY = [
  ["email", undefined, "required"],
  ["email", "nobody", "format"],
  ["email", LONG_ADDRESS, "format"],
  ["company", "x".repeat(121), "maxLength"],
  ["plan", "gold", "enum"],
  ["message", "x".repeat(2001), "maxLength"],
] as const;

function issuesOf(values: Readonly<Record<string, string>>) {
  const parsed = parseLead({ ...values, locale: "en" });
  return "issues" in parsed ? parsed.issues : [];
}

for (const locale of LOCALES) {
  const { notices } = wordsOf(locale).form;

  Deno.test(`each problem of a field has its text, which the script has too (${locale})`, () => {
    const [, words] = /id="contact_words">([^<]*)</.exec(formScript(locale))!;
    for (const [field, value, rule] of FAULTY) {
      const { [field]: _, ...others }: Record<string, string> = SOUND;
      const values = value === undefined ? others : { ...SOUND, [field]: value };
      const errors = { [field]: JSON.parse(words!).errors[field][rule] };
      const state = invalidForm(locale, { values, issues: issuesOf(values) });
      deepEqual(state, { values, errors, notice: notices.invalid });
    }
  });

  Deno.test(`a filled honeypot is explained if no field is invalid (${locale})`, () => {
    const stateOf = (values: Record<string, string>) =>
      invalidForm(locale, { values, issues: issuesOf(values) });
    equal(stateOf({ ...SOUND, website: "x" }).notice, notices.trap);
    equal(stateOf({ ...SOUND, website: "x", email: "x" }).notice, notices.invalid);
    const { errors, notice } = stateOf({ ...SOUND, tenant: "x" });
    deepEqual([errors, notice], [{}, notices.unreadable]);
  });
}

Deno.test("a notice has the focus if no field is invalid", () => {
  const html = contactForm("en", { values: SOUND, errors: {}, notice: 'Wait & "see"' });
  match(html, / role="alert" tabindex="-1" autofocus>Wait &amp; &quot;see&quot;</);
});

Deno.test("waitText() of script and page round up to seconds or minutes", () => {
  const written = [1, 59, 60, 61].map((count) => LOCALES.map((locale) => waitText(locale, count)));
  deepEqual(written, [
    ...[["1 second", "1 Sekunde"], ["59 seconds", "59 Sekunden"]],
    ...[["1 minute", "1 Minute"], ["2 minutes", "2 Minuten"]],
  ]);
  for (const count of [1, 2, 59, 60, 61, 119, 120, 121, 86_400]) {
    for (const locale of LOCALES) equal(waitTextOfScript(locale, count), waitText(locale, count));
  }
});
