/**
 * @module Finds what belongs to a path, by the exact path.
 *
 * Not by a `Map` of strings: V8 keeps a copy of each string that such a map is asked for until its old
 * space is collected, and visitors may invent as many paths as they like.
 */

/** From a path to what belongs to it, undefined where nothing does. */
export type PathTable<T> = (path: string) => T | undefined;

/** Makes a table. Paths of one length lie together: a few, which differ in their first letters. */
export function pathTable<T>(entries: Iterable<readonly [path: string, value: T]>): PathTable<T> {
  const byLength = Map.groupBy(entries, ([path]) => path.length);
  return (path) => {
    for (const [known, value] of byLength.get(path.length) ?? NONE) {
      if (known === path) return value;
    }
  };
}

const NONE: readonly never[] = [];
