/**
 * @module The contact form as HTML: empty, or as it was sent with what has to be mended.
 *
 * Works without script: it is posted to its own page. The honeypot is kept from people by the
 * stylesheet and from assistive technology by `aria-hidden`. What is sent is decided elsewhere.
 */

import { LeadRequest } from "../schemas/lead.ts";
import { escapeHtml } from "./html.ts";
import { type Field, FORM_WORDS } from "./contact_words.ts";
import { contactPaths, type Locale } from "./page_path.ts";

/** The form as it was sent. */
export interface FormState {
  readonly values: Readonly<Partial<Record<Field, string>>>;
  /** Fields that are to be mended, with the schema's rule that is not kept. */
  readonly faults: Readonly<Partial<Record<Field, string>>>;
  /** What happened, as text. */
  readonly notice: string;
}

const EMPTY: FormState = { values: {}, faults: {}, notice: "" };

const PLANS = LeadRequest.shape.plan.unwrap().options;

/** The form; `state` where it has been sent and is not done with. */
export function contactForm(locale: Locale, state: FormState = EMPTY): string {
  const words = FORM_WORDS[locale];
  const { values, notice } = state;
  const plans = PLANS.map((plan) => {
    const selected = values.plan === plan ? " selected" : "";
    return `<option value="${plan}"${selected}>${words.plans[plan]}</option>`;
  });
  const input = (type: string, field: Field, rest: string) =>
    `<input type="${type}" ${attributes(field, state)} value="${
      escapeHtml(values[field] ?? "")
    }" ${rest}>`;
  return `<form class="contact" method="post" action="${contactPaths(locale).form}" novalidate>
${notice === "" ? "" : `<p class="notice" role="alert">${escapeHtml(notice)}</p>\n`}${
    row("email", { locale, state }, input("email", "email", 'autocomplete="email" required'))
  }
${
    row(
      "company",
      { locale, state },
      input("text", "company", 'autocomplete="organization" required'),
    )
  }
${
    row(
      "plan",
      { locale, state },
      `<select ${attributes("plan", state)}><option value="">${words.noPlan}</option>${
        plans.join("")
      }</select>`,
    )
  }
${
    row(
      "message",
      { locale, state },
      `<textarea ${attributes("message", state)} rows="6">${
        escapeHtml(values.message ?? "")
      }</textarea>`,
    )
  }
<p class="trap" aria-hidden="true"><label for="website">${words.labels.website}</label>
<input type="text" id="website" name="website" tabindex="-1" autocomplete="off"></p>
<p><button type="submit">${words.send}</button></p>
</form>
`;
}

/** A label, what may be said of the field, and the field. */
function row(
  field: Field,
  { locale, state }: { readonly locale: Locale; readonly state: FormState },
  control: string,
): string {
  const words = FORM_WORDS[locale];
  const rule = state.faults[field];
  const fault = rule === undefined ? "" : words.faults[rule] ?? words.faults["format"] ?? "";
  const text = fault === ""
    ? ""
    : `<span class="fault" id="${field}-fault">${escapeHtml(fault)}</span>\n`;
  return `<p><label for="${field}">${words.labels[field]}</label>\n${text}${control}</p>`;
}

function attributes(field: Field, { faults }: FormState): string {
  const invalid = faults[field] === undefined
    ? ""
    : ` aria-invalid="true" aria-describedby="${field}-fault"`;
  return `id="${field}" name="${field}"${invalid}`;
}
