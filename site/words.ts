/** @module The site's texts beside its pages; {@link fill} or a script replaces `{name}`. */

import type { Locale } from "./page_path.ts";
import de from "./words/de.json" with { type: "json" };
import en from "./words/en.json" with { type: "json" };

/** The texts of one language, by the part of the site that uses them. */
export type Words = typeof en;

export const WORDS: Readonly<Record<Locale, Words>> = { en, de };

/** Translations of the OpenAPI document's English descriptions. */
export const DESCRIPTIONS: Readonly<
  Record<Exclude<Locale, "en">, Readonly<Record<string, string>>>
> = { de: de.description };

/** Replaces each `{name}` for which there is a value. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
