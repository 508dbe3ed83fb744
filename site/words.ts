/** @module The site's texts beside its pages; {@link fill} or a script replaces `{name}`. */

import type { Locale } from "./page_path.ts";
import de from "./words/de.json" with { type: "json" };
import en from "./words/en.json" with { type: "json" };

/** The texts of one language, by the part of the site that uses them. */
export type Words = typeof en;

const { description = {}, ...german } = de;

/** The texts that a language lacks, each as `FILE:LINE: what is wrong`. */
export const WORD_FAULTS: string[] = [];

/** Where a language lacks a text, that of the other one, so that no page fails for it. */
export const WORDS: Readonly<Record<Locale, Words>> = {
  en: completed("en", en, german),
  de: completed("de", german, en),
};

/** Translations of the OpenAPI document's English descriptions; some may be missing. */
export const DESCRIPTIONS: Readonly<
  Record<Exclude<Locale, "en">, Readonly<Record<string, string>>>
> = { de: description };

function completed<T>(locale: Locale, own: T, other: T): T {
  function complete(own: unknown, other: unknown, path: string): unknown {
    if (own === undefined || own === null || own === "") {
      const state = `the text \`${path}\` is missing; pages show that of another language`;
      WORD_FAULTS.push(`site/words/${locale}.json:1: ${state}`);
      return other;
    }
    if (typeof own !== "object" || typeof other !== "object" || other === null) return own;
    const members = Object.entries(other).map(([name, value]) => {
      const member = (own as Record<string, unknown>)[name];
      return [name, complete(member, value, path === "" ? name : `${path}.${name}`)];
    });
    return Object.assign(Array.isArray(own) ? [...own] : { ...own }, Object.fromEntries(members));
  }
  return complete(own, other, "") as T;
}

/** Replaces each `{name}` for which there is a value. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
