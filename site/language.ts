/**
 * @module How the languages of the site write numbers, quantities, days and each other's names.
 *
 * In tables of our own: `Intl` gives the same (its test says so), but the first use of it brings
 * megabytes of the world's languages into memory, for which somebody waits.
 */

import type { Locale } from "./page_path.ts";

/** What is counted: a unit of time. */
export type Unit = "second" | "minute" | "hour" | "day";

interface Writing {
  /** Between groups of three digits, and before the decimals. */
  readonly marks: { readonly group: string; readonly decimal: string };
  /** For exactly one, and for any other number. */
  readonly units: Readonly<Record<Unit, readonly [one: string, other: string]>>;
  readonly months: readonly string[];
  /** What stands between a day and its month. */
  readonly ofMonth: string;
  readonly languages: Readonly<Record<Locale, string>>;
}

const WRITING: Readonly<Record<Locale, Writing>> = {
  en: {
    marks: { group: ",", decimal: "." },
    units: {
      second: ["second", "seconds"],
      minute: ["minute", "minutes"],
      hour: ["hour", "hours"],
      day: ["day", "days"],
    },
    months: "January February March April May June July August September October November December"
      .split(" "),
    ofMonth: " ",
    languages: { en: "English", de: "German" },
  },
  de: {
    marks: { group: ".", decimal: "," },
    units: {
      second: ["Sekunde", "Sekunden"],
      minute: ["Minute", "Minuten"],
      hour: ["Stunde", "Stunden"],
      day: ["Tag", "Tage"],
    },
    months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
      .split(" "),
    ofMonth: ". ",
    languages: { en: "Englisch", de: "Deutsch" },
  },
};

/** A number that is not negative, to three decimals: 2000.5 is "2,000.5" or "2.000,5". */
export function numberText(value: number, locale: Locale): string {
  const { group, decimal } = WRITING[locale].marks;
  const [whole = "", decimals] = String(Math.round(value * 1_000) / 1_000).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  return decimals === undefined ? grouped : grouped + decimal + decimals;
}

/** A number and its unit: "1 minute", "10 Minuten". */
export function quantityText(value: number, unit: Unit, locale: Locale): string {
  const [one, other] = WRITING[locale].units[unit];
  return `${numberText(value, locale)} ${value === 1 ? one : other}`;
}

/** A day, given as `YYYY-MM-DD`: "21 November 2026", "21. November 2026". */
export function dayText(date: string, locale: Locale): string {
  const { months, ofMonth } = WRITING[locale];
  const [year, month, day] = date.split("-");
  return `${Number(day)}${ofMonth}${months[Number(month) - 1]} ${year}`;
}

/** What a language calls a language: German is "German" or "Deutsch". */
export function languageName(language: Locale, locale: Locale): string {
  return WRITING[locale].languages[language];
}
