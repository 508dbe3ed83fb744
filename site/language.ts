/** @module Formats numbers, quantities, dates and language names for each language of the site. */

import type { Locale } from "../schemas/site_data.ts";
import { wordsOf } from "../schemas/words.ts";

/** Open Graph requires a territory and an underscore. */
export function openGraphLocale(locale: Locale): string {
  return wordsOf(locale).tag.replace("-", "_");
}

/** Formats a number with up to three decimals: "2,000.5", "2.000,5". */
export function numberText(value: number, locale: Locale): string {
  return value.toLocaleString(wordsOf(locale).tag);
}

/** Formats a number with its unit: "1 minute", "10 Minuten". */
export function quantityText(value: number, unit: string, locale: Locale): string {
  return value.toLocaleString(wordsOf(locale).tag, { style: "unit", unit, unitDisplay: "long" });
}

/** Formats a `YYYY-MM-DD` date: "21 November 2026", "21. November 2026". */
export function dayText(date: string, locale: Locale): string {
  return new Date(date).toLocaleDateString(wordsOf(locale).tag, {
    dateStyle: "long",
    timeZone: "UTC",
  });
}

/** The name of a language in another: German is "German" or "Deutsch". */
export function languageName(language: Locale, locale: Locale): string {
  return new Intl.DisplayNames(wordsOf(locale).tag, { type: "language" }).of(language) ?? language;
}
