/**
 * @module The words of the site beside its pages, a catalogue a language in `words/`: the frame of a
 * page, notices, the contact form, facts, llms.txt, the API reference.
 *
 * `{name}` is a place that {@link fill}, or the script of the form, puts a value in.
 */

import type { Locale } from "./page_path.ts";
import de from "./words/de.json" with { type: "json" };
import en from "./words/en.json" with { type: "json" };

/** What one language says, by the part of the site that says it. */
export type Words = typeof en;

/** The words of every language. */
export const WORDS: Readonly<Record<Locale, Words>> = { en, de };

/** The OpenAPI document's texts, which are English, in the other languages. */
export const DESCRIPTIONS: Readonly<
  Record<Exclude<Locale, "en">, Readonly<Record<string, string>>>
> = { de: de.description };

/** Puts values into the places of a text; a place without a value stays as it is. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
