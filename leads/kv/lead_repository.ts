/**
 * @module Reads, changes and removes single leads. Each change is a compare-and-set on the record,
 * together with all entries derived from it.
 */

import { lazy } from "../../lib/lazy.ts";
import { type LeadRecord, retentionEnd } from "../lead.ts";
import type { Sealer } from "../sealing.ts";
import { type Change, UnusableLead } from "../ports.ts";
import { isUndecodable } from "./error_reasons.ts";
import type { GroupCommit } from "./group_commit.ts";
import { type KvGuard, TooLarge } from "./guard.ts";
import { keys } from "./keys.ts";
import { type Found, LeadReader, usable } from "./lead_reader.ts";
import {
  arrivalOf,
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

  async change(id: string, change: Change): Promise<LeadRecord | null> {
    let record: LeadRecord | null = null;
    const changed = await this.replace(id, (entry) => {
      const deliveries = this.isLive(entry) ? change(entry.value.deliveries) : undefined;
      if (deliveries === undefined) return undefined;
      // Opened before the commit: a lead whose key is missing is not claimed.
      record = { ...fromStored(entry.value, this.#db.sealer), deliveries };
      return { ...entry.value, deliveries };
    });
    return changed ? record : null;
  }

  /**
   * Compare-and-set on a stored lead and its queue entries; repeated if another instance was first.
   *
   * @returns whether it was changed
   * @throws {UnusableLead} also if the changed lead is too large
   */
  async replace(
    id: string,
    next: (entry: Deno.KvEntry<StoredLead>) => StoredLead | undefined,
  ): Promise<boolean> {
    const { kv, now } = this.#db;
    for (let race = 0; race < MOST_RACES; race++) {
      const found = await this.reader.find(id);
      if (found === null) return false;
      const entry = usable(found);
      const changed = next(entry);
      if (changed === undefined) return false;
      try {
        const { ok } = await kv.commit((kv) => {
          const commit = kv.atomic().check(entry);
          deleteDeliveries(commit, entry.value);
          writeLead(commit, changed, now());
          return commit;
        });
        if (ok) return true;
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
