/**
 * @module Reads, changes and removes single leads. Each change is a compare-and-set on the record,
 * together with all entries derived from it.
 */

import { lazy } from "../../lib/lazy.ts";
import { type Delivery, type LeadRecord, retentionEnd } from "../lead.ts";
import type { Sealer } from "../sealing.ts";
import { arrivalOf } from "../lead_id.ts";
import { type Change, type Claims, type DueJob, type Lease, UnusableLead } from "../ports.ts";
import { isUndecodable } from "./error_reasons.ts";
import type { GroupCommit } from "./group_commit.ts";
import { type KvGuard, TooLarge } from "./guard.ts";
import { keys } from "./keys.ts";
import { type Found, LeadReader, usable } from "./lead_reader.ts";
import {
  deleteDeliveries,
  fromStored,
  type SameEntry,
  type StoredLead,
  writeLead,
} from "./codec.ts";

/** What the parts of the store share. */
export interface Database {
  readonly kv: KvGuard;
  readonly groupCommit: GroupCommit;
  readonly now: () => number;
  readonly sealer: Sealer;
  /** Applies also to leads that were stored with a longer retention. */
  readonly retentionMs: number;
  readonly unusable: (error: UnusableLead) => void;
}

/** What the parts of the store share, with its leads. */
export interface StoreDeps extends Database {
  readonly leads: LeadRepository;
}

/** More than any number of instances that change one lead at once. */
const MOST_RACES = 50;

export class LeadRepository {
  readonly #db: Database;
  readonly #entries = new WeakMap<LeadRecord, Deno.KvEntry<StoredLead>>();
  readonly reader: LeadReader;

  constructor(db: Database) {
    this.#db = db;
    this.reader = new LeadReader(db.kv);
  }

  async get(id: string, { expired = false } = {}): Promise<LeadRecord | null> {
    const found = await this.reader.find(id);
    if (found === null || !(expired || this.isLive(found))) return null;
    return fromStored(usable(found).value, this.#db.sealer);
  }

  async change(lead: string | LeadRecord, change: Change): Promise<LeadRecord | null> {
    let record: LeadRecord | null = null;
    const changed = await this.replace(lead, (entry) => {
      const deliveries = this.isLive(entry) ? change(entry.value.deliveries) : undefined;
      if (deliveries === undefined) return undefined;
      // Opened before the commit: a lead whose key is missing is not claimed.
      record = { ...fromStored(entry.value, this.#db.sealer), deliveries };
      return { ...entry.value, deliveries };
    });
    if (changed !== null && record !== null) this.remember(record, changed);
    return changed && record;
  }

  async claim(jobs: readonly DueJob[], lease: Lease): Promise<Claims> {
    try {
      return await this.#claimTogether(jobs, lease);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      const [job, ...more] = jobs;
      if (more.length === 0) {
        return { claimed: [], unusable: [[job!, new UnusableLead(job!.id, error.message)]] };
      }
      const each = await Promise.all(jobs.map((one) => this.claim([one], lease)));
      return {
        claimed: each.flatMap(({ claimed }) => claimed),
        unusable: each.flatMap(({ unusable }) => unusable),
      };
    }
  }

  async #claimTogether(jobs: readonly DueJob[], lease: Lease): Promise<Claims> {
    const { kv, now, sealer } = this.#db;
    const found = await this.reader.findTogether(jobs.map(({ id }) => id));
    const unusable: [DueJob, UnusableLead][] = [];
    const strays: { job: DueJob; lead: Deno.AtomicCheck }[] = [];
    const changes = jobs.flatMap((job, index) => {
      try {
        const entry = found[index] && usable(found[index]);
        const deliveries = entry && lease(entry.value.deliveries, job);
        if (!entry || !deliveries) {
          const lead = entry ?? { key: keys.lead(job.id), versionstamp: null };
          if (isStray(job, entry?.value.deliveries[job.target])) strays.push({ job, lead });
          return [];
        }
        // Opened before the commit: a lead whose key is missing is not claimed.
        const record = { ...fromStored(entry.value, sealer), deliveries };
        return [{ job, entry, value: { ...entry.value, deliveries }, record }];
      } catch (error) {
        if (!(error instanceof UnusableLead)) throw error;
        unusable.push([job, error]);
        return [];
      }
    });
    if (strays.length > 0) {
      await kv.commit((kv) =>
        strays.reduce(
          (commit, { job, lead }) => commit.check(lead).delete(jobKey(job)),
          kv.atomic(),
        )
      );
    }
    const result = changes.length > 0 && await kv.commit((kv) => {
      const commit = kv.atomic();
      for (const { job, entry, value } of changes) {
        commit.delete(jobKey(job)); // of one that was put off, the record does not know it
        addChange(commit, entry, value, now());
      }
      return commit;
    });
    if (!result || !result.ok) return { claimed: [], unusable };
    for (const { entry: { key }, value, record } of changes) {
      this.remember(record, { key, value, versionstamp: result.versionstamp });
    }
    return { claimed: changes.map(({ record }) => record), unusable };
  }

  /** Lets the next change of this record go without a read. */
  remember(record: LeadRecord, entry: Deno.KvEntry<StoredLead>): void {
    this.#entries.set(record, entry);
  }

  /**
   * Compare-and-set on a stored lead and its queue entries; repeated if another instance was first.
   *
   * @returns the changed entry; null: there is none
   * @throws {UnusableLead} also if the changed lead is too large
   */
  async replace(
    lead: string | LeadRecord,
    next: (entry: Deno.KvEntry<StoredLead>) => StoredLead | undefined,
  ): Promise<Deno.KvEntry<StoredLead> | null> {
    const { groupCommit, now } = this.#db;
    const id = typeof lead === "string" ? lead : lead.id;
    let known = typeof lead === "string" ? undefined : this.#entries.get(lead);
    for (let race = 0; race < MOST_RACES; race++) {
      const found = known ?? await this.reader.find(id);
      known = undefined;
      if (found === null) return null;
      const entry = usable(found);
      const value = next(entry);
      if (value === undefined) return null;
      try {
        const addTo = (commit: Deno.AtomicOperation) => addChange(commit, entry, value, now());
        const versionstamp = await groupCommit({ claims: [id], addTo });
        if (versionstamp !== null) return { key: entry.key, value, versionstamp };
      } catch (error) {
        if (!(error instanceof TooLarge)) throw error;
        throw new UnusableLead(id, error.message, { cause: error });
      }
    }
    throw new Error("Cannot change a lead: others kept changing it");
  }

  /** @param options.onlyExpired leaves a lead alone that has been sent again meanwhile */
  async remove(id: string, { person = "", onlyExpired = false } = {}): Promise<boolean> {
    const { kv, groupCommit } = this.#db;
    for (let race = 0; race < MOST_RACES; race++) {
      const found = await this.reader.find(id);
      if (onlyExpired && found !== null && this.isLive(found)) return false;
      if (found === null || found instanceof UnusableLead) {
        // It does not tell its other entries: jobs are dropped once they are due, and KV deletes those
        // of a lead that did not wait when its retention ends.
        const known = [keys.lead(id), keys.stored(id), keys.byEmail(person, id)];
        await kv.commit((kv) => known.reduce((commit, key) => commit.delete(key), kv.atomic()));
        return found !== null;
      }
      const { index } = found.value;
      const same = keys.same(index.same);
      // After a day the entry may belong to another lead.
      const isOwn = (await kv.getOrRemove<SameEntry>(same)).value?.id === id;
      const versionstamp = await groupCommit({
        claims: [id],
        addTo(commit) {
          commit.check(found).delete(found.key).delete(keys.byEmail(index.email, id));
          deleteDeliveries(commit, found.value);
          if (isOwn) commit.delete(same);
        },
      });
      if (versionstamp !== null) return true;
    }
    throw new Error("Cannot remove a lead: others kept changing it");
  }

  /**
   * The keys of entries that are nothing but a key. A damaged one fails each list, which does not name it:
   * then all of them are written again.
   */
  async keysIn(range: Deno.KvListSelector, options: Deno.KvListOptions): Promise<Deno.KvKey[]> {
    const list = () =>
      this.#db.kv.read((kv) => Array.fromAsync(kv.list(range, options), ({ key }) => key));
    try {
      return await list();
    } catch (error) {
      if (!isUndecodable(error)) throw error;
      await this.#rewriteEntries();
      return await list();
    }
  }

  /** Once: that of a lead that is unusable or gone stays damaged. */
  readonly #rewriteEntries = lazy(async () => {
    const { kv, now } = this.#db;
    for await (const page of this.reader.pages()) {
      for (const found of page) {
        if (found instanceof UnusableLead) continue;
        await kv.commit((kv) => {
          const commit = kv.atomic().check(found);
          deleteDeliveries(commit, found.value);
          writeLead(commit, found.value, now());
          return commit;
        });
      }
    }
  });

  /** Whether a lead is within its retention; one that cannot be read, by the time in its id. */
  isLive(found: Found): boolean {
    const { now, retentionMs } = this.#db;
    if (found instanceof UnusableLead) return !(now() >= arrivalOf(found.id) + retentionMs);
    return now() < retentionEnd(found.value, retentionMs);
  }
}

/** Whether an entry does not match its lead; that of a job which another process has just claimed is gone. */
function isStray({ due }: DueJob, delivery: Delivery | undefined): boolean {
  return delivery?.state !== "waiting" || (delivery.due !== due && !delivery.leased);
}

function jobKey({ target, due, id }: DueJob): Deno.KvKey {
  return keys.due(target, due, id);
}

/** Writes a changed lead, if it is still the one that was read. */
function addChange(
  commit: Deno.AtomicOperation,
  entry: Deno.KvEntry<StoredLead>,
  value: StoredLead,
  now: number,
): void {
  commit.check(entry);
  deleteDeliveries(commit, entry.value);
  writeLead(commit, value, now);
}
