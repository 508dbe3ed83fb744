/** @module The service's database as a check reads it, where there is one. Makes none, and writes nothing. */

import { isFile, isRemote } from "../../config/kv_path.ts";
import { type KvAccess, KvGuard } from "../../leads/kv/guard.ts";
import type { Environment } from "./check.ts";
import { exists } from "./probe_file.ts";

/**
 * What `read` makes of the database; undefined if there is none yet, or none that lasts.
 *
 * @throws whatever opening or reading throws
 */
export async function fromDatabase<T>(
  { config: { kvPath }, openKv, clock }: Environment,
  read: (kv: KvGuard) => Promise<T>,
): Promise<T | undefined> {
  if (!isRemote(kvPath) && !(isFile(kvPath) && await exists(kvPath))) return undefined;
  const opened: KvAccess[] = [];
  try {
    return await read(
      new KvGuard(async () => {
        const one = await openKv(kvPath);
        opened.push(one);
        return one;
      }, clock),
    );
  } finally {
    for (const one of opened) one.close?.();
  }
}
