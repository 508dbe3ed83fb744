/**
 * @module Renders the contact form: empty, or as submitted with its errors.
 *
 * Works without script, posted to its own page; `static/assets/contact.js` uses its elements and
 * the embedded words. The stylesheet hides the honeypot from people, `aria-hidden` from assistive
 * technology.
 */

import { html as markup, raw } from "@hono/hono/html";
import { type LeadIssue, LeadRequest } from "../schemas/lead.ts";
import { type Markup, scriptData } from "./html.ts";
import { numberText, quantityText } from "./language.ts";
import type { Locale } from "../schemas/site_data.ts";
import { pathsIn } from "./urls.ts";
import { fill, wordsOf } from "../schemas/words.ts";

/** The names of the controls; `website` is the honeypot. */
export type Field = "email" | "company" | "plan" | "message" | "website";

export interface FormState {
  readonly values: Readonly<Partial<Record<Field, string>>>;
  /** Error texts by field. */
  readonly errors: Readonly<Partial<Record<Field, string>>>;
  /** Why the form was not accepted. */
  readonly notice: string;
}

/** In reading order, without the honeypot. */
const FIELDS = ["email", "company", "plan", "message"] as const;
type Shown = typeof FIELDS[number];

const { company, message, plan } = LeadRequest.shape;
const PLANS = plan.unwrap().options;
const LIMITS: Partial<Record<Field, number | null>> = {
  company: company.maxLength,
  message: message.unwrap().maxLength,
};

export function contactForm(locale: Locale, state: Partial<FormState> = {}): string {
  const words = wordsOf(locale).form;
  const { errors = {}, notice = "" } = state;
  const marked = FIELDS.find((field) => errors[field] !== undefined);
  const rows = FIELDS.map((field) => row(field, { locale, state, focus: field === marked }));
  // Screen readers do not announce an alert that is there when the page loads, but do the focus.
  const focus = notice !== "" && marked === undefined && raw(' tabindex="-1" autofocus');
  const summary = FIELDS.filter((field) => errors[field] !== undefined)
    .map((field) => markup`<li><a href="#${field}">${errors[field]}</a></li>`);
  const action = pathsIn(locale).contact;
  const [before, after] = words.data.split("{privacy}");
  return markup`<form class="contact" id="contact-form" data-markdown-ignore method="post" action="${action}" novalidate>
${rows}<div class="trap" aria-hidden="true"><label for="website">${words.labels.website}</label>
<input type="text" id="website" name="website" tabindex="-1" autocomplete="off"></div>
<p class="data">${before}<a href="${pathsIn(locale).privacy}">${words.privacyPage}</a>${after}</p>
<div class="notice" id="form-notice" role="alert"${focus}>${notice}${
    marked !== undefined && markup`<ul>${summary}</ul>`
  }</div>
<button type="submit">${words.send}</button>
</form>
`.toString();
}

/** What follows the form and does not depend on its state. */
export function formScript(locale: Locale): string {
  return markup`<div class="outcome" id="form-outcome" role="status" aria-live="polite"></div>
<script type="application/json" id="contact-words">${scriptWords(locale)}</script>
<script type="module" src="/assets/contact.js"></script>
`.toString();
}

/**
 * Returns the state of a form that the schema refuses. A filled honeypot is emptied, so that a
 * person only has to submit again.
 */
export function invalidForm(
  locale: Locale,
  { values, issues }: Pick<FormState, "values"> & { issues: readonly LeadIssue[] },
): FormState {
  const { notices } = wordsOf(locale).form;
  const texts = errorTexts(locale);
  const errors = Object.fromEntries(FIELDS.flatMap((field) => {
    const rule = issues.find(({ path }) => path === `/${field}`)?.rule;
    const text = rule === undefined ? undefined : texts[field]?.[rule];
    return text === undefined ? [] : [[field, text]];
  }));
  const trapped = issues.some(({ path }) => path === "/website");
  const other = trapped ? notices.trap : notices.unreadable;
  return { values, errors, notice: Object.keys(errors).length > 0 ? notices.invalid : other };
}

function row(
  field: Shown,
  { locale, state, focus }: { locale: Locale; state: Partial<FormState>; focus: boolean },
): Markup {
  const words = wordsOf(locale).form;
  const error = state.errors?.[field];
  const notes = [
    ["hint", withLimit(words.hints[field], { locale, field })],
    ...(error === undefined ? [] : [["error", error]]),
  ] as const;
  const described = notes.map(([kind]) => `${field}-${kind}`).join(" ");
  const invalid = error !== undefined && raw(' aria-invalid="true"');
  const autofocus = focus && raw(" autofocus");
  const attributes =
    markup`id="${field}" name="${field}" aria-describedby="${described}"${invalid}${autofocus}`;
  const texts = notes.map(([kind, text]) =>
    markup`<span class="${kind}" id="${field}-${kind}">${text}</span>\n`
  );
  return markup`<div class="field"><label for="${field}">${words.labels[field]}</label>
${texts}${control(field, { locale, attributes, value: state.values?.[field] ?? "" })}</div>
`;
}

function control(
  field: Shown,
  { locale, attributes, value }: { locale: Locale; attributes: Markup; value: string },
): Markup {
  const { noPlan } = wordsOf(locale).form;
  switch (field) {
    case "email":
      return markup`<input type="email" ${attributes} autocomplete="email" value="${value}" required>`;
    case "company":
      return markup`<input type="text" ${attributes} autocomplete="organization" value="${value}" required>`;
    case "plan": {
      const options = PLANS.map((name) =>
        markup`<option value="${name}"${name === value && raw(" selected")}>${
          planName(name, locale)
        }</option>`
      );
      return markup`<select ${attributes}><option value="">${noPlan}</option>${options}</select>`;
    }
    case "message":
      // HTML drops a line break right after the tag: this one, not the visitor's.
      return markup`<textarea ${attributes} rows="6">\n${value}</textarea>`;
  }
}

/** The label of a plan; without one in the words, its name as in the API. */
function planName(plan: string, locale: Locale): string {
  const plans: Readonly<Record<string, string>> = wordsOf(locale).form.plans;
  return plans[plan] ?? plan;
}

/** Formats a waiting time: seconds below a minute, otherwise minutes, rounded up. */
export function waitText(locale: Locale, seconds: number): string {
  const [value, unit] = seconds < 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return quantityText(value, unit, locale);
}

function withLimit(text: string, { locale, field }: { locale: Locale; field: Field }): string {
  const max = LIMITS[field];
  return max ? fill(text, { max: numberText(max, locale) }) : text;
}

function errorTexts(locale: Locale): Partial<Record<Field, Record<string, string>>> {
  const { errors } = wordsOf(locale).form;
  return Object.fromEntries(FIELDS.map((field) => {
    const texts = Object.entries(errors[field] ?? {})
      .map(([rule, text]) => [rule, withLimit(text, { locale, field })]);
    return [field, Object.fromEntries(texts)];
  }));
}

function scriptWords(locale: Locale): Markup {
  const { sending, tool, notices: { crossSite: _, unreadableText: __, ...notices } } =
    wordsOf(locale).form;
  const errors = errorTexts(locale);
  // A language that the API does not take fails the type check.
  const answered: LeadRequest["locale"] = locale;
  return scriptData({ locale: answered, sending, tool, errors, notices });
}
