/** @module JSON as the harness reads it: values of any shape, and JSON Pointers (RFC 6901). */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function arrayOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function at(value: unknown, pointer: string): unknown {
  return namesOf(pointer).reduce(memberOf, value);
}

/** The value at a fragment of a URI without its `#` (§6), or undefined. */
export function follow(root: unknown, fragment: string): unknown {
  const [, ...parts] = fragment.split("/");
  return parts.map((part) => unescaped(decoded(part))).reduce(memberOf, root);
}

export function namesOf(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescaped);
}

export function pointer(...names: readonly string[]): string {
  return names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function memberOf(value: unknown, name: string): unknown {
  const isParent = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isParent ? (value as Record<string, unknown>)[name] : undefined;
}

function unescaped(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
