/** @module The contact form as markup: what people, screen readers and the script are told. */

import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { parseLead } from "../../schemas/lead.ts";
import { contactForm, faultyForm } from "../../site/contact_form.ts";
import { FORM_WORDS, waitText } from "../../site/contact_words.ts";
import { contactPaths, LOCALES } from "../../site/page_path.ts";
import { waitText as waitTextOfScript } from "../../static/assets/contact.js";

const SHOWN = ["email", "company", "plan", "message"] as const;

/** Every way in which a field of a form, a text or nothing, can break the schema. */
const FAULTY: readonly (readonly [field: typeof SHOWN[number], values: Record<string, string>])[] =
  [
    ["email", {}],
    ["email", { email: "nobody" }],
    ["email", { email: `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}` }],
    ["company", {}],
    ["company", { company: "x".repeat(121) }],
    ["plan", { plan: "gold" }],
    ["message", { message: "x".repeat(2001) }],
  ];

const SOUND = { email: "ada@example.com", company: "Example GmbH" };

function issuesOf(values: Record<string, string>) {
  const parsed = parseLead({ ...values, locale: "en" });
  return "issues" in parsed ? parsed.issues : [];
}

function scriptWords(html: string) {
  const [, json] = /<script type="application\/json" id="contact-words">([^<]*)<\/script>/
    .exec(html)!;
  return JSON.parse(json!);
}

for (const locale of LOCALES) {
  const words = FORM_WORDS[locale];
  const form = contactForm(locale);

  Deno.test(`each field has a label, a hint and a control that names the hint (${locale})`, () => {
    for (const field of SHOWN) {
      const parts = new RegExp(
        `<div class="field"><label for="${field}">([^<]+)</label>\\s*` +
          `<span class="hint" id="${field}-hint">([^<{]+)</span>\\s*` +
          `<(input|select|textarea) [^>]*id="${field}" name="${field}" ` +
          `aria-describedby="${field}-hint"[^>]*>`,
      ).exec(form);
      equal(parts?.[1], words.labels[field], field);
    }
    equal(form.includes("aria-invalid"), false);
    equal(form.includes("autofocus"), false);
  });

  Deno.test(`the form posts to its own page and says where the data goes (${locale})`, () => {
    const { form: path } = contactPaths(locale);
    match(
      form,
      new RegExp(
        `<form class="contact" id="contact-form" data-markdown-ignore method="post" action="${path}" novalidate>`,
      ),
    );
    match(form, new RegExp(`<a href="${path.replace("contact", "privacy")}">`));
  });

  Deno.test(`what is to be said later has an empty place from the start (${locale})`, () => {
    match(form, /<p class="notice" id="form-notice" role="alert"><\/p>/);
    match(form, /<div class="outcome" id="form-outcome" role="status" aria-live="polite"><\/div>/);
  });

  Deno.test(`the honeypot is out of reach of keyboard and assistive technology (${locale})`, () => {
    const [trap] = /<div class="trap" aria-hidden="true">[\s\S]*?<\/div>/.exec(form)!;
    match(trap, /<input type="text" id="website" name="website" tabindex="-1" autocomplete="off">/);
  });

  Deno.test(`limits are the schema's, written as the language writes numbers (${locale})`, () => {
    const limits = { company: "120", message: locale === "en" ? "2,000" : "2.000" };
    const { faults } = scriptWords(form);
    for (const [field, limit] of Object.entries(limits)) {
      match(form, new RegExp(`id="${field}-hint">[^<]*\\b${limit}\\b`));
      match(faults[field].maxLength, new RegExp(`\\b${limit}\\b`));
    }
    for (const open of form.matchAll(/\{\w+\}/g)) equal(open[0], "{wait}");
  });

  for (const [field, values] of FAULTY) {
    const sent = { ...SOUND, ...values };
    if (Object.keys(values).length === 0) Reflect.deleteProperty(sent, field);
    const issues = issuesOf(sent);
    const rule = issues[0]?.rule;

    Deno.test(`${field} that breaks ${rule} is said to, and has the focus (${locale})`, () => {
      equal(issues.length, 1);
      const state = faultyForm(locale, { values: sent, issues });
      const text = state.faults[field]!;
      deepEqual(state, { values: sent, faults: { [field]: text }, notice: words.notices.invalid });
      const html = contactForm(locale, state);
      match(
        html,
        new RegExp(
          `id="${field}" name="${field}" aria-describedby="${field}-hint ${field}-fault" ` +
            `aria-invalid="true" autofocus`,
        ),
      );
      ok(html.includes(`<span class="fault" id="${field}-fault">${text}</span>`));
      equal(html.split("aria-invalid").length, 2);
      equal(scriptWords(html).faults[field][rule!], text);
    });
  }

  Deno.test(`of two faults the first field has the focus (${locale})`, () => {
    const issues = issuesOf({ message: "x".repeat(2001), email: "ada@example.com" });
    const html = contactForm(locale, faultyForm(locale, { values: {}, issues }));
    equal(html.split("aria-invalid").length, 3);
    match(html, /id="company"[^>]* autofocus/);
    equal(html.split("autofocus").length, 2);
  });

  Deno.test(`a notice without a faulty field has the focus itself (${locale})`, () => {
    const notice = 'Wait & "see"';
    match(
      contactForm(locale, { values: SOUND, faults: {}, notice }),
      / id="form-notice" role="alert" tabindex="-1" autofocus>Wait &amp; &quot;see&quot;</,
    );
  });

  Deno.test(`a filled honeypot is explained where nothing else is wrong (${locale})`, () => {
    const notice = (values: Record<string, string>) =>
      faultyForm(locale, { values, issues: issuesOf({ ...values, website: "x" }) }).notice;
    equal(notice(SOUND), words.notices.trap);
    equal(notice({ ...SOUND, email: "x" }), words.notices.invalid);
  });

  Deno.test(`a field that the form does not have marks nothing (${locale})`, () => {
    const issues = issuesOf({ ...SOUND, tenant: "x" });
    const { faults, notice } = faultyForm(locale, { values: SOUND, issues });
    deepEqual(faults, {});
    equal(notice, words.notices.unreadable);
  });

  Deno.test(`the script says what the page would say (${locale})`, () => {
    const { locale: language, sending, notices, sent } = scriptWords(form);
    equal(language, words.answeredIn);
    equal(sending, words.sending);
    const { crossSite: _, ...said } = words.notices;
    deepEqual(notices, said);
    deepEqual(sent, { title: words.sent.title, text: words.sent.text });
    ok(words.sent.body.startsWith(`# ${sent.title}\n\n${sent.text}\n`));
  });

  Deno.test(`script and page write times to wait alike (${locale})`, () => {
    const seconds = [1, 2, 30, 59, 60, 61, 119, 120, 121, 3600, 86_400];
    deepEqual(
      seconds.map((count) => waitTextOfScript(locale, count)),
      seconds.map((count) => waitText(locale, count)),
    );
  });
}

Deno.test("a time to wait has one unit, rounded up, in the right number", () => {
  const said = [1, 59, 60, 61].map((seconds) => LOCALES.map((one) => waitText(one, seconds)));
  deepEqual(said, [
    ["1 second", "1 Sekunde"],
    ["59 seconds", "59 Sekunden"],
    ["1 minute", "1 Minute"],
    ["2 minutes", "2 Minuten"],
  ]);
});

Deno.test("the languages say different things, each in all places", () => {
  const texts = (value: unknown): string[] =>
    typeof value === "string" ? [value] : Object.values(value as object).flatMap(texts);
  const { plans: _, ...en } = FORM_WORDS.en;
  const { plans: __, ...de } = FORM_WORDS.de;
  const [english, german] = [texts(en), texts(de)];
  equal(english.length, german.length);
  for (const text of english) ok(text !== "" && !german.includes(text), text);
});
