/** @module The queue of each target: what is due, when, and how much of it. */

import type { DueJob, QueueStore } from "../store.ts";
import { keys } from "./keys.ts";
import type { Database, LeadRepository } from "./lead_repository.ts";
import { queuedTargets } from "./orphans.ts";

/** More waiting leads than this are reported as this many: counting has to stay cheap. */
const BACKLOG_COUNTED = 10_000;
const BACKLOG_BATCH = 500;

/** The queues of a database. */
export function createQueues(
  { kv: guard, now: clock }: Database,
  leads: Pick<LeadRepository, "entry" | "isLive">,
): Pick<QueueStore, "due" | "nextDue" | "backlog" | "queued" | "dropStray"> {
  return {
    async due(target, { now, most }) {
      const range = { start: keys.queue(target), end: [...keys.queue(target), now + 1] };
      const jobs = await guard.read((kv) => Array.fromAsync(kv.list(range, { limit: most })));
      return jobs.map(jobOf);
    },

    async nextDue(target) {
      const queue = { prefix: keys.queue(target) };
      const first = await guard.read((kv) => Array.fromAsync(kv.list(queue, { limit: 1 })));
      return first.map(jobOf)[0]?.due;
    },

    async backlog(target) {
      const queue = { prefix: keys.queue(target) };
      const options = { limit: BACKLOG_COUNTED, batchSize: BACKLOG_BATCH };
      const jobs = await guard.read((kv) => Array.fromAsync(kv.list(queue, options), jobOf));
      const now = clock();
      const oldest = jobs.reduce((least, { id }) => Math.min(least, arrivalOf(id)), now);
      return { depth: jobs.length, oldestAgeMs: now - oldest };
    },

    queued: () => queuedTargets(guard),

    async dropStray(target, { id, due }) {
      const lead = await leads.entry(id);
      if (leads.isLive(lead.value) && lead.value.deliveries[target]?.due === due) return;
      await guard.commit((kv) => kv.atomic().check(lead).delete(keys.due(target, due, id)));
    },
  };
}

function jobOf({ key }: Deno.KvEntry<unknown>): DueJob {
  return { due: Number(key.at(-2)), id: String(key.at(-1)) };
}

/** A UUIDv7 begins with its time: 48 bits of epoch milliseconds (RFC 9562 §5.7). */
function arrivalOf(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
