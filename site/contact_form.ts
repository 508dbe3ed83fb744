/**
 * @module Renders the contact form: empty, or as submitted with its errors.
 *
 * Works without script, posted to its own page; `static/assets/contact.js` uses its elements and
 * the embedded words. The stylesheet hides the honeypot from people, `aria-hidden` from assistive
 * technology.
 */

import { html as markup, raw } from "@hono/hono/html";
import { LEAD_RULES, type LeadIssue, mayBeBlank, mustBeFilled } from "../schemas/lead.ts";
import { LEAD_FIELDS, type LeadField, STORED_FIELDS } from "../schemas/lead_fields.ts";
import { labelOf, valueText } from "../schemas/lead_words.ts";
import { type Markup, scriptData } from "./html.ts";
import { numberText, timeText } from "./language.ts";
import type { Locale } from "../schemas/site_data.ts";
import { pathsIn } from "./urls.ts";
import { fill, wordsOf } from "../schemas/words.ts";

export interface FormState {
  /** By the name of the field. */
  readonly values: Readonly<Record<string, string>>;
  /** Error texts by field. */
  readonly errors: Readonly<Record<string, string>>;
  /** Why the form was not accepted. */
  readonly notice: string;
}

/** Texts by the name of a field; those of a field need not be there. */
type Texts<Text> = Readonly<Record<string, Text | undefined>>;

/** What people fill in, in reading order. */
const FIELDS = STORED_FIELDS.filter(([, { control }]) => control.kind !== "locale");

/** Headings have no underscore in their ids. */
const idOf = (name: string) => `field_${name}`;

const HONEYPOTS = LEAD_FIELDS.filter(([, { control }]) => control.kind === "honeypot")
  .map(([name]) => name);

export function contactForm(locale: Locale, state: Partial<FormState> = {}): string {
  const words = wordsOf(locale).form;
  const { errors = {}, notice = "" } = state;
  const invalid = FIELDS.map(([name]) => name).filter((name) => errors[name] !== undefined);
  const rows = FIELDS.map((field) => row(field, { locale, state, focus: field[0] === invalid[0] }));
  const traps = HONEYPOTS.map((name) =>
    markup`<div class="trap" aria-hidden="true"><label for="${idOf(name)}">${
      labelOf(name, locale)
    }</label>
<input type="text" id="${idOf(name)}" name="${name}" tabindex="-1" autocomplete="off"></div>
`
  );
  // Screen readers do not announce an alert that is there when the page loads, but do the focus.
  const focus = notice !== "" && invalid.length === 0 && raw(' tabindex="-1" autofocus');
  const summary = invalid.map((name) =>
    markup`<li><a href="#${idOf(name)}">${errors[name]}</a></li>`
  );
  const action = pathsIn(locale).contact;
  const [before, after] = words.data.split("{privacy}");
  return markup`<form class="contact" id="contact_form" data-markdown-ignore method="post" action="${action}" novalidate>
${rows}${traps}<p class="data">${before}<a href="${
    pathsIn(locale).privacy
  }">${words.privacyPage}</a>${after}</p>
<div class="notice" id="form_notice" role="alert"${focus}>${notice}${
    summary.length > 0 && markup`<ul>${summary}</ul>`
  }</div>
<button type="submit">${words.send}</button>
</form>
`.toString();
}

/** Of the form, and of the pages to which it leads. */
export const CONTACT_SCRIPT = '<script type="module" src="/assets/contact.js"></script>\n';

/** What follows the form and does not depend on its state. */
export function formScript(locale: Locale): string {
  const words = scriptWords(locale);
  return markup`<script type="application/json" id="contact_words">${words}</script>
${raw(CONTACT_SCRIPT)}`.toString();
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
  const errors = Object.fromEntries(FIELDS.flatMap(([name]) => {
    const rule = issues.find(({ path }) => path === `/${name}`)?.rule;
    const texts = errorTexts(name, locale);
    return rule === undefined ? [] : [[name, texts[rule] ?? texts["other"]!]];
  }));
  const trapped = HONEYPOTS.some((name) => issues.some(({ path }) => path === `/${name}`));
  const other = trapped ? notices.trap : notices.unreadable;
  return { values, errors, notice: Object.keys(errors).length > 0 ? notices.invalid : other };
}

function row(
  [name, { control }]: readonly [string, LeadField],
  { locale, state, focus }: { locale: Locale; state: Partial<FormState>; focus: boolean },
): Markup {
  const words = wordsOf(locale).form;
  const error = state.errors?.[name];
  const hints: Texts<string> = words.hints;
  const hint = hints[name] ?? (LEAD_RULES[name]?.maxLength === undefined ? undefined : words.hint);
  const notes = [
    ...(hint === undefined ? [] : [["hint", withLimit(hint, { locale, name })] as const]),
    ...(error === undefined ? [] : [["error", error] as const]),
  ];
  const ids = notes.map(([kind]) => `${idOf(name)}_${kind}`).join(" ");
  const described = ids !== "" && raw(` aria-describedby="${ids}"`);
  const invalid = error !== undefined && raw(' aria-invalid="true"');
  const autofocus = focus && raw(" autofocus");
  const texts = notes.map(([kind, text]) =>
    markup`<span class="${kind}" id="${idOf(name)}_${kind}">${text}</span>\n`
  );
  const label = labelOf(name, locale);
  return markup`<div class="field"><label for="${idOf(name)}">${
    mustBeFilled(name) ? label : fill(words.optional, { label })
  }</label>
${texts}${
    controlOf(name, {
      control,
      attributes: markup`id="${idOf(name)}" name="${name}"${described}${invalid}${autofocus}`,
      value: state.values?.[name] ?? "",
      nothing: words.choose,
      locale,
    })
  }</div>
`;
}

/** The control of a field, also for the panel of the docs. */
export function controlOf(
  name: string,
  { control, attributes, value, nothing, locale }: {
    readonly control: LeadField["control"];
    readonly attributes: Markup;
    readonly value: string;
    /** The text of no choice. */
    readonly nothing: string;
    /** Shows choices by their labels; without it, as the API has them. */
    readonly locale?: Locale;
  },
): Markup {
  const required = mustBeFilled(name) && raw(" required");
  switch (control.kind) {
    case "textarea":
      // HTML drops a line break right after the tag: this one, not the visitor's.
      return markup`<textarea ${attributes} rows="${control.rows}"${required}>\n${value}</textarea>`;
    case "input": {
      const { type, autocomplete } = control;
      return markup`<input type="${type}" ${attributes} autocomplete="${autocomplete}" value="${value}"${required}>`;
    }
    default: {
      const options = (LEAD_RULES[name]?.enum ?? []).map((choice) =>
        markup`<option value="${choice}"${choice === value && raw(" selected")}>${
          locale === undefined ? choice : valueText(name, choice, locale)
        }</option>`
      );
      return markup`<select ${attributes}${required}><option value="">${nothing}</option>${options}</select>`;
    }
  }
}

/** Formats a waiting time: seconds below a minute, otherwise minutes, rounded up. */
export function waitText(locale: Locale, seconds: number): string {
  return seconds < 60
    ? timeText(seconds, "second", locale)
    : timeText(Math.ceil(seconds / 60), "minute", locale);
}

function withLimit(text: string, { locale, name }: { locale: Locale; name: string }): string {
  const max = LEAD_RULES[name]?.maxLength;
  return fill(text, {
    label: labelOf(name, locale),
    ...(max === undefined ? {} : { max: numberText(max, locale) }),
  });
}

/** The texts for the rules that a value can break: those of the field, or else those for every field. */
function errorTexts(name: string, locale: Locale): Readonly<Record<string, string>> {
  const { errors, invalid } = wordsOf(locale).form;
  const own = (errors as Texts<Readonly<Record<string, string>>>)[name] ?? {};
  const rules = { ...LEAD_RULES[name], other: true, ...(mustBeFilled(name) && { required: true }) };
  const texts = Object.entries({ ...invalid, ...own }).filter(([rule]) => rule in rules);
  return Object.fromEntries(
    texts.map(([rule, text]) => [rule, withLimit(text, { locale, name })]),
  );
}

function scriptWords(locale: Locale): Markup {
  const { sending, tool, notices: { crossSite: _, unreadableText: __, ...notices } } =
    wordsOf(locale).form;
  const errors = Object.fromEntries(FIELDS.map(([name]) => [name, errorTexts(name, locale)]));
  const { sent, test } = pathsIn(locale);
  const pages = { sent, test };
  const blank = FIELDS.map(([name]) => name).filter(mayBeBlank);
  return scriptData({ locale, blank, sending, tool, errors, notices, honeypots: HONEYPOTS, pages });
}
