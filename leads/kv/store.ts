/**
 * @module The store of leads on Deno KV: what intake and queue need.
 *
 * Each commit is one atomic operation guarded by versionstamps. Queue, dead letters and indexes are
 * written with the lead they belong to, never alone. `expireIn` only tidies up: what has expired is
 * decided on read, from what is stored.
 */

import type { Deliveries, LeadRecord } from "../lead.ts";
import type { Sealed, Sealer } from "../sealing.ts";
import type { DueJob, IntakeStore, LimitWrite, Obstacle, QueueStore, Removed } from "../store.ts";
import { commitInTime, readInTime } from "./deadline.ts";
import { keys } from "./keys.ts";
import { deleteDeliveries, fromStored, type StoredLead, toStored, writeLead } from "./records.ts";

/** What the store needs of a database. */
export type KvAccess = Pick<Deno.Kv, "get" | "getMany" | "list" | "atomic">;

/** How the store is set up. */
export interface KvStoreOptions {
  /** The database; opened with the first call, and again with the next one where that fails. */
  readonly open: () => Promise<KvAccess>;
  readonly now: () => number;
  readonly sealer: Sealer;
  /** How long a lead is kept; a shorter time than it was stored with counts. */
  readonly retentionMs: number;
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
  #secret: Promise<Uint8Array> | undefined;

  constructor(options: KvStoreOptions) {
    this.options = options;
  }

  secret(): Promise<Uint8Array> {
    this.#secret ??= this.#makeSecret().catch((error: unknown) => {
      this.#secret = undefined;
      throw error;
    });
    return this.#secret;
  }

  /**
   * Sealed like content, with the newest key: whoever has the database alone cannot try addresses
   * against its keys.
   */
  async #makeSecret(): Promise<Uint8Array> {
    const { open, sealer } = this.options;
    const kv = await open();
    const key = keys.secret();
    const held = await readInTime(kv.get<string | Sealed>(key));
    if (held.value === null) {
      const fresh = crypto.getRandomValues(new Uint8Array(32)).toBase64();
      await commitInTime(kv.atomic().check(held).set(key, sealer.seal(fresh, SECRET_OWNER)));
    } else if (!sealer.isCurrent(held.value)) {
      const opened = sealer.open<string>(held.value, SECRET_OWNER);
      await commitInTime(kv.atomic().check(held).set(key, sealer.seal(opened, SECRET_OWNER)));
    }
    // Another instance may have been first: what counts is what is stored.
    const { value } = held.value === null ? await readInTime(kv.get<string | Sealed>(key)) : held;
    if (value === null) throw new Error("Cannot keep the store's secret: KV forgot it");
    return Uint8Array.fromBase64(sealer.open<string>(value, SECRET_OWNER));
  }

  async accept(limit: LimitWrite, record?: LeadRecord): Promise<string | null> {
    const { open, now: clock, sealer } = this.options;
    const kv = await open();
    const now = clock();
    const limitKey = keys.limit(limit.client);
    const commit = kv.atomic()
      .check({ key: limitKey, versionstamp: limit.seen })
      .set(limitKey, { arrival: limit.arrival } satisfies LimitEntry, {
        expireIn: Math.max(1, limit.arrival - now),
      });
    if (record !== undefined) {
      const same = keys.same(record.index.same);
      const until = Math.min(now + SAME_LEAD_MS, record.expiresAt);
      const expiry = { expireIn: Math.max(1, record.expiresAt - now) };
      commit
        .check({ key: same, versionstamp: null })
        .set(same, { id: record.id, until } satisfies SameEntry, { expireIn: until - now })
        .set(keys.byEmail(record.index.email, record.id), null, expiry);
      writeLead(commit, toStored(record, sealer), now);
    }
    const result = await commitInTime(commit);
    return result.ok ? result.versionstamp : null;
  }

  async obstacle(limit: LimitWrite, record?: LeadRecord): Promise<Obstacle> {
    const kv = await this.options.open();
    const sameKey = keys.same(record?.index.same ?? "");
    const [held, same] = await readInTime(
      kv.getMany<[LimitEntry, SameEntry]>([keys.limit(limit.client), sameKey]),
    );
    const twin = same.value === null || same.value.until <= this.options.now()
      ? null
      : await this.get(same.value.id);
    // What has expired but still stands in the way is cleared, unless it has changed since.
    if (same.value !== null && twin === null) {
      await commitInTime(kv.atomic().check(same).delete(sameKey));
    }
    return { arrival: held.value?.arrival ?? 0, versionstamp: held.versionstamp, same: twin };
  }

  async get(id: string): Promise<LeadRecord | null> {
    const kv = await this.options.open();
    const { value } = await readInTime(kv.get<StoredLead>(keys.lead(id)));
    return this.isLive(value) ? fromStored(value, this.options.sealer) : null;
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
    const kv = await this.options.open();
    for (let race = 0; race < MOST_RACES; race++) {
      const entry = await readInTime(kv.get<StoredLead>(keys.lead(id)));
      const changed = entry.value === null ? undefined : next(entry.value);
      if (entry.value === null || changed === undefined) return null;
      const commit = kv.atomic().check(entry);
      deleteDeliveries(commit, entry.value);
      writeLead(commit, changed, this.options.now());
      if ((await commitInTime(commit)).ok) return changed;
    }
    throw new Error("Cannot change a lead: others kept changing it");
  }

  remove({ id }: Pick<LeadRecord, "id">): Promise<Removed> {
    return this.#remove(id);
  }

  async #remove(id: string): Promise<Removed> {
    const kv = await this.options.open();
    for (let race = 0; race < MOST_RACES; race++) {
      const entry = await readInTime(kv.get<StoredLead>(keys.lead(id)));
      const lead = entry.value;
      if (lead === null) return NOTHING_REMOVED;
      const sameKey = keys.same(lead.index.same);
      const same = await readInTime(kv.get<SameEntry>(sameKey));
      const commit = kv.atomic().check(entry).delete(entry.key)
        .delete(keys.byEmail(lead.index.email, id));
      deleteDeliveries(commit, lead);
      const isOurs = same.value?.id === id; // a day later the same content is another lead's
      if (isOurs) commit.delete(sameKey);
      if (!(await commitInTime(commit)).ok) continue;
      const states = Object.values(lead.deliveries).map(({ state }) => state);
      return {
        leads: 1,
        queued: states.filter((state) => state === "waiting").length,
        dead: states.filter((state) => state === "dead").length,
        index: isOurs ? 2 : 1,
      };
    }
    throw new Error("Cannot remove a lead: others kept changing it");
  }

  async due(
    target: string,
    { now, most }: { now: number; most: number },
  ): Promise<DueJob[]> {
    const kv = await this.options.open();
    const range = { start: keys.queue(target), end: [...keys.queue(target), now + 1] };
    return (await readInTime(Array.fromAsync(kv.list(range, { limit: most })))).map(jobOf);
  }

  async nextDue(target: string): Promise<number | undefined> {
    const kv = await this.options.open();
    const first = kv.list({ prefix: keys.queue(target) }, { limit: 1 });
    return (await readInTime(Array.fromAsync(first))).map(jobOf)[0]?.due;
  }

  async dropStray(target: string, { id, due }: DueJob): Promise<void> {
    const kv = await this.options.open();
    const lead = await readInTime(kv.get<StoredLead>(keys.lead(id)));
    if (this.isLive(lead.value) && lead.value.deliveries[target]?.due === due) return;
    await commitInTime(kv.atomic().check(lead).delete(keys.due(target, due, id)));
  }

  async purge(most: number): Promise<number> {
    const kv = await this.options.open();
    const oldest = kv.list<StoredLead>({ prefix: keys.leads() }, { limit: most });
    const leads = (await readInTime(Array.fromAsync(oldest))).map(({ value }) => value);
    const expired = leads.filter((lead) => !this.isLive(lead));
    for (const { id } of expired) await this.#remove(id);
    return expired.length;
  }

  /** Whether a lead is there and within its retention. */
  protected isLive(lead: StoredLead | null): lead is StoredLead {
    if (lead === null) return false;
    const { now, retentionMs } = this.options;
    return now() < Math.min(lead.expiresAt, lead.receivedAt + retentionMs);
  }
}

const SECRET_OWNER = "secret";

const NOTHING_REMOVED: Removed = { leads: 0, queued: 0, dead: 0, index: 0 };

function jobOf({ key }: Deno.KvEntry<unknown>): DueJob {
  return { due: Number(key.at(-2)), id: String(key.at(-1)) };
}
