/**
 * @module What the service does to its database every minute: leads past their retention are removed, and
 * once a day one of the processes that share a file rewrites it, because what was removed from it can be
 * read in it until then.
 */

import type { QueueStore } from "../store.ts";
import { MOST_WRITES } from "./group_commit.ts";
import { keys } from "./keys.ts";
import type { Database, LeadRepository } from "./lead_repository.ts";
import { deleteLead, type SameEntry, type StoredLead } from "./records.ts";

/**
 * So many of the oldest leads are read at a time to see whether any has expired, and those that have
 * go in one commit: at most 640 KB of records, and denokv takes no more checks.
 */
const PURGED_TOGETHER = 10;

const DAY_MS = 86_400_000;

/** After a process that has failed to rewrite the file, or died at it, another one may try. */
const AGAIN_MS = 10 * 60_000;

/** The maintenance of a database. */
export function createMaintenance(
  { kv: guard, now: clock }: Pick<Database, "kv" | "now">,
  leads: Pick<LeadRepository, "isLive" | "remove">,
): Pick<QueueStore, "purge" | "rewriteDaily"> {
  /** In one commit; one by one if they are too many, or if one of them has changed. */
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
      // Leads are sorted by arrival, and one that expires before an older one is deleted by KV itself: in
      // nearly every minute of the year, a look at the first few is enough.
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
      const asked = clock();
      const entry = await guard.read((kv) => kv.get<number>(keys.rewrite()));
      const setDue = (at: number) =>
        guard.commit((kv) => kv.atomic().check(entry).set(entry.key, at));
      if (entry.value === null) {
        await setDue(asked + DAY_MS);
        return false;
      }
      // Further ahead than a day it was set by a clock that was wrong.
      if (entry.value > asked && entry.value <= asked + DAY_MS) return false;
      const { ok } = await setDue(asked + AGAIN_MS);
      if (!ok) return false; // another process was first
      await rewrite();
      await guard.commit((kv) => kv.atomic().set(entry.key, clock() + DAY_MS));
      return true;
    },
  };
}
