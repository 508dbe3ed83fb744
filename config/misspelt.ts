/** @module Likely misspellings of variables: one that is set would be ignored, and the leads with it. */

/** The start looks for misspellings among the variables that begin so, and may read all of these. */
export const PREFIXES: readonly string[] = ["LEAD", "SITE_", "TRUSTED_"];

/**
 * Likely misspellings, each with the variable that is meant: a letter missing, two swapped; words in the
 * singular or plural, two swapped, one missing.
 */
export function misspellingsOf(variables: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const variable of variables) {
    const prefix = PREFIXES.find((prefix) => variable.startsWith(prefix));
    if (prefix === undefined) continue;
    const [first = "", ...rest] = variable.split("_");
    let names = prefix === first ? [first, `${first}S`] : [first];
    for (const word of rest) {
      const other = word.endsWith("S") ? word.slice(0, -1) : `${word}S`;
      names = names.flatMap((name) => [`${name}_${word}`, `${name}_${other}`]);
    }
    names.push([first, ...rest.toReversed()].join("_"), `${first}_${rest.at(-1)}`);
    for (let at = prefix.length; at < variable.length; at++) {
      const before = variable.slice(0, at);
      const [letter, next = "", after] = [variable[at], variable[at + 1], variable.slice(at + 2)];
      names.push(before + next + after, before + next + letter + after);
    }
    for (const name of new Set(names)) {
      const other = found.get(name); // LEAD_LIMIT may mean either limit
      found.set(name, other === undefined ? variable : `${other} or ${variable}`);
    }
  }
  for (const variable of variables) found.delete(variable);
  return found;
}
