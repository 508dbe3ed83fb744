/** @module The queues of the targets. */

import { DAY_MS } from "../../lib/clock.ts";
import { arrivalOf } from "../lead_id.ts";
import type { DueJob, LeadStore, Pause } from "../ports.ts";
import { keys } from "./keys.ts";
import type { StoreDeps } from "./lead_repository.ts";
import { expiry } from "./codec.ts";

/** Counting stops here, so that it stays cheap. */
const COUNTED = { limit: 10_000, batchSize: 500 };

export function createQueues(
  { leads, kv: guard, now: clock }: StoreDeps,
): Pick<
  LeadStore,
  "queue" | "putOff" | "pause" | "setPause" | "backlog" | "countStored" | "targetsWithWaitingLeads"
> {
  async function jobs(range: Deno.KvListSelector, options: Deno.KvListOptions): Promise<DueJob[]> {
    return (await leads.keysIn(range, options)).map(jobOf);
  }

  return {
    queue: (target, { most }) =>
      jobs({ prefix: keys.queue(target) }, { limit: most, batchSize: Math.min(most, 500) }),

    pause: (target) => guard.getOrRemove<Pause>(keys.pause(target)),

    setPause(target, value, versionstamp) {
      // A target that is not configured any more leaves no entry behind.
      const options = expiry((value?.until ?? 0) + DAY_MS, clock());
      return guard.replace({ key: keys.pause(target), value, versionstamp }, options);
    },

    async backlog(target) {
      const waiting = await jobs({ prefix: keys.queue(target) }, COUNTED);
      const now = clock();
      const oldest = waiting.reduce((least, { id }) => Math.min(least, arrivalOf(id)), now);
      // A job that was put off may still be there after its lead was claimed.
      return { depth: new Set(waiting.map(({ id }) => id)).size, oldestAgeMs: now - oldest };
    },

    countStored: async () => (await leads.keysIn({ prefix: keys.allStored() }, COUNTED)).length,

    /** Reads the first job of each target and skips the rest. */
    async targetsWithWaitingLeads() {
      const prefix = keys.queues();
      const found: string[] = [];
      for (let start = keys.queue("");;) {
        const [key] = await leads.keysIn({ prefix, start }, { limit: 1 });
        if (key === undefined) return found;
        const target = String(key[prefix.length]);
        found.push(target);
        start = keys.queue(`${target}\0`); // after all jobs of this target, before those of the next
      }
    },

    async putOff({ target, id, due }, until) {
      const entry = await guard.read((kv) => kv.get(keys.due(target, due, id)));
      if (entry.versionstamp === null) return; // another instance was first
      await guard.commit((kv) =>
        kv.atomic().check(entry).delete(entry.key).set(keys.due(target, until, id), null)
      );
    },
  };
}

function jobOf(key: Deno.KvKey): DueJob {
  const [target, due, id] = key.slice(-3);
  return { target: String(target), due: Number(due), id: String(id) };
}
