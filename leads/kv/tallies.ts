/**
 * @module Stores tallies, as counters that KV adds to without a conflict. A commit without an answer may
 * count twice or not at all, which does for a statistic.
 */

import { dayOf } from "../../lib/clock.ts";
import type { LeadStore, Tally } from "../ports.ts";
import { keys } from "./keys.ts";
import type { StoreDeps } from "./lead_repository.ts";

/** KV allows 1,000 mutations in one commit. */
const TOGETHER = 500;

export function createTallies(
  { leads, kv: guard, now: clock, retentionMs }: StoreDeps,
): Pick<LeadStore, "addTallies" | "tallies"> {
  return {
    async addTallies(tallies) {
      if (tallies.length === 0) return;
      const end = [...keys.tallies(), dayOf(Math.max(0, clock() - retentionMs))];
      // KV itself forgets nothing: a sum takes away its key's expiry (on SQLite).
      const old = await leads.keysIn({ prefix: keys.tallies(), end }, { limit: TOGETHER });
      for (let at = 0; at < tallies.length; at += TOGETHER) {
        await guard.commit((kv) => {
          const commit = kv.atomic();
          for (const key of at === 0 ? old : []) commit.delete(key);
          for (const tally of tallies.slice(at, at + TOGETHER)) {
            commit.sum(keys.tally(tally), BigInt(tally.times));
          }
          return commit;
        });
      }
    },

    async tallies(from) {
      const start = [...keys.tallies(), from];
      const entries = await guard.read((kv) =>
        Array.fromAsync(
          kv.list<Deno.KvU64>({ prefix: keys.tallies(), start }, { batchSize: 500 }),
        )
      );
      return entries.map(({ key, value }) => {
        const [period, what, name] = key.slice(2).map(String) as [string, Tally["what"], string];
        return { period, what, name, step: Number(key.at(-1)), times: Number(value.value) };
      });
    },
  };
}
