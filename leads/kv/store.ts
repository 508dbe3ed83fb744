/**
 * @module The store of leads on Deno KV.
 *
 * Each commit is one atomic operation guarded by versionstamps. Queue, dead letters and indexes are
 * written with the lead they belong to, never alone. `expireIn` only tidies up: what has expired is
 * decided on read, from what is stored.
 */

import type { Deliveries, LeadRecord } from "../lead.ts";
import type { DueJob, LeadStore, LimitWrite, Obstacle } from "../store.ts";
import { commitInTime, readInTime } from "./deadline.ts";
import { keys } from "./keys.ts";

/** What the store needs of a database. */
export type KvAccess = Pick<Deno.Kv, "get" | "getMany" | "list" | "atomic">;

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

/** {@link LeadStore} on Deno KV. */
export class KvLeadStore implements LeadStore {
  readonly #kv: KvAccess;
  readonly #now: () => number;
  #secret: Promise<Uint8Array> | undefined;

  constructor(kv: KvAccess, now: () => number) {
    this.#kv = kv;
    this.#now = now;
  }

  secret(): Promise<Uint8Array> {
    this.#secret ??= this.#makeSecret().catch((error: unknown) => {
      this.#secret = undefined;
      throw error;
    });
    return this.#secret;
  }

  async #makeSecret(): Promise<Uint8Array> {
    const key = keys.secret();
    const fresh = crypto.getRandomValues(new Uint8Array(32));
    const held = await readInTime(this.#kv.get<Uint8Array>(key));
    if (held.value !== null) return held.value;
    await commitInTime(this.#kv.atomic().check(held).set(key, fresh));
    // Another instance may have been first: what counts is what is stored.
    const stored = await readInTime(this.#kv.get<Uint8Array>(key));
    if (stored.value === null) throw new Error("Cannot keep the store's secret: KV forgot it");
    return stored.value;
  }

  async accept(limit: LimitWrite, record?: LeadRecord): Promise<string | null> {
    const now = this.#now();
    const limitKey = keys.limit(limit.client);
    const commit = this.#kv.atomic()
      .check({ key: limitKey, versionstamp: limit.seen })
      .set(limitKey, { arrival: limit.arrival } satisfies LimitEntry, {
        expireIn: Math.max(1, limit.arrival - now),
      });
    if (record !== undefined) {
      const same = keys.same(record.index.same);
      const until = Math.min(now + SAME_LEAD_MS, record.expiresAt);
      commit
        .check({ key: same, versionstamp: null })
        .set(same, { id: record.id, until } satisfies SameEntry, { expireIn: until - now })
        .set(keys.byEmail(record.index.email, record.id), null, { expireIn: ttl(record, now) });
      writeLead(commit, record, now);
    }
    const result = await commitInTime(commit);
    return result.ok ? result.versionstamp : null;
  }

  async obstacle(limit: LimitWrite, record?: LeadRecord): Promise<Obstacle> {
    const sameKey = keys.same(record?.index.same ?? "");
    const [held, same] = await readInTime(
      this.#kv.getMany<[LimitEntry, SameEntry]>([keys.limit(limit.client), sameKey]),
    );
    const twin = same.value === null || same.value.until <= this.#now()
      ? null
      : await this.get(same.value.id);
    if (same.value !== null && twin === null) await this.#forget(same);
    return { arrival: held.value?.arrival ?? 0, versionstamp: held.versionstamp, same: twin };
  }

  /** Removes an entry that has expired but was still there, unless it has changed since. */
  async #forget(entry: Deno.KvEntryMaybe<unknown>): Promise<void> {
    await commitInTime(this.#kv.atomic().check(entry).delete(entry.key));
  }

  async get(id: string): Promise<LeadRecord | null> {
    return this.#live(await readInTime(this.#kv.get<LeadRecord>(keys.lead(id))));
  }

  #live({ value }: Deno.KvEntryMaybe<LeadRecord>): LeadRecord | null {
    return value === null || value.expiresAt <= this.#now() ? null : value;
  }

  async change(
    id: string,
    change: (deliveries: Deliveries) => Deliveries | undefined,
  ): Promise<LeadRecord | null> {
    for (let race = 0; race < MOST_RACES; race++) {
      const entry = await readInTime(this.#kv.get<LeadRecord>(keys.lead(id)));
      const record = this.#live(entry);
      const deliveries = record === null ? undefined : change(record.deliveries);
      if (record === null || deliveries === undefined) return null;
      const changed = { ...record, deliveries };
      const commit = this.#kv.atomic().check(entry);
      deleteIndex(commit, record);
      writeLead(commit, changed, this.#now());
      if ((await commitInTime(commit)).ok) return changed;
    }
    throw new Error("Cannot change a lead: others kept changing it");
  }

  async remove(record: LeadRecord): Promise<void> {
    const current = await this.get(record.id) ?? record;
    const commit = this.#kv.atomic();
    deleteIndex(commit, current);
    await commitInTime(
      commit
        .delete(keys.lead(current.id))
        .delete(keys.same(current.index.same))
        .delete(keys.byEmail(current.index.email, current.id)),
    );
  }

  async due(
    target: string,
    { now, most }: { now: number; most: number },
  ): Promise<DueJob[]> {
    const end = [...keys.queue(target), now + 1];
    const jobs = this.#kv.list<null>({ start: keys.queue(target), end }, { limit: most });
    return (await readInTime(Array.fromAsync(jobs))).map(jobOf);
  }

  async nextDue(target: string): Promise<number | undefined> {
    const jobs = this.#kv.list<null>({ prefix: keys.queue(target) }, { limit: 1 });
    return (await readInTime(Array.fromAsync(jobs))).map(jobOf)[0]?.due;
  }

  async dropJob(target: string, job: DueJob): Promise<void> {
    await commitInTime(this.#kv.atomic().delete(keys.due(target, job.due, job.id)));
  }
}

function jobOf({ key }: Deno.KvEntry<null>): DueJob {
  return { due: Number(key.at(-2)), id: String(key.at(-1)) };
}

function ttl(record: LeadRecord, now: number): number {
  return Math.max(1, record.expiresAt - now);
}

/** Writes a lead and the index entries that its deliveries call for. */
function writeLead(commit: Deno.AtomicOperation, record: LeadRecord, now: number): void {
  const expiry = { expireIn: ttl(record, now) };
  commit.set(keys.lead(record.id), record, expiry);
  for (const [target, { state, due }] of Object.entries(record.deliveries)) {
    if (state === "waiting") commit.set(keys.due(target, due, record.id), null, expiry);
    if (state === "dead") commit.set(keys.dead(target, record.id), null, expiry);
  }
}

/** Removes the index entries of a lead's deliveries as they were. */
function deleteIndex(commit: Deno.AtomicOperation, record: LeadRecord): void {
  for (const [target, { state, due }] of Object.entries(record.deliveries)) {
    if (state === "waiting") commit.delete(keys.due(target, due, record.id));
    if (state === "dead") commit.delete(keys.dead(target, record.id));
  }
}
