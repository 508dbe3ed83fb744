/**
 * @module The store of leads on Deno KV: what intake and queue need.
 *
 * Each commit is one atomic operation guarded by versionstamps. Queue, dead letters and indexes are
 * written with the lead they belong to, never alone. `expireIn` only tidies up: what has expired is
 * decided on read, from what is stored.
 */

import type { Deliveries, LeadRecord } from "../lead.ts";
import type { CannotOpen, Sealed, Sealer } from "../sealing.ts";
import type { DueJob, IntakeStore, LimitWrite, Obstacle, QueueStore, Removed } from "../store.ts";
import { GroupCommit, type Grouping } from "./group_commit.ts";
import { type KvAccess, KvGuard } from "./guard.ts";
import { keys } from "./keys.ts";
import { deleteDeliveries, fromStored, type StoredLead, toStored, writeLead } from "./records.ts";

/** How the store is set up. */
export interface KvStoreOptions {
  /** The database; opened with the first call, and again with the next one where that fails. */
  readonly open: () => Promise<KvAccess>;
  readonly now: () => number;
  readonly sealer: Sealer;
  /** How long a lead is kept; a shorter time than it was stored with counts. */
  readonly retentionMs: number;
  /** How leads that come in go together; without it as any database bears it. */
  readonly grouping?: Grouping;
  /** Told of each lead that cannot be opened when all are read; without it the reading fails. */
  readonly unreadable?: (error: CannotOpen) => void;
}

interface LimitEntry {
  readonly arrival: number;
}

interface SameEntry {
  readonly id: string;
  readonly until: number;
}

/** How long the same content counts as the same lead. */
export const SAME_LEAD_MS = 24 * 3_600_000;

/** More than any number of instances that race for one lead. */
const MOST_RACES = 50;

/** {@link IntakeStore} and {@link QueueStore} on Deno KV. */
export class KvLeadStore implements IntakeStore, QueueStore {
  protected readonly options: KvStoreOptions;
  protected readonly kv: KvGuard;
  readonly #accepting: GroupCommit;
  #secret: Promise<Uint8Array> | undefined;

  constructor(options: KvStoreOptions) {
    this.options = options;
    this.kv = new KvGuard(options.open);
    this.#accepting = new GroupCommit(this.kv, options.grouping);
  }

  secret(): Promise<Uint8Array> {
    this.#secret ??= this.#makeSecret().catch((error: unknown) => {
      this.#secret = undefined;
      throw error;
    });
    return this.#secret;
  }

  /** Sealed like content: whoever has the database alone cannot try addresses against its keys. */
  async #makeSecret(): Promise<Uint8Array> {
    const { sealer } = this.options;
    const held = await this.secretEntry();
    if (held.value === null) {
      const fresh = crypto.getRandomValues(new Uint8Array(32)).toBase64();
      await this.writeSecret(held, fresh);
    }
    // Another instance may have been first: what counts is what is stored.
    const { value } = held.value === null ? await this.secretEntry() : held;
    if (value === null) throw new Error("Cannot keep the store's secret: KV forgot it");
    return Uint8Array.fromBase64(sealer.open<string>(value, SECRET_OWNER));
  }

  protected secretEntry(): Promise<Deno.KvEntryMaybe<string | Sealed>> {
    return this.kv.read((kv) => kv.get<string | Sealed>(keys.secret()));
  }

  protected async writeSecret(held: Deno.KvEntryMaybe<unknown>, secret: string): Promise<void> {
    const sealed = this.options.sealer.seal(secret, SECRET_OWNER);
    await this.kv.commit((kv) => kv.atomic().check(held).set(keys.secret(), sealed));
  }

  accept(limit: LimitWrite, record?: LeadRecord): Promise<string | null> {
    const now = this.options.now();
    const limitKey = keys.limit(limit.client);
    const expireIn = Math.max(1, Math.ceil(limit.arrival - now)); // a whole number, or KV throws
    const setLimit = (commit: Deno.AtomicOperation) =>
      commit.check({ key: limitKey, versionstamp: limit.seen })
        .set(limitKey, { arrival: limit.arrival } satisfies LimitEntry, { expireIn });
    if (record === undefined) {
      return this.#accepting.commit({ claims: [limit.client], writes: 1, addTo: setLimit });
    }
    const { index, expiresAt, deliveries } = record;
    const same = keys.same(index.same);
    const until = Math.min(now + SAME_LEAD_MS, expiresAt);
    return this.#accepting.commit({
      claims: [limit.client, index.same],
      writes: 4 + Object.keys(deliveries).length,
      addTo: (commit) => {
        setLimit(commit)
          .check({ key: same, versionstamp: null })
          .set(same, { id: record.id, until } satisfies SameEntry, { expireIn: until - now })
          .set(keys.byEmail(index.email, record.id), null, {
            expireIn: Math.max(1, expiresAt - now),
          });
        writeLead(commit, toStored(record, this.options.sealer), now);
      },
    });
  }

  async obstacle(limit: LimitWrite, record?: LeadRecord): Promise<Obstacle> {
    const sameKey = keys.same(record?.index.same ?? "");
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

  async get(id: string): Promise<LeadRecord | null> {
    const { value } = await this.#entry(id);
    return this.isLive(value) ? fromStored(value, this.options.sealer) : null;
  }

  #entry(id: string): Promise<Deno.KvEntryMaybe<StoredLead>> {
    return this.kv.read((kv) => kv.get<StoredLead>(keys.lead(id)));
  }

  async change(
    id: string,
    change: (deliveries: Deliveries) => Deliveries | undefined,
  ): Promise<LeadRecord | null> {
    const changed = await this.replace(id, (lead) => {
      const deliveries = this.isLive(lead) ? change(lead.deliveries) : undefined;
      return deliveries && { ...lead, deliveries };
    });
    return changed && fromStored(changed, this.options.sealer);
  }

  /** Compare-and-set on a stored lead and its queue entries, until nobody interferes. */
  protected async replace(
    id: string,
    next: (lead: StoredLead) => StoredLead | undefined,
  ): Promise<StoredLead | null> {
    for (let race = 0; race < MOST_RACES; race++) {
      const entry = await this.#entry(id);
      const lead = entry.value;
      const changed = lead === null ? undefined : next(lead);
      if (lead === null || changed === undefined) return null;
      const { ok } = await this.kv.commit((kv) => {
        const commit = kv.atomic().check(entry);
        deleteDeliveries(commit, lead);
        writeLead(commit, changed, this.options.now());
        return commit;
      });
      if (ok) return changed;
    }
    throw new Error("Cannot change a lead: others kept changing it");
  }

  async confirm(id: string): Promise<LeadRecord | null> {
    const lead = await this.get(id);
    if (lead === null || lead.confirmed) return lead;
    const confirmed = await this.replace(id, (stored) => ({ ...stored, confirmed: true }));
    return confirmed && fromStored(confirmed, this.options.sealer);
  }

  async removeUnlessConfirmed(id: string): Promise<boolean> {
    return (await this.#remove(id, { evenConfirmed: false })) !== undefined;
  }

  async remove(id: string): Promise<Removed> {
    return await this.#remove(id, { evenConfirmed: true }) ?? NOTHING_REMOVED;
  }

  async #remove(
    id: string,
    { evenConfirmed }: { readonly evenConfirmed: boolean },
  ): Promise<Removed | undefined> {
    for (let race = 0; race < MOST_RACES; race++) {
      const entry = await this.#entry(id);
      const lead = entry.value;
      if (lead === null) return NOTHING_REMOVED;
      if (lead.confirmed && !evenConfirmed) return undefined;
      const sameKey = keys.same(lead.index.same);
      const same = await this.kv.read((kv) => kv.get<SameEntry>(sameKey));
      const isOurs = same.value?.id === id; // a day later the same content is another lead's
      const { ok } = await this.kv.commit((kv) => {
        const commit = kv.atomic().check(entry).delete(entry.key)
          .delete(keys.byEmail(lead.index.email, id));
        deleteDeliveries(commit, lead);
        return isOurs ? commit.delete(sameKey) : commit;
      });
      if (ok) return countOf(lead, isOurs ? 2 : 1);
    }
    throw new Error("Cannot remove a lead: others kept changing it");
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
    const lead = await this.#entry(id);
    if (this.isLive(lead.value) && lead.value.deliveries[target]?.due === due) return;
    await this.kv.commit((kv) => kv.atomic().check(lead).delete(keys.due(target, due, id)));
  }

  async purge(most: number): Promise<number> {
    // Leads lie by arrival: in nearly every minute of the year, a look at the first few is enough.
    if ((await this.#expired(GLANCE)).length === 0) return 0;
    const expired = await this.#expired(most);
    for (const { id } of expired) await this.remove(id);
    return expired.length;
  }

  /** Those among the oldest leads that are past their retention. */
  async #expired(among: number): Promise<StoredLead[]> {
    const leads = { prefix: keys.leads() };
    const oldest = await this.kv.read((kv) =>
      Array.fromAsync(kv.list<StoredLead>(leads, { limit: among }))
    );
    return oldest.map(({ value }) => value).filter((lead) => !this.isLive(lead));
  }

  /** Whether a lead is there and within its retention. */
  protected isLive(lead: StoredLead | null): lead is StoredLead {
    if (lead === null) return false;
    const { now, retentionMs } = this.options;
    return now() < Math.min(lead.expiresAt, lead.receivedAt + retentionMs);
  }
}

/** So many of the oldest leads are looked at to see whether any has expired. */
const GLANCE = 10;

/** More waiting leads than this are reported as this many: counting has to stay cheap. */
const BACKLOG_COUNTED = 10_000;
const BACKLOG_BATCH = 500;

const SECRET_OWNER = "secret";

const NOTHING_REMOVED: Removed = { leads: 0, queued: 0, dead: 0, index: 0 };

function countOf({ deliveries }: StoredLead, index: number): Removed {
  const states = Object.values(deliveries).map(({ state }) => state);
  return {
    leads: 1,
    queued: states.filter((state) => state === "waiting").length,
    dead: states.filter((state) => state === "dead").length,
    index,
  };
}

function jobOf({ key }: Deno.KvEntry<unknown>): DueJob {
  return { due: Number(key.at(-2)), id: String(key.at(-1)) };
}

/** A UUIDv7 begins with its time: 48 bits of epoch milliseconds (RFC 9562 §5.7). */
function arrivalOf(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
