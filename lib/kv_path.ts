/** @module Kinds of KV_PATH: a file, memory, another machine's KV or the platform's own. */

/** Whether KV is another machine's: a KV Connect URL, or (undefined) the platform's own. */
export function isRemote(kvPath: string | undefined): boolean {
  return kvPath === undefined || /^https?:\/\//.test(kvPath);
}

/** Whether KV is a file of this machine. */
export function isFile(kvPath: string | undefined): kvPath is string {
  return !isRemote(kvPath) && kvPath !== ":memory:";
}

/** KV's location for messages; of a KV Connect URL, which may hold credentials, the origin only. */
export function kvPlace({ kvPath }: { readonly kvPath: string | undefined }): string {
  if (kvPath === undefined) return "the platform's KV";
  return isRemote(kvPath) ? URL.parse(kvPath)?.origin ?? "a KV Connect URL" : kvPath;
}
