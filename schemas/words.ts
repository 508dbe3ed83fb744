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

/** Where a language lacks a text, that of the default language or of English, so that no page fails. */
const WORDS = new Map<Locale, Own & Words>();
for (const locale of LOCALES) {
  const { description: _, ...fallback } = WORDS.get(DEFAULT_LOCALE) ?? en as Own & Words;
  WORDS.set(locale, read(locale, fallback));
}

/** The texts of a language. */
export function wordsOf(locale: Locale): Words {
  return WORDS.get(locale) ?? en;
}

/** Translations of the OpenAPI document's English descriptions; some may be missing. */
export function translationsOf(locale: Locale): Readonly<Record<string, string>> {
  return WORDS.get(locale)?.description ?? {};
}

function read(locale: Locale, fallback: Words): Own & Words {
  const file = `static/words/${locale}.json`;
  const report = (line: number | string, state: string) =>
    WORD_PROBLEMS.push(`${file}:${line}: ${state}; pages show the texts of another language`);
  let source = "";
  try {
    source = Deno.readTextFileSync(`${FOLDER}${locale}.json`);
    const [words, missing] = [JSON.parse(source), [] as string[][]];
    const all = completed(words, fallback, { path: [], missing }) as Words;
    for (const path of missing) {
      report(lineOf(source, path.slice(0, -1)), `the text \`${path.join(".")}\` is missing`);
    }
    return all;
  } catch (error) {
    const isJson = error instanceof SyntaxError;
    const line = isJson ? /\(line (\d+) /.exec(error.message)?.[1] ?? lineOf(source, []) : 1;
    report(line, isJson ? `no JSON: ${error.message}` : "the file is missing or cannot be read");
    return fallback;
  }
}

/** The line where the last of these members begins, each of which is in the one before. */
function lineOf(source: string, members: readonly string[]): number {
  const at = members.reduce((from, name, depth) => {
    const next = source.indexOf(`\n${"  ".repeat(depth + 1)}${JSON.stringify(name)}:`, from);
    return next === -1 ? from : next + 1;
  }, 0);
  return source.slice(0, at).split("\n").length;
}

/** The texts, with those of `other` that they lack, whose paths are added to `missing`. */
function completed(
  own: unknown,
  other: unknown,
  { path, missing }: { readonly path: readonly string[]; readonly missing: string[][] },
): unknown {
  if (own === null || own === "" || typeof own !== typeof other) {
    missing.push([...path]);
    return other;
  }
  if (typeof other !== "object" || other === null) return own;
  const members = Object.entries(other).map(([name, value]) => [
    name,
    completed((own as Record<string, unknown>)[name], value, { path: [...path, name], missing }),
  ]);
  return Object.assign(Array.isArray(own) ? [...own] : { ...own }, Object.fromEntries(members));
}

/** Replaces each `{name}` for which there is a value. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
