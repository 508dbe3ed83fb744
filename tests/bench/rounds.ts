/** @module The order in which things are measured side by side. */

/**
 * Measures all by turns, so many rounds; each round begins with another, so that none always comes
 * first or always after the same.
 *
 * @returns a record a round, with the names of `measures`
 */
export async function inTurn<Name extends string, T>(
  measures: Readonly<Record<Name, () => Promise<T>>>,
  rounds: number,
): Promise<Record<Name, T>[]> {
  const names = Object.keys(measures) as Name[];
  const all: Record<Name, T>[] = [];
  for (let round = 0; round < rounds; round++) {
    const found = {} as Record<Name, T>;
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]!;
      found[name] = await measures[name]();
    }
    all.push(found);
  }
  return all;
}

/** In each round, one to the other. */
export function ratios(
  rounds: readonly Readonly<Record<string, number>>[],
  { of, to }: { readonly of: string; readonly to: string },
): number[] {
  return rounds.map((round) => (round[of] ?? NaN) / (round[to] ?? NaN));
}
