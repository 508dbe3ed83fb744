/**
 * @module The texts of the site and of its mails beside the pages: `static/words`, a file a language;
 * {@link fill} or a script replaces `{name}`.
 */

import en from "../static/words/en.json" with { type: "json" };
import { DEFAULT_LOCALE, type Locale, LOCALES } from "./site_data.ts";

/** The texts of one language, by the part of the site that uses them. */
export type Words = typeof en;

type Own = Partial<Words> & {
  /** Translations of the OpenAPI document's English descriptions. */
  readonly description?: Readonly<Record<string, string>>;
};

/** The texts that a language lacks, each as `FILE:LINE: what is wrong`. */
export const WORD_PROBLEMS: string[] = [];

const FOLDER = `${import.meta.dirname!.slice(0, -"schemas".length)}static/words/`;

/** The files as they are written, to name lines of them. */
const TEXTS = new Map<Locale, string>();

const OWN: ReadonlyMap<Locale, Own> = new Map(LOCALES.map((locale) => [locale, read(locale)]));

/** Where a language lacks a text, that of the default language or of English, so that no page fails. */
const WORDS: ReadonlyMap<Locale, Words> = (() => {
  const fallback = completed("en", OWN.get(DEFAULT_LOCALE), en);
  return new Map(LOCALES.map((locale) => [locale, completed(locale, OWN.get(locale), fallback)]));
})();

/** The texts of a language. */
export function wordsOf(locale: Locale): Words {
  return WORDS.get(locale) ?? en;
}

/** Translations of the OpenAPI document's English descriptions; some may be missing. */
export function translationsOf(locale: Locale): Readonly<Record<string, string>> {
  return OWN.get(locale)?.description ?? {};
}

function read(locale: Locale): Own {
  if (locale === "en") return en;
  const file = `static/words/${locale}.json`;
  try {
    TEXTS.set(locale, Deno.readTextFileSync(`${FOLDER}${locale}.json`));
    return JSON.parse(TEXTS.get(locale)!);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "the file cannot be read";
    WORD_PROBLEMS.push(`${file}:1: ${reason}; pages show the texts of another language`);
    return {};
  }
}

function completed(locale: Locale, own: unknown, other: Words): Words {
  function complete(own: unknown, other: unknown, path: string): unknown {
    if (own === undefined || own === null || own === "") {
      const state = `the text \`${path}\` is missing; pages show that of another language`;
      WORD_PROBLEMS.push(`static/words/${locale}.json:${lineOf(locale, path)}: ${state}`);
      return other;
    }
    if (typeof own !== "object" || typeof other !== "object" || other === null) return own;
    const members = Object.entries(other).map(([name, value]) => {
      const member = (own as Record<string, unknown>)[name];
      return [name, complete(member, value, path === "" ? name : `${path}.${name}`)];
    });
    return Object.assign(Array.isArray(own) ? [...own] : { ...own }, Object.fromEntries(members));
  }
  return complete(own ?? {}, other, "") as Words;
}

/** The line of the object that a text is missing in, if the file is as `deno fmt` writes it. */
function lineOf(locale: Locale, path: string): number {
  const text = TEXTS.get(locale) ?? "";
  let at = 0;
  for (const [depth, name] of path.split(".").entries()) {
    const next = text.indexOf(`\n${"  ".repeat(depth + 1)}${JSON.stringify(name)}:`, at);
    if (next === -1) break;
    at = next + 1;
  }
  return text.slice(0, at).split("\n").length;
}

/** Replaces each `{name}` for which there is a value. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
