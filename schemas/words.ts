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

/** What a language lacks, each as `FILE:LINE: what is wrong`. */
export const WORD_PROBLEMS: string[] = [];

const FOLDER = `${import.meta.dirname!.slice(0, -"schemas".length)}static/words/`;

const OWN: ReadonlyMap<Locale, Own> = new Map(LOCALES.map((locale) => [locale, read(locale)]));

/** Where a language lacks a text, that of the default language or of English, so that no page fails. */
const WORDS: ReadonlyMap<Locale, Words> = (() => {
  const fallback = completed(OWN.get(DEFAULT_LOCALE), en) as Words;
  return new Map(LOCALES.map((locale) => [locale, completed(OWN.get(locale), fallback) as Words]));
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
  const file = `static/words/${locale}.json`;
  const report = (line: number | string, state: string) =>
    WORD_PROBLEMS.push(`${file}:${line}: ${state}; pages show the texts of another language`);
  let source = "";
  try {
    source = Deno.readTextFileSync(`${FOLDER}${locale}.json`);
    const own = JSON.parse(source);
    for (const path of missing(own, en)) {
      report(lineOf(source, path.slice(0, -1)), `the text \`${path.join(".")}\` is missing`);
    }
    return own;
  } catch (error) {
    const isJson = error instanceof SyntaxError;
    const line = isJson ? /\(line (\d+) /.exec(error.message)?.[1] ?? lineOf(source, []) : 1;
    report(line, isJson ? `no JSON: ${error.message}` : "the file is missing or cannot be read");
    return {};
  }
}

function isMissing(own: unknown, other: unknown): boolean {
  return own === null || own === "" || typeof own !== typeof other;
}

/** The paths of the texts that `own` lacks. */
function missing(own: unknown, other: unknown, path: readonly string[] = []): string[][] {
  if (isMissing(own, other)) return [[...path]];
  if (typeof other !== "object" || other === null) return [];
  return Object.entries(other).flatMap(([name, value]) =>
    missing((own as Record<string, unknown>)[name], value, [...path, name])
  );
}

/** The line where the last of these members begins, each of which is in the one before. */
function lineOf(source: string, members: readonly string[]): number {
  const at = members.reduce((from, name, depth) => {
    const next = source.indexOf(`\n${"  ".repeat(depth + 1)}${JSON.stringify(name)}:`, from);
    return next === -1 ? from : next + 1;
  }, 0);
  return source.slice(0, at).split("\n").length;
}

function completed(own: unknown, other: unknown): unknown {
  if (isMissing(own, other)) return other;
  if (typeof own !== "object" || typeof other !== "object" || other === null) return own;
  const members = Object.entries(other).map(([name, value]) => [
    name,
    completed((own as Record<string, unknown>)[name], value),
  ]);
  return Object.assign(Array.isArray(own) ? [...own] : { ...own }, Object.fromEntries(members));
}

/** Replaces each `{name}` for which there is a value. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
