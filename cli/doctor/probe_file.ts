/** @module A database file that may be written to without leaving a trace. */

import { dirname } from "node:path";
import { isFile } from "../../config/kv_path.ts";

/** What to open in place of a KV path, and how to remove what opening it has made. */
export interface ProbeFile {
  readonly path: string | undefined;
  clear(): Promise<void>;
}

/**
 * The path itself where there is something to open. For a file that does not exist yet, another one in
 * the same folder, which is made as the service would make it.
 *
 * @throws {Error} where the folder cannot be read or made
 */
export async function probeFile(kvPath: string | undefined): Promise<ProbeFile> {
  if (!isFile(kvPath) || await exists(kvPath)) {
    return { path: kvPath, clear: () => Promise.resolve() };
  }
  const made: string[] = [];
  for (let folder = dirname(kvPath); !await exists(folder); folder = dirname(folder)) {
    made.push(folder);
  }
  for (const folder of made.toReversed()) await Deno.mkdir(folder);
  const path = `${kvPath}.doctor-${crypto.randomUUID()}`;
  return {
    path,
    async clear() {
      for (const suffix of ["", "-wal", "-shm"]) await remove(`${path}${suffix}`);
      // One that is no longer empty is somebody's.
      for (const folder of made) await remove(folder);
    },
  };
}

/** What may not be looked at is taken to be there: trying it tells. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    if (error instanceof Deno.errors.NotCapable) return true;
    throw error;
  }
}

async function remove(path: string): Promise<void> {
  await Deno.remove(path).catch(() => {});
}
