/** @module How the languages of the site write numbers, quantities, days and each other's names. */

import type { Locale } from "./page_path.ts";

/** What is counted: a unit of time. */
export type Unit = "second" | "minute" | "hour" | "day";

/** Of English, the British: its days are written "21 November 2026". */
const TAGS: Readonly<Record<Locale, string>> = { en: "en-GB", de: "de-DE" };

/** Made once: a form that is given back has ten numbers. */
const NUMBERS: Readonly<Record<Locale, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat(TAGS.en),
  de: new Intl.NumberFormat(TAGS.de),
};

/** A number, to three decimals: 2000.5 is "2,000.5" or "2.000,5". */
export function numberText(value: number, locale: Locale): string {
  return NUMBERS[locale].format(value);
}

/** A number and its unit: "1 minute", "10 Minuten". */
export function quantityText(value: number, unit: Unit, locale: Locale): string {
  return value.toLocaleString(TAGS[locale], { style: "unit", unit, unitDisplay: "long" });
}

/** A day, given as `YYYY-MM-DD`: "21 November 2026", "21. November 2026". */
export function dayText(date: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(TAGS[locale], { dateStyle: "long", timeZone: "UTC" });
  return format.format(new Date(`${date}T00:00:00Z`));
}

/** What a language calls a language: German is "German" or "Deutsch". */
export function languageName(language: Locale, locale: Locale): string {
  return new Intl.DisplayNames(TAGS[locale], { type: "language" }).of(language) ?? language;
}
