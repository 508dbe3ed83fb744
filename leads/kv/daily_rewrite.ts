/**
 * @module The service's database file is rewritten once a day, by one of the processes that share it: so
 * long may what has expired or was removed still be read in it. `deno task leads` does it at once.
 */

import type { QueueStore } from "../store.ts";
import { keys } from "./keys.ts";
import type { Database } from "./lead_repository.ts";

const DAY_MS = 86_400_000;

/** After a process that has failed at it, or died, another one may try. */
const AGAIN_MS = 10 * 60_000;

/** Creates the method of the store. Rejects with whatever `rewrite` throws. */
export function createRewriteDaily(
  { kv, now }: Pick<Database, "kv" | "now">,
): QueueStore["rewriteDaily"] {
  return async (rewrite) => {
    const asked = now();
    const entry = await kv.read((kv) => kv.get<number>(keys.rewrite()));
    const setDue = (at: number) => kv.commit((kv) => kv.atomic().check(entry).set(entry.key, at));
    if (entry.value === null) {
      await setDue(asked + DAY_MS);
      return false;
    }
    // Further ahead than a day it was set by a clock that was wrong.
    if (entry.value > asked && entry.value <= asked + DAY_MS) return false;
    const { ok } = await setDue(asked + AGAIN_MS);
    if (!ok) return false; // another process was first
    await rewrite();
    await kv.commit((kv) => kv.atomic().set(entry.key, now() + DAY_MS));
    return true;
  };
}
