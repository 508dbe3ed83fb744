/**
 * @module Removes leads past their retention, and once a day lets one of the processes that share a file
 * rewrite it, because removed data can be read in it until then.
 */

import type { QueueStore } from "../store.ts";
import { MOST_WRITES } from "./group_commit.ts";
import { keys } from "./keys.ts";
import type { Database, LeadRepository } from "./lead_repository.ts";
import { deleteLead, type SameEntry, type StoredLead } from "./records.ts";

/** Leads read at a time and removed in one commit: at most 640 KB, and denokv allows no more checks. */
const PURGED_TOGETHER = 10;

const DAY_MS = 86_400_000;

/** When a rewrite that failed, or whose process died, is due again. */
const AGAIN_MS = 10 * 60_000;

/** Implements the maintenance of a {@link QueueStore}. */
export function createMaintenance(
  { kv: guard, now: clock }: Pick<Database, "kv" | "now">,
  leads: Pick<LeadRepository, "isLive" | "remove">,
): Pick<QueueStore, "purge" | "rewriteDaily"> {
  /** Removes leads in one commit; one by one if that is too large or one of them has changed. */
  async function removeTogether(expired: readonly Deno.KvEntry<StoredLead>[]): Promise<void> {
    const deletes = expired.map(({ value }) => 3 + Object.keys(value.deliveries).length);
    if (deletes.reduce((sum, each) => sum + each) <= MOST_WRITES) {
      const sameKeys = expired.map(({ value }) => keys.same(value.index.same));
      const same = await guard.read((kv) => kv.getMany<SameEntry[]>(sameKeys));
      const { ok } = await guard.commit((kv) => {
        const commit = kv.atomic();
        for (const [n, entry] of expired.entries()) {
          commit.check(entry);
          deleteLead(commit, entry.value, { same: same[n]!.value });
        }
        return commit;
      });
      if (ok) return;
    }
    for (const { value } of expired) await leads.remove(value.id);
  }

  return {
    async purge(most) {
      // Leads are sorted by arrival, and KV deletes one that expires before an older one: usually it is
      // enough to read the first few.
      for (let purged = 0;;) {
        const limit = Math.min(PURGED_TOGETHER, most - purged);
        const oldest = await guard.read((kv) =>
          Array.fromAsync(kv.list<StoredLead>({ prefix: keys.leads() }, { limit }))
        );
        const expired = oldest.filter(({ value }) => !leads.isLive(value));
        if (expired.length > 0) await removeTogether(expired);
        purged += expired.length;
        if (expired.length < limit || purged === most) return purged;
      }
    },

    async rewriteDaily(rewrite) {
      const now = clock();
      const entry = await guard.read((kv) => kv.get<number>(keys.rewrite()));
      const setDue = (at: number) =>
        guard.commit((kv) => kv.atomic().check(entry).set(entry.key, at));
      if (entry.value === null) {
        await setDue(now + DAY_MS);
        return false;
      }
      // A time more than a day ahead was set by a wrong clock.
      if (entry.value > now && entry.value <= now + DAY_MS) return false;
      const { ok } = await setDue(now + AGAIN_MS);
      if (!ok) return false; // another process was first
      await rewrite();
      await guard.commit((kv) => kv.atomic().set(entry.key, clock() + DAY_MS));
      return true;
    },
  };
}
