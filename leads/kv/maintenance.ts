/**
 * @module Removes leads past their retention, and once a day lets one of the processes that share a file
 * rewrite it, because removed data can be read in it until then.
 */

import { DAY_MS, dayOf } from "../../lib/clock.ts";
import { type Delivery, retentionEnd } from "../lead.ts";
import { arrivalOf } from "../lead_id.ts";
import { afterAttempt } from "../retry.ts";
import { type AlertState, type LeadStore, type PurgeOptions, UnusableLead } from "../ports.ts";
import { keys } from "./keys.ts";
import { idOf } from "./lead_reader.ts";
import type { StoreDeps } from "./lead_repository.ts";
import { fromStored, type StoredLead } from "./codec.ts";

/** Leads read at once for a purge: at most 640 KB, which most minutes read in vain. */
const READ_AT_ONCE = 10;

/** When a rewrite that failed, or whose process died, is due again. */
const AGAIN_MS = 10 * 60_000;

export function createMaintenance(
  { leads, kv: guard, now: clock, retentionMs, sealer, unusable }: StoreDeps,
): Pick<LeadStore, "purge" | "alerts" | "setAlerts" | "rewriteDaily"> {
  const reported = new Set<string>();
  /** Leads from here on have not been looked at since that time. */
  let cursor = { from: "", since: -Infinity };

  /** Whether retention would be over if it counted from the arrival alone. */
  function isOld(lead: StoredLead): boolean {
    return clock() >= retentionEnd({ ...lead, deliveries: {} }, retentionMs);
  }

  /** Why nothing will attempt a delivery; undefined if something may. */
  function reasonToGiveUp(lead: StoredLead, target: string, targets: readonly string[]) {
    if (!targets.includes(target)) return "no_target";
    try {
      fromStored(lead, sealer);
      return undefined;
    } catch {
      return "unusable";
    }
  }

  /** The deliveries that nothing will attempt, each as it ends. */
  function givenUpIn(lead: StoredLead, targets: PurgeOptions["targets"]) {
    const now = clock();
    return Object.entries(lead.deliveries).flatMap(([target, delivery]) => {
      const result = targets && delivery.state === "waiting" &&
        reasonToGiveUp(lead, target, targets);
      if (!result) return [];
      const outcome = { result, permanent: true };
      return [
        [target, afterAttempt(delivery, outcome, { startedAt: now, now, random: 0 })] as const,
      ];
    });
  }

  /** Ends the deliveries that nothing will attempt: their lead would be kept forever. */
  async function giveUp(id: string, { targets, ended }: PurgeOptions): Promise<void> {
    let dead: readonly (readonly [target: string, delivery: Delivery])[] = [];
    const changed = await leads.replace(id, ({ value }) => {
      dead = givenUpIn(value, targets);
      if (dead.length === 0) return undefined;
      return { ...value, deliveries: { ...value.deliveries, ...Object.fromEntries(dead) } };
    });
    if (changed) { for (const [target, delivery] of dead) ended?.(id, target, delivery); }
  }

  /** Removes the counters of days before the oldest lead. */
  async function dropCounts(): Promise<void> {
    const { value: oldest } = await leads.reader.pages({ most: 1 })[Symbol.asyncIterator]().next();
    const first = oldest?.[0] === undefined ? clock() : arrivalOf(idOf(oldest[0]));
    const end = [...keys.counts(), dayOf(first)];
    const counts = await leads.keysIn({ prefix: keys.counts(), end }, { limit: 500 });
    await guard.commit((kv) => counts.reduce((commit, key) => commit.delete(key), kv.atomic()));
  }

  return {
    async purge(options = {}) {
      let purged = 0;
      const age = clock() - cursor.since;
      if (age >= DAY_MS || age < 0) cursor = { from: "", since: clock() }; // also if the clock was set back
      for await (const page of leads.reader.pages({ from: cursor.from, most: READ_AT_ONCE })) {
        const expired = page.filter((found) => !leads.isLive(found));
        const removed = await Promise.all(
          expired.map((found) => leads.remove(idOf(found), { onlyExpired: true })),
        );
        purged += removed.filter(Boolean).length;
        const live = page.filter((found) => leads.isLive(found));
        const skipped = live.filter((found) => found instanceof UnusableLead);
        for (const error of skipped) if (!reported.has(error.id)) unusable(error);
        for (const { id } of skipped) reported.add(id);
        const readable = live.flatMap((one) => one instanceof UnusableLead ? [] : [one.value]);
        const old = readable.filter(isOld);
        const stuck = old.filter((lead) => givenUpIn(lead, options.targets).length > 0);
        await Promise.all(stuck.map(({ id }) => giveUp(id, options)));
        // Leads are sorted by arrival: those that follow young ones are young.
        if (readable.length > old.length) break;
        if (page.length > 0) cursor.from = idOf(page.at(-1)!);
        if (clock() >= (options.until ?? Infinity)) break;
      }
      if (purged > 0) await dropCounts();
      return purged;
    },

    alerts: () => guard.getOrRemove<AlertState>(keys.alerts()),

    setAlerts: (value, versionstamp) => guard.replace({ key: keys.alerts(), value, versionstamp }),

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
