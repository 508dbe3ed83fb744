/** @module What people read of a lead's fields, in a language. */

import { mustBeFilled } from "./lead.ts";
import { LEAD_FIELDS, STORED_FIELDS } from "./lead_fields.ts";
import type { Locale } from "./site_data.ts";
import { wordsOf } from "./words.ts";

/** The label of a field; of one that has gone, its name. */
export function labelOf(name: string, locale: Locale): string {
  const labels: Readonly<Record<string, string>> = wordsOf(locale).form.labels;
  return labels[name] ?? name;
}

/** The labels of the fields that a lead can leave out, as a list such as "Message and Plan". */
export function optionalFields(locale: Locale): string {
  const labels = STORED_FIELDS.filter(([name]) => !mustBeFilled(name))
    .map(([name]) => labelOf(name, locale));
  return new Intl.ListFormat(wordsOf(locale).tag).format(labels);
}

/** A value as people read it: a language by its name, a choice by its label or else capitalised. */
export function valueText(name: string, value: string, locale: Locale): string {
  const { tag, form } = wordsOf(locale);
  if (value === "") return value;
  const control = LEAD_FIELDS.find(([known]) => known === name)?.[1].control;
  if (control?.kind === "locale") {
    return new Intl.DisplayNames(tag, { type: "language" }).of(value) ?? value;
  }
  if (control?.kind !== "select") return value;
  const all: Readonly<Record<string, unknown>> = form;
  const labels = (all[control.labels ?? ""] ?? {}) as Readonly<Record<string, string>>;
  return labels[value] ?? value[0]!.toUpperCase() + value.slice(1);
}
