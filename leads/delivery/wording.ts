/** @module Formats a lead for people, in its language, as plain text that each target escapes. */

import { wordsOf } from "../../schemas/words.ts";
import { isTestLead, type LeadRecord } from "../lead.ts";

/** A lead for people; title, labels and values are one line each. */
export interface Wording {
  readonly title: string;
  readonly rows: readonly (readonly [label: string, value: string])[];
  readonly messageLabel: string;
  readonly message: string | undefined;
  readonly replyNote: string;
}

export function wordingOf({ id, receivedAt, lead }: LeadRecord): Wording {
  const { tag, mail: words } = wordsOf(lead.locale);
  const languages = new Intl.DisplayNames(tag, { type: "language" });
  const email = oneLine(lead.email);
  const company = oneLine(lead.company);
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  const received = new Date(receivedAt).toLocaleString(tag, format);
  return {
    title: `${isTestLead(lead) ? words.test : words.title} ${words.from} ${company || email}`,
    rows: [
      [words.email, email],
      ...(company === "" ? [] : [[words.company, company] as const]),
      ...(lead.plan === undefined ? [] : [[words.plan, planName(lead.plan, words)] as const]),
      [words.language, languages.of(lead.locale) ?? lead.locale],
      [words.received, `${received} UTC`],
      [words.id, id],
    ],
    messageLabel: words.message,
    message: lead.message || undefined,
    replyNote: words.replyNote,
  };
}

/** Removes line breaks, other control characters and bidirectional controls. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, " ").trim();
}

/** Plans have the same names in every language. */
function planName(plan: string, { unspecified }: { unspecified: string }): string {
  return plan === "unspecified" ? unspecified : plan[0]!.toUpperCase() + plan.slice(1);
}
