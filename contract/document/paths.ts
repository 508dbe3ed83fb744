/** @module Finds what a document says about a concrete path. */

/**
 * Returns a function from a concrete path to the items whose templates match it: concrete paths before
 * templated ones (OpenAPI 3.1 §4.8.8.2), a literal segment before a partly or wholly templated one.
 */
export function indexPaths<T extends { readonly path: string }>(
  items: readonly T[],
): (path: string) => T[] {
  const templates = [...Map.groupBy(items, ({ path }) => path.split(/[?#]/, 1)[0]!)]
    .map(([path, members]) => ({ path, members, pattern: patternOf(path), rank: rankOf(path) }))
    .toSorted((a, b) => a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0);
  const byLength = Map.groupBy(templates, ({ rank }) => rank.length);
  return (path) =>
    (byLength.get(path.split("/").length) ?? [])
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ members }) => members);
}

/** One digit for each segment. */
function rankOf(path: string): string {
  return path.split("/")
    .map((part) => /^\{[^{}]*\}$/.test(part) ? 2 : /\{[^{}]*\}/.test(part) ? 1 : 0).join("");
}

/** Matches paths as clients send them: what a URI cannot have is escaped (RFC 3986 §2.1). */
function patternOf(path: string): RegExp {
  const literals = path.toWellFormed().split(/(?:\{[^{}/]*\})+/).map((part) =>
    part.replace(/[^!-~]/gu, encodeURIComponent).replace(/[.*+?^$()[\]\\|{}]/g, "\\$&")
  );
  return new RegExp(`^${literals.join("[^/]+")}$`);
}
