/** @module Which targets leads wait for, configured or not. Reads one entry a target, changes nothing. */

import type { KvGuard } from "./guard.ts";
import { keys } from "./keys.ts";

/** The ids of the targets that have a queue: looks at the first job of each, and skips the rest. */
export async function queuedTargets(guard: KvGuard): Promise<string[]> {
  const found: string[] = [];
  const prefix = keys.queues();
  let start: Deno.KvKey | undefined;
  for (;;) {
    const range = start === undefined ? { prefix } : { prefix, start };
    const [job] = await guard.read((kv) => Array.fromAsync(kv.list(range, { limit: 1 })));
    if (job === undefined) return found;
    const target = String(job.key[prefix.length]);
    found.push(target);
    // Behind all jobs of this target and before those of the next.
    start = keys.queue(`${target}\0`);
  }
}
