/**
 * @module Removes leads past their retention, and once a day lets one of the processes that share a file
 * rewrite it, because removed data can be read in it until then.
 */

import { type QueueStore, UnusableLead } from "../store.ts";
import { keys } from "./keys.ts";
import { type Found, idOf } from "./lead_reader.ts";
import type { Database, LeadRepository } from "./lead_repository.ts";
import { expiry } from "./records.ts";

/** Leads read at once for a purge: at most 640 KB, which most minutes read in vain. */
const READ_AT_ONCE = 10;

/** Leads looked at in one call of `indexStored`. */
const INDEXED_AT_ONCE = 10_000;

const DAY_MS = 86_400_000;

/** When a rewrite that failed, or whose process died, is due again. */
const AGAIN_MS = 10 * 60_000;

/** Implements the maintenance of a {@link QueueStore}. */
export function createMaintenance(
  { kv: guard, groupCommit, now: clock, unusable }: Database,
  leads: LeadRepository,
): Pick<QueueStore, "purge" | "rewriteDaily" | "indexStored"> {
  /** The ids of unusable leads that were reported. */
  const reported = new Set<string>();
  let isIndexed = false;

  /** Indexes a lead without a target; if it has changed meanwhile, its entry has been written. */
  async function index(found: Found): Promise<void> {
    if (found instanceof UnusableLead || Object.keys(found.value.deliveries).length > 0) return;
    const { id, expiresAt } = found.value;
    await groupCommit({
      claims: [id],
      addTo: (commit) => commit.check(found).set(keys.stored(id), null, expiry(expiresAt, clock())),
    });
  }

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

    async indexStored() {
      if (isIndexed) return true;
      const { value } = await guard.getOrRemove<true | string>(keys.storedIndexed());
      const note = (next: true | string) =>
        guard.commit((kv) => kv.atomic().set(keys.storedIndexed(), next));
      if (value !== true) {
        let looked = 0;
        for await (const page of leads.reader.pages({ from: value ?? "" })) {
          await Promise.all(page.map(index));
          // A process on Deno Deploy may end before the next call: another one continues here.
          if (page.length > 0) await note(idOf(page.at(-1)!));
          if ((looked += page.length) >= INDEXED_AT_ONCE) return false;
        }
        await note(true);
      }
      return isIndexed = true;
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
