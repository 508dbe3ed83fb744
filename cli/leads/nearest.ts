/** @module The known word nearest to a mistyped one. */

/** More than a third of the letters wrong is another word. */
const MOST_WRONG = 1 / 3;

/** The nearest of `known`; a beginning counts as near. Undefined if none is near. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const begun = known.filter((word) => typed !== "" && word.startsWith(typed));
  if (begun.length === 1) return begun[0];
  const [best] = known
    .map((word) => ({ word, steps: distance(typed, word) }))
    .filter(({ word, steps }) => steps <= Math.ceil(word.length * MOST_WRONG))
    .sort((a, b) => a.steps - b.steps);
  return best?.word;
}

/** `; did you mean X?`, or nothing. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const word = nearest(typed, known);
  return word === undefined ? "" : `; did you mean ${word}?`;
}

/** Optimal string alignment: letters inserted, left out, replaced, or swapped with the next. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      }
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
