/** @module Numbers, quantities, days and languages, as each language of the site writes them. */

import assert from "node:assert/strict";
import { dayText, languageName, numberText, quantityText } from "../../site/language.ts";
import { LOCALES } from "../../site/page_path.ts";

Deno.test("numbers are grouped, and have a point or a comma", () => {
  const numbers = [0, 999, 2000, 1_234_567.891];
  const texts = LOCALES.map((locale) => numbers.map((number) => numberText(number, locale)));
  assert.deepEqual(texts, [
    ["0", "999", "2,000", "1,234,567.891"],
    ["0", "999", "2.000", "1.234.567,891"],
  ]);
});

Deno.test("a quantity names its unit, one or many", () => {
  const texts = LOCALES.map((locale) => [
    quantityText(1, "second", locale),
    quantityText(90, "second", locale),
    quantityText(1, "minute", locale),
    quantityText(1.5, "hour", locale),
    quantityText(3650, "day", locale),
  ]);
  assert.deepEqual(texts, [
    ["1 second", "90 seconds", "1 minute", "1.5 hours", "3,650 days"],
    ["1 Sekunde", "90 Sekunden", "1 Minute", "1,5 Stunden", "3.650 Tage"],
  ]);
});

Deno.test("a day is that day, wherever the machine is", () => {
  const texts = LOCALES.map((locale) => [
    dayText("2026-11-01", locale),
    dayText("2028-02-29", locale),
  ]);
  assert.deepEqual(texts, [
    ["1 November 2026", "29 February 2028"],
    ["1. November 2026", "29. Februar 2028"],
  ]);
});

Deno.test("languages have their names in each other", () => {
  const texts = LOCALES.map((locale) => LOCALES.map((other) => languageName(other, locale)));
  assert.deepEqual(texts, [["English", "German"], ["Englisch", "Deutsch"]]);
});
