/** @module Formats numbers, quantities, dates and language names for each language of the site. */

import type { Locale } from "./page_path.ts";

/** British English, which writes dates as "21 November 2026". */
const TAGS: Readonly<Record<Locale, string>> = { en: "en-GB", de: "de-DE" };

/** Open Graph requires a territory and an underscore. */
export function openGraphLocale(locale: Locale): string {
  return TAGS[locale].replace("-", "_");
}

/** Formats a number with up to three decimals: "2,000.5", "2.000,5". */
export function numberText(value: number, locale: Locale): string {
  return value.toLocaleString(TAGS[locale]);
}

/** Formats a number with its unit: "1 minute", "10 Minuten". */
export function quantityText(value: number, unit: string, locale: Locale): string {
  return value.toLocaleString(TAGS[locale], { style: "unit", unit, unitDisplay: "long" });
}

/** Formats a `YYYY-MM-DD` date: "21 November 2026", "21. November 2026". */
export function dayText(date: string, locale: Locale): string {
  return new Date(date).toLocaleDateString(TAGS[locale], { dateStyle: "long", timeZone: "UTC" });
}

/** The name of a language in another: German is "German" or "Deutsch". */
export function languageName(language: Locale, locale: Locale): string {
  return new Intl.DisplayNames(TAGS[locale], { type: "language" }).of(language) ?? language;
}
