/**
 * @module Removes leads past their retention, and once a day lets one of the processes that share a file
 * rewrite it, because removed data can be read in it until then.
 */

import { type QueueStore, UnusableLead } from "../store.ts";
import { isUndecodable } from "./cause.ts";
import { MOST_WRITES } from "./group_commit.ts";
import { keys } from "./keys.ts";
import type { Found, Page } from "./lead_reader.ts";
import type { Database, LeadRepository } from "./lead_repository.ts";
import { deleteLead, expiry, type SameEntry, type StoredLead } from "./records.ts";

/** Leads in one commit, and read for a purge: at most 640 KB, and denokv allows no more checks. */
const TOGETHER = 10;

/** Leads looked at in one call of `indexStored`. */
const INDEXED_AT_ONCE = 10_000;

const DAY_MS = 86_400_000;

/** When a rewrite that failed, or whose process died, is due again. */
const AGAIN_MS = 10 * 60_000;

/** Implements the maintenance of a {@link QueueStore}. */
export function createMaintenance(
  { kv: guard, now: clock }: Pick<Database, "kv" | "now">,
  { leads, unusable }: {
    readonly leads: Pick<LeadRepository, "reader" | "isLive" | "remove" | "removeUnusable">;
    readonly unusable: ((error: UnusableLead) => void) | undefined;
  },
): Pick<QueueStore, "purge" | "rewriteDaily" | "indexStored"> {
  /** The ids of unusable leads that were reported. */
  const reported = new Set<string>();
  /** The least id not yet looked at; undefined: all are indexed. */
  let unindexed: string | undefined = "";

  /** Removes leads in one commit. @returns false if it is too large, or an entry has changed or is damaged */
  async function removeTogether(expired: readonly Deno.KvEntry<StoredLead>[]): Promise<boolean> {
    const deletes = expired.map(({ value }) => 3 + Object.keys(value.deliveries).length);
    if (deletes.reduce((sum, each) => sum + each, 0) > MOST_WRITES) return false;
    try {
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
      return ok;
    } catch (error) {
      if (isUndecodable(error)) return false;
      throw error;
    }
  }

  /** Indexes leads without a target; if one has changed meanwhile, its entry has been written. */
  async function index(stored: readonly Deno.KvEntry<StoredLead>[]): Promise<void> {
    const { ok } = await guard.commit((kv) => {
      const commit = kv.atomic();
      for (const entry of stored) {
        const { id, expiresAt } = entry.value;
        commit.check(entry).set(keys.stored(id), null, expiry(expiresAt, clock()));
      }
      return commit;
    });
    if (ok || stored.length === 1) return;
    for (const entry of stored) await index([entry]);
  }

  async function removeAll(expired: readonly Found[]): Promise<void> {
    const usable = expired.flatMap((each) => each instanceof UnusableLead ? [] : [each]);
    if (usable.length > 0 && !await removeTogether(usable)) {
      for (const { value } of usable) await leads.remove(value.id);
    }
    const others = expired.filter((each) => each instanceof UnusableLead);
    if (others.length > 0) await leads.removeUnusable(others);
  }

  function report(skipped: UnusableLead): void {
    if (!reported.has(skipped.id)) unusable?.(skipped);
    reported.add(skipped.id);
  }

  return {
    async purge(most) {
      // Leads are sorted by arrival, and KV deletes one that expires before an older one: usually it is
      // enough to read the first few.
      let purged = 0;
      for (let from: string | undefined = ""; from !== undefined && purged < most;) {
        const limit = Math.min(TOGETHER, most - purged);
        const { found, next }: Page = await leads.reader.page(from, limit);
        const expired = found.filter((each) => !leads.isLive(each));
        await removeAll(expired);
        purged += expired.length;
        const live = found.filter((each) => leads.isLive(each));
        const skipped = live.filter((each) => each instanceof UnusableLead);
        skipped.forEach(report);
        from = skipped.length === live.length ? next : undefined;
      }
      return purged;
    },

    async indexStored() {
      if (unindexed === "") {
        const { value } = await guard.getOrRemove<true | string>(keys.storedIndexed());
        unindexed = value === true ? undefined : value ?? "";
      }
      for (let looked = 0; unindexed !== undefined && looked < INDEXED_AT_ONCE;) {
        const { found, next }: Page = await leads.reader.page(unindexed);
        const stored = found.flatMap((each) =>
          each instanceof UnusableLead || Object.keys(each.value.deliveries).length > 0
            ? []
            : [each]
        );
        await Promise.all(
          stored.map((_, n) => n % TOGETHER === 0 && index(stored.slice(n, n + TOGETHER))),
        );
        // A process on Deno Deploy may end before the next call: another one continues here.
        await guard.commit((kv) => kv.atomic().set(keys.storedIndexed(), next ?? true));
        looked += found.length;
        unindexed = next;
      }
      return unindexed === undefined;
    },

    async rewriteDaily(rewrite) {
      const now = clock();
      const entry = await guard.getOrRemove<number>(keys.rewrite());
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
