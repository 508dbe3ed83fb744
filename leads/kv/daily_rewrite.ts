/**
 * @module The service's database file is rewritten once a day, by one of the processes that share it: so
 * long may what has expired or was removed still be read in it. `deno task leads` does it at once.
 */

import type { KvGuard } from "./guard.ts";
import { keys } from "./keys.ts";

const DAY_MS = 86_400_000;

/** After a process that has failed at it, or died, another one may try. */
const AGAIN_MS = 10 * 60_000;

/** What is needed for it. */
export interface DailyRewriteDeps {
  readonly kv: Pick<KvGuard, "read" | "commit">;
  readonly now: () => number;
  readonly rewrite: () => Promise<void>;
}

/**
 * Rewrites the file where that is due; asks for it as often as one likes.
 *
 * @returns whether this process has done it
 * @throws whatever rewriting throws
 */
export async function rewriteDaily({ kv, now, rewrite }: DailyRewriteDeps): Promise<boolean> {
  const asked = now();
  const entry = await kv.read((kv) => kv.get<number>(keys.rewrite()));
  const setDue = (at: number) => (kv: Pick<Deno.Kv, "atomic">) =>
    kv.atomic().check(entry).set(entry.key, at);
  if (entry.value === null) {
    await kv.commit(setDue(asked + DAY_MS));
    return false;
  }
  // Further ahead than a day it was set by a clock that was wrong.
  if (entry.value > asked && entry.value <= asked + DAY_MS) return false;
  const { ok } = await kv.commit(setDue(asked + AGAIN_MS));
  if (!ok) return false; // another process was first
  await rewrite();
  await kv.commit((kv) => kv.atomic().set(entry.key, now() + DAY_MS));
  return true;
}
