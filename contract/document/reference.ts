/** @module JSON Pointers in URI fragments (RFC 6901 §6), also through arrays. */

/** The value at a fragment without its `#`; undefined if there is none. */
export function follow(root: unknown, fragment: string): unknown {
  return fragment.split("/").slice(1).reduce((at, part) => {
    const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    const isParent = typeof at === "object" && at !== null && Object.hasOwn(at, name);
    return isParent ? (at as Record<string, unknown>)[name] : undefined;
  }, root);
}

/** Names as a JSON Pointer. */
export function pointer(...names: readonly string[]): string {
  return names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
