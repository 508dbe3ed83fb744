/** @module Numbers, quantities, days and languages: what `Intl` writes, without `Intl`. */

import assert from "node:assert/strict";
import { dayText, languageName, numberText, quantityText, type Unit } from "../../site/language.ts";
import { LOCALES } from "../../site/page_path.ts";

const DAY_MS = 86_400_000;
const NUMBERS = [
  ...Array.from({ length: 1_200 }, (_, n) => n),
  ...[1_999, 9_999, 10_000, 527_040, 999_999, 1_000_000, 31_622_400],
  ...[0.001, 0.5, 1.001, 1.5, 2.25, 1_000.5, 12_345.678],
];

for (const locale of LOCALES) {
  Deno.test(`numbers are written in ${locale} as Intl writes them`, () => {
    const intl = new Intl.NumberFormat(locale);
    for (const number of NUMBERS) {
      assert.equal(numberText(number, locale), intl.format(number));
    }
  });

  for (const unit of ["second", "minute", "hour", "day"] satisfies Unit[]) {
    Deno.test(`a number of ${unit}s is written in ${locale} as Intl writes it`, () => {
      const intl = new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
      for (const number of NUMBERS) {
        assert.equal(quantityText(number, unit, locale), intl.format(number));
      }
    });
  }

  Deno.test(`every day of two years is written in ${locale} as Intl writes it`, () => {
    const tag = { en: "en-GB", de: "de-DE" }[locale];
    const intl = new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone: "UTC" });
    const first = Date.UTC(2027, 0, 1); // the second is a leap year
    for (let at = first; at < first + 731 * DAY_MS; at += DAY_MS) {
      const day = new Date(at);
      assert.equal(dayText(day.toISOString().slice(0, 10), locale), intl.format(day));
    }
  });

  Deno.test(`languages are called in ${locale} what Intl calls them`, () => {
    const intl = new Intl.DisplayNames(locale, { type: "language" });
    for (const language of LOCALES) assert.equal(languageName(language, locale), intl.of(language));
  });
}
