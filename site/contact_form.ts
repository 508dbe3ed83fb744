/**
 * @module The contact form as HTML: empty, or as it was sent with what has to be mended.
 *
 * Works without script, posted to its own page; `static/assets/contact.js` finds here the elements
 * that it fills and its words as data. The honeypot is kept from people by the stylesheet and from
 * assistive technology by `aria-hidden`. What is sent is decided elsewhere.
 */

import { html as markup, raw } from "@hono/hono/html";
import { type LeadIssue, LeadRequest } from "../schemas/lead.ts";
import { type Markup, scriptData } from "./html.ts";
import { numberText, quantityText } from "./language.ts";
import { contactPaths, type Locale, localePrefix } from "./page_path.ts";
import { fill, WORDS } from "./words.ts";

/** What a visitor fills in; the honeypot, `website`, among them. */
export type Field = "email" | "company" | "plan" | "message" | "website";

/** The lead's `locale` by the page's: the API may know fewer languages than the site has. */
export const ANSWERED_IN: Readonly<Record<Locale, LeadRequest["locale"]>> = { en: "en", de: "de" };

/** The form as it was sent. */
export interface FormState {
  readonly values: Readonly<Partial<Record<Field, string>>>;
  /** What is to be mended, as text, by field. */
  readonly faults: Readonly<Partial<Record<Field, string>>>;
  /** What happened, as text. */
  readonly notice: string;
}

const EMPTY: FormState = { values: {}, faults: {}, notice: "" };

/** In reading order, the honeypot left out. */
const FIELDS = ["email", "company", "plan", "message"] as const;
type Shown = typeof FIELDS[number];

const { company, message, plan } = LeadRequest.shape;
const PLANS = plan.unwrap().options;
const LIMITS: Partial<Record<Field, number | null>> = {
  company: company.maxLength,
  message: message.unwrap().maxLength,
};

/** The form; `state` where it has been sent and is not done with. */
export function contactForm(locale: Locale, state: FormState = EMPTY): string {
  const words = WORDS[locale].form;
  const { faults, notice } = state;
  const marked = FIELDS.find((field) => faults[field] !== undefined);
  const rows = FIELDS.map((field) => row(field, { locale, state, focus: field === marked }));
  // Without script an alert that is there from the start is not read out: what has focus is.
  const focus = notice !== "" && marked === undefined && raw(' tabindex="-1" autofocus');
  const action = contactPaths(locale).form;
  return markup`<form class="contact" id="contact-form" data-markdown-ignore method="post" action="${action}" novalidate>
${rows}<div class="trap" aria-hidden="true"><label for="website">${words.labels.website}</label>
<input type="text" id="website" name="website" tabindex="-1" autocomplete="off"></div>
<p class="data">${dataNote(locale)}</p>
<p class="notice" id="form-notice" role="alert"${focus}>${notice}</p>
<button type="submit">${words.send}</button>
</form>
<div class="outcome" id="form-outcome" role="status" aria-live="polite"></div>
<script type="application/json" id="contact-words">${scriptWords(locale)}</script>
<script type="module" src="/assets/contact.js"></script>
`.toString();
}

/**
 * The form to be mended, from what the schema says of it. A honeypot that was filled comes back
 * empty, so that sending again is all that a person has to do.
 */
export function faultyForm(
  locale: Locale,
  { values, issues }: {
    readonly values: FormState["values"];
    readonly issues: readonly LeadIssue[];
  },
): FormState {
  const { notices } = WORDS[locale].form;
  const texts = faultTexts(locale);
  const faults = Object.fromEntries(FIELDS.flatMap((field) => {
    const rule = issues.find(({ path }) => path === `/${field}`)?.rule;
    const text = rule === undefined ? undefined : texts[field]?.[rule];
    return text === undefined ? [] : [[field, text]];
  }));
  const trapped = issues.some(({ path }) => path === "/website");
  const other = trapped ? notices.trap : notices.unreadable;
  return { values, faults, notice: Object.keys(faults).length > 0 ? notices.invalid : other };
}

/** A label, what may be said of the field, and the field. */
function row(
  field: Shown,
  { locale, state, focus }: {
    readonly locale: Locale;
    readonly state: FormState;
    readonly focus: boolean;
  },
): Markup {
  const words = WORDS[locale].form;
  const fault = state.faults[field];
  const notes = [
    ["hint", withLimit(words.hints[field], { locale, field })],
    ...(fault === undefined ? [] : [["fault", fault]]),
  ] as const;
  const described = notes.map(([kind]) => `${field}-${kind}`).join(" ");
  const invalid = fault !== undefined && raw(' aria-invalid="true"');
  const autofocus = focus && raw(" autofocus");
  const attributes =
    markup`id="${field}" name="${field}" aria-describedby="${described}"${invalid}${autofocus}`;
  const texts = notes.map(([kind, text]) =>
    markup`<span class="${kind}" id="${field}-${kind}">${text}</span>\n`
  );
  return markup`<div class="field"><label for="${field}">${words.labels[field]}</label>
${texts}${control(field, { locale, attributes, value: state.values[field] ?? "" })}</div>
`;
}

function control(
  field: Shown,
  { locale, attributes, value }: {
    readonly locale: Locale;
    readonly attributes: Markup;
    readonly value: string;
  },
): Markup {
  const { plans, noPlan } = WORDS[locale].form;
  switch (field) {
    case "email":
      return markup`<input type="email" ${attributes} autocomplete="email" value="${value}" required>`;
    case "company":
      return markup`<input type="text" ${attributes} autocomplete="organization" value="${value}" required>`;
    case "plan": {
      const options = PLANS.map((name) =>
        markup`<option value="${name}"${name === value && raw(" selected")}>${plans[name]}</option>`
      );
      return markup`<select ${attributes}><option value="">${noPlan}</option>${options}</select>`;
    }
    case "message":
      // HTML drops a line break right after the tag: this one, not one that somebody wrote.
      return markup`<textarea ${attributes} rows="6">\n${value}</textarea>`;
  }
}

/** A time to wait as people say it: seconds below a minute, else minutes, rounded up. */
export function waitText(locale: Locale, seconds: number): string {
  return seconds < 60
    ? quantityText(seconds, "second", locale)
    : quantityText(Math.ceil(seconds / 60), "minute", locale);
}

function dataNote(locale: Locale): Markup {
  const { data, privacyPage } = WORDS[locale].form;
  const [before, after] = data.split("{privacy}");
  return markup`${before}<a href="${localePrefix(locale)}/privacy">${privacyPage}</a>${after}`;
}

/** The schema's limit of a field, in the text, as the language writes numbers. */
function withLimit(
  text: string,
  { locale, field }: { readonly locale: Locale; readonly field: Field },
): string {
  const max = LIMITS[field];
  return max ? fill(text, { max: numberText(max, locale) }) : text;
}

function faultTexts(locale: Locale): Partial<Record<Field, Record<string, string>>> {
  const { faults } = WORDS[locale].form;
  return Object.fromEntries(
    FIELDS.map((field) => [
      field,
      Object.fromEntries(
        Object.entries(faults[field] ?? {})
          .map(([rule, text]) => [rule, withLimit(text, { locale, field })]),
      ),
    ]),
  );
}

/** What the script says, as data. */
function scriptWords(locale: Locale): Markup {
  const { sending, notices: { crossSite: _, ...notices }, sent } = WORDS[locale].form;
  const { title, text } = sent;
  return scriptData({
    locale: ANSWERED_IN[locale],
    sending,
    faults: faultTexts(locale),
    notices,
    sent: { title, text },
  });
}
