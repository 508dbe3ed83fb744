/** @module Leads past their retention are removed, the oldest first. */

import { MOST_WRITES } from "./group_commit.ts";
import type { KvGuard } from "./guard.ts";
import { keys } from "./keys.ts";
import type { LeadRepository } from "./lead_repository.ts";
import { deleteLead, type SameEntry, type StoredLead } from "./records.ts";

/**
 * So many of the oldest leads are read at a time to see whether any has expired, and those that have
 * go in one commit: at most 640 KB of records, and denokv takes no more checks.
 */
const PURGED_TOGETHER = 10;

/** What a purge works with. */
export interface PurgeDeps {
  readonly kv: KvGuard;
  readonly leads: Pick<LeadRepository, "isLive" | "remove">;
}

/** Removes leads past their retention, `most` of them; returns how many. */
export async function purge(most: number, deps: PurgeDeps): Promise<number> {
  // Leads are sorted by arrival, and one that expires before an older one is deleted by KV itself: in nearly
  // every minute of the year, a look at the first few is enough.
  let purged = 0;
  while (purged < most) {
    const look = Math.min(PURGED_TOGETHER, most - purged);
    const expired = await expiredAmong(look, deps);
    await removeTogether(expired, deps);
    purged += expired.length;
    if (expired.length < look) break;
  }
  return purged;
}

/** Those among the oldest leads that are past their retention. */
async function expiredAmong(
  most: number,
  { kv: guard, leads }: PurgeDeps,
): Promise<Deno.KvEntry<StoredLead>[]> {
  const all = { prefix: keys.leads() };
  const oldest = await guard.read((kv) =>
    Array.fromAsync(kv.list<StoredLead>(all, { limit: most }))
  );
  return oldest.filter(({ value }) => !leads.isLive(value));
}

/** In one commit; one by one if they are too many, or if one of them has changed. */
async function removeTogether(
  expired: readonly Deno.KvEntry<StoredLead>[],
  { kv: guard, leads }: PurgeDeps,
): Promise<void> {
  if (expired.length === 0) return;
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
