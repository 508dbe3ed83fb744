/**
 * @module Finds what belongs to a path, by the exact path.
 *
 * Not by a `Map` of strings: V8 keeps a copy of each string that such a map is asked for until its old
 * space is collected, and visitors may invent as many paths as they like.
 */

/** From a path to what belongs to it, undefined where nothing does. */
export type PathTable<T> = (path: string) => T | undefined;

/** Makes a table: a map from hash to the paths that have it, which is nearly always one. */
export function pathTable<T>(entries: Iterable<readonly [path: string, value: T]>): PathTable<T> {
  const byHash = Map.groupBy(entries, ([path]) => hashOf(path));
  return (path) => byHash.get(hashOf(path))?.find(([known]) => known === path)?.[1];
}

/** By all letters. Nobody can bring about that two paths of the site have the same. */
function hashOf(path: string): number {
  let hash = 0;
  for (let at = 0; at < path.length; at++) hash = (Math.imul(hash, 31) + path.charCodeAt(at)) | 0;
  return hash;
}
