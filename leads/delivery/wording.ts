/** @module Formats a lead for people, in its language, as plain text that each target escapes. */

import { hasLines, namesIn } from "../../schemas/lead_fields.ts";
import { labelOf, valueText } from "../../schemas/lead_words.ts";
import { wordsOf } from "../../schemas/words.ts";
import { isTestLead, type LeadRecord } from "../lead.ts";

type Labelled = readonly (readonly [label: string, value: string])[];

/** A lead for people; title, labels and the values of rows are one line each. */
export interface Wording {
  readonly title: string;
  readonly rows: Labelled;
  /** Values of several lines. */
  readonly texts: Labelled;
  readonly replyNote: string;
}

export function wordingOf({ id, receivedAt, lead }: LeadRecord): Wording {
  const { locale } = lead;
  const { tag, mail: words } = wordsOf(locale);
  const values: Readonly<Record<string, string | undefined>> = lead;
  const all = namesIn(values).map((name) => ({
    label: labelOf(name, locale),
    value: valueText(name, values[name] ?? "", locale),
    isText: hasLines(name),
  })).filter(({ value }) => value !== "");
  const rows = all.filter(({ isText }) => !isText)
    .map(({ label, value }) => [label, oneLine(value)] as const)
    .filter(([, value]) => value !== "");
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  const received = new Date(receivedAt).toLocaleString(tag, format);
  const sender = oneLine(values["company"] ?? "") || oneLine(lead.email);
  return {
    title: `${isTestLead(lead) ? words.test : words.title} ${words.from} ${sender}`,
    rows: [...rows, [words.received, `${received} UTC`], [words.id, id]],
    texts: all.filter(({ isText }) => isText).map(({ label, value }) => [label, value]),
    replyNote: words.replyNote,
  };
}

/** Removes line breaks, other control characters and bidirectional controls. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, " ").trim();
}
