/** @module What KV_PATH names: the platform's own database, a KV Connect URL, a file or memory. */

type KvPath = string | undefined;

export type KvKind = "platform" | "remote" | "file" | "memory";

export function kvKind(kvPath: KvPath): KvKind {
  if (kvPath === undefined) return "platform";
  if (/^https?:\/\//.test(kvPath)) return "remote";
  return kvPath === ":memory:" ? "memory" : "file";
}

export function isNetworked(kvPath: KvPath): boolean {
  return ["platform", "remote"].includes(kvKind(kvPath));
}

/** The path of a database file; undefined: the database is not a file. */
export function kvFile(kvPath: KvPath): KvPath {
  return kvKind(kvPath) === "file" ? kvPath : undefined;
}

/** KV's location for messages; of a KV Connect URL, which may hold credentials, the origin only. */
export function kvPlace(kvPath: KvPath): string {
  if (kvPath === undefined) return "the platform's KV";
  if (kvKind(kvPath) !== "remote") return kvPath;
  return URL.parse(kvPath)?.origin ?? "a KV Connect URL";
}
