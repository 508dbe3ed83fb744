/**
 * @module Removes leads past their retention, and once a day lets one of the processes that share a file
 * rewrite it, because removed data can be read in it until then.
 */

import { type MaintenanceStore, UnusableLead } from "../store.ts";
import { keys } from "./keys.ts";
import { idOf } from "./lead_reader.ts";
import type { Parts } from "./lead_repository.ts";

/** Leads read at once for a purge: at most 640 KB, which most minutes read in vain. */
const READ_AT_ONCE = 10;

const DAY_MS = 86_400_000;

/** When a rewrite that failed, or whose process died, is due again. */
const AGAIN_MS = 10 * 60_000;

export function createMaintenance(
  { leads, kv: guard, now: clock, unusable }: Parts,
): MaintenanceStore {
  const reported = new Set<string>();

  return {
    async purge(until = Infinity) {
      let purged = 0;
      let looked = 0;
      let hasLive = false;
      for await (const page of leads.reader.pages({ most: READ_AT_ONCE })) {
        const expired = page.filter((found) => !leads.isLive(found));
        await Promise.all(expired.map((found) => leads.remove(idOf(found))));
        purged += expired.length;
        const live = page.filter((found) => leads.isLive(found));
        const skipped = live.filter((found) => found instanceof UnusableLead);
        for (const error of skipped) if (!reported.has(error.id)) unusable(error);
        for (const { id } of skipped) reported.add(id);
        // Leads are sorted by arrival, and KV deletes one that expires before an older one: usually it
        // is enough to read the first few.
        looked += page.length;
        hasLive ||= skipped.length < live.length;
        if (clock() >= until || (hasLive && looked >= READ_AT_ONCE)) break;
      }
      return purged;
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
