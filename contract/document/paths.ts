/** @module Finds what a document says about a concrete path. */

/**
 * Returns a function from a concrete path to the items whose templates match it: concrete paths before
 * templated ones (OpenAPI 3.1 §4.8.8.2), a literal segment before a partly or wholly templated one.
 */
export function indexPaths<T extends { readonly path: string }>(
  items: readonly T[],
): (path: string) => T[] {
  const templates = [...Map.groupBy(items, ({ path }) => path.split(/[?#]/, 1)[0]!)]
    .map(([path, members]) => ({ members, pattern: patternOf(path), rank: rankOf(path) }))
    .sort((a, b) => a.rank.localeCompare(b.rank));
  return (path) =>
    templates.filter(({ pattern }) => pattern.test(path)).flatMap(({ members }) => members);
}

/** One digit for each segment. */
function rankOf(path: string): string {
  return path.split("/")
    .map((part) => /^\{[^{}]*\}$/.test(part) ? 2 : /\{[^{}]*\}/.test(part) ? 1 : 0).join("");
}

function patternOf(path: string): RegExp {
  const literals = escaped(path).split(/(?:\{[^{}/]*\})+/)
    .map((part) => part.replace(/[.*+?^$()[\]\\|{}]/g, "\\$&"));
  return new RegExp(`^${literals.join("[^/]+")}$`);
}

/** As clients send it: what a URI cannot have is escaped (RFC 3986 §2.1). */
function escaped(path: string): string {
  return path.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent);
}
