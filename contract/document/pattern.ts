/** @module The patterns of schemas as regular expressions. */

/** Notations of other dialects that have an exact equivalent. */
const TRANSLATIONS: readonly (readonly [from: RegExp, to: string])[] = [
  [/(?<!\\)((?:\\\\)*)\\A/g, "$1^"], // Python, Ruby, PCRE
  [/(?<!\\)((?:\\\\)*)\\[Zz]/g, "$1$$"],
  [/\(\?P(?=<\w)/g, "(?"], // Python, Go
  [/\(\?P=(\w+)\)/g, "\\k<$1>"],
];

/**
 * Returns the regular expression of a pattern: ECMA-262 with Unicode (JSON Schema 2020-12 Core §6.4),
 * otherwise translated from another dialect or without Unicode; undefined if it is none of these.
 */
export function patternOf(text: string): RegExp | undefined {
  const [, flags = "", body = text] = /^\(\?([ims]+)\)([^]*)$/.exec(text) ?? [];
  const translated = TRANSLATIONS.reduce((source, [from, to]) => source.replace(from, to), body);
  const tries = flags === "" ? [[text, "u"]] : [];
  for (const [source, flag] of [...tries, [translated, `u${flags}`], [translated, flags]]) {
    try {
      return new RegExp(source!, flag);
    } catch {
      // The next reading may be valid.
    }
  }
  return undefined;
}
