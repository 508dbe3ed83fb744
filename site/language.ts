/**
 * @module Formats numbers, times, days and language names for each language of the site. The first use of
 * `Intl` takes 11 ms: what most pages have is in `static/words`.
 */

import type { Locale } from "../schemas/site_data.ts";
import { fill, type Words, wordsOf } from "../schemas/words.ts";

/** Open Graph requires a territory and an underscore. */
export function openGraphLocale(locale: Locale): string {
  return wordsOf(locale).tag.replace("-", "_");
}

/** Formats a number with up to three decimals: "2,000.5", "2.000,5". */
export function numberText(value: number, locale: Locale): string {
  return value.toLocaleString(wordsOf(locale).tag);
}

/** Formats a time: "1 minute", "10 Minuten". */
export function timeText(value: number, unit: keyof Words["times"], locale: Locale): string {
  const number = Number.isInteger(value) && value < 1_000 ? value : numberText(value, locale);
  return `${number} ${wordsOf(locale).times[unit][value === 1 ? 0 : 1]}`;
}

/** Formats a `YYYY-MM-DD` date: "21 November 2026", "21. November 2026". */
export function dayText(date: string, locale: Locale): string {
  const { form, months } = wordsOf(locale).date;
  const [year = "", month, day] = date.split("-");
  return fill(form, { year, month: months[Number(month) - 1]!, day: String(Number(day)) });
}

/** The name of a language in another: German is "German" or "Deutsch". */
export function languageName(language: Locale, locale: Locale): string {
  return new Intl.DisplayNames(wordsOf(locale).tag, { type: "language" }).of(language) ?? language;
}
