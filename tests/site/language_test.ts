/** @module Numbers, quantities, days and languages, as each language of the site writes them. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { dayText, languageName, numberText, quantityText } from "../../site/language.ts";
import { LOCALES } from "../../site/page_path.ts";

Deno.test("each language writes numbers, quantities, days and languages in its own way", () => {
  const texts = LOCALES.map((locale) => [
    ...[0, 999, 2000, 1_234_567.891].map((number) => numberText(number, locale)),
    quantityText(1, "second", locale),
    quantityText(90, "second", locale),
    quantityText(1, "minute", locale),
    quantityText(1.5, "hour", locale),
    quantityText(3650, "day", locale),
    dayText("2026-11-01", locale),
    dayText("2028-02-29", locale),
    ...LOCALES.map((other) => languageName(other, locale)),
  ]);
  deepEqual(texts, [
    [
      ...["0", "999", "2,000", "1,234,567.891"],
      ...["1 second", "90 seconds", "1 minute", "1.5 hours", "3,650 days"],
      ...["1 November 2026", "29 February 2028", "English", "German"],
    ],
    [
      ...["0", "999", "2.000", "1.234.567,891"],
      ...["1 Sekunde", "90 Sekunden", "1 Minute", "1,5 Stunden", "3.650 Tage"],
      ...["1. November 2026", "29. Februar 2028", "Englisch", "Deutsch"],
    ],
  ]);
});
