/**
 * @module The store of leads on Deno KV: what intake and queue need of all leads together.
 *
 * Each commit is one atomic operation guarded by versionstamps. Queue, dead letters and indexes are
 * written with the lead they belong to, never alone. `expireIn` only tidies up: what has expired is
 * decided on read, from what is stored.
 */

import type { LeadRecord } from "../lead.ts";
import {
  CommitUnknown,
  type DueJob,
  type IntakeStore,
  type LimitWrite,
  type Obstacle,
  type QueueStore,
} from "../store.ts";
import { GroupCommit, MOST_WRITES } from "./group_commit.ts";
import { KeptLeads, type KvStoreOptions } from "./kept_leads.ts";
import { keys } from "./keys.ts";
import {
  deleteLead,
  expiry,
  type SameEntry,
  type StoredLead,
  toStored,
  writeLead,
} from "./records.ts";
import { StoreSecret } from "./secret.ts";

interface LimitEntry {
  readonly arrival: number;
}

/** How long the same content counts as the same lead. */
export const SAME_LEAD_MS = 24 * 3_600_000;

/** More waiting leads than this are reported as this many: counting has to stay cheap. */
const BACKLOG_COUNTED = 10_000;
const BACKLOG_BATCH = 500;

/**
 * So many of the oldest leads are read at a time to see whether any has expired, and those that have
 * go in one commit: at most 640 KB of records, and denokv takes no more checks.
 */
const PURGED_TOGETHER = 10;

/** {@link IntakeStore} and {@link QueueStore} on Deno KV. */
export class KvLeadStore extends KeptLeads implements IntakeStore, QueueStore {
  protected readonly storeSecret: StoreSecret;
  readonly #accepting: GroupCommit;

  constructor(options: KvStoreOptions) {
    super(options);
    this.storeSecret = new StoreSecret(this.kv, options.sealer);
    this.#accepting = new GroupCommit(this.kv, { grouping: options.grouping });
  }

  secret(): Promise<Uint8Array> {
    return this.storeSecret.get();
  }

  accept(limit: LimitWrite, record?: LeadRecord): Promise<string | null> {
    const now = this.options.now();
    const limitKey = keys.limit(limit.client);
    const entry: LimitEntry = { arrival: limit.arrival };
    const setLimit = (commit: Deno.AtomicOperation) =>
      commit.check({ key: limitKey, versionstamp: limit.seen })
        .set(limitKey, entry, expiry(limit.arrival, now));
    if (record === undefined) {
      return this.#accepting.commit({ claims: [limit.client], writes: 1, addTo: setLimit });
    }
    const { id, index, expiresAt, deliveries } = record;
    const same = keys.same(index.same);
    const until = Math.min(now + SAME_LEAD_MS, expiresAt);
    return this.#accepting.commit({
      claims: [limit.client, index.same],
      writes: 4 + Object.keys(deliveries).length,
      addTo: (commit) => {
        setLimit(commit)
          .check({ key: same, versionstamp: null })
          .set(same, { id, until } satisfies SameEntry, expiry(until, now))
          .set(keys.byEmail(index.email, id), null, expiry(expiresAt, now));
        writeLead(commit, toStored(record, this.options.sealer), now);
      },
    });
  }

  async obstacle(limit: LimitWrite, record?: LeadRecord): Promise<Obstacle> {
    try {
      return await this.#obstacle(limit, record);
    } catch (error) {
      if (record === undefined || error instanceof CommitUnknown) throw error;
      throw new CommitUnknown(Promise.resolve(), { cause: error });
    }
  }

  async #obstacle(limit: LimitWrite, record?: LeadRecord): Promise<Obstacle> {
    const sameKey = keys.same(record?.index.same ?? ""); // nothing lies under the empty name
    const [held, same] = await this.kv.read((kv) =>
      kv.getMany<[LimitEntry, SameEntry]>([keys.limit(limit.client), sameKey])
    );
    const twin = same.value === null || same.value.until <= this.options.now()
      ? null
      : await this.get(same.value.id);
    // What has expired but still stands in the way is cleared, unless it has changed since.
    if (same.value !== null && twin === null) {
      await this.kv.commit((kv) => kv.atomic().check(same).delete(sameKey));
    }
    return { arrival: held.value?.arrival ?? 0, versionstamp: held.versionstamp, same: twin };
  }

  async due(
    target: string,
    { now, most }: { now: number; most: number },
  ): Promise<DueJob[]> {
    const range = { start: keys.queue(target), end: [...keys.queue(target), now + 1] };
    const jobs = await this.kv.read((kv) => Array.fromAsync(kv.list(range, { limit: most })));
    return jobs.map(jobOf);
  }

  async nextDue(target: string): Promise<number | undefined> {
    const queue = { prefix: keys.queue(target) };
    const first = await this.kv.read((kv) => Array.fromAsync(kv.list(queue, { limit: 1 })));
    return first.map(jobOf)[0]?.due;
  }

  async backlog(target: string): Promise<{ depth: number; oldestAgeMs: number }> {
    const queue = { prefix: keys.queue(target) };
    const options = { limit: BACKLOG_COUNTED, batchSize: BACKLOG_BATCH };
    const jobs = await this.kv.read((kv) => Array.fromAsync(kv.list(queue, options), jobOf));
    const now = this.options.now();
    const oldest = jobs.reduce((least, { id }) => Math.min(least, arrivalOf(id)), now);
    return { depth: jobs.length, oldestAgeMs: now - oldest };
  }

  async dropStray(target: string, { id, due }: DueJob): Promise<void> {
    const lead = await this.entry(id);
    if (this.isLive(lead.value) && lead.value.deliveries[target]?.due === due) return;
    await this.kv.commit((kv) => kv.atomic().check(lead).delete(keys.due(target, due, id)));
  }

  async purge(most: number): Promise<number> {
    // Leads lie by arrival, and one that expires before an older one is deleted by KV itself: in nearly
    // every minute of the year, a look at the first few is enough.
    let purged = 0;
    while (purged < most) {
      const look = Math.min(PURGED_TOGETHER, most - purged);
      const expired = await this.#expired(look);
      await this.#removeTogether(expired);
      purged += expired.length;
      if (expired.length < look) break;
    }
    return purged;
  }

  /** Those among the oldest leads that are past their retention. */
  async #expired(among: number): Promise<Deno.KvEntry<StoredLead>[]> {
    const leads = { prefix: keys.leads() };
    const oldest = await this.kv.read((kv) =>
      Array.fromAsync(kv.list<StoredLead>(leads, { limit: among }))
    );
    return oldest.filter(({ value }) => !this.isLive(value));
  }

  /** In one commit; one after the other where that is too much, or somebody has changed one of them. */
  async #removeTogether(leads: readonly Deno.KvEntry<StoredLead>[]): Promise<void> {
    if (leads.length === 0) return;
    const deletes = leads.map(({ value }) => 3 + Object.keys(value.deliveries).length);
    if (deletes.reduce((sum, each) => sum + each) <= MOST_WRITES) {
      const sameKeys = leads.map(({ value }) => keys.same(value.index.same));
      const same = await this.kv.read((kv) => kv.getMany<SameEntry[]>(sameKeys));
      const { ok } = await this.kv.commit((kv) => {
        const commit = kv.atomic();
        for (const [n, entry] of leads.entries()) {
          commit.check(entry);
          deleteLead(commit, entry.value, { same: same[n]!.value });
        }
        return commit;
      });
      if (ok) return;
    }
    for (const { value } of leads) await this.remove(value.id);
  }
}

function jobOf({ key }: Deno.KvEntry<unknown>): DueJob {
  return { due: Number(key.at(-2)), id: String(key.at(-1)) };
}

/** A UUIDv7 begins with its time: 48 bits of epoch milliseconds (RFC 9562 §5.7). */
function arrivalOf(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
