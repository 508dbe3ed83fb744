/**
 * @module Reads, changes and removes single leads. Each change is a compare-and-set on the record,
 * together with all entries derived from it.
 */

import type { Deliveries, LeadRecord } from "../lead.ts";
import type { Sealer } from "../sealing.ts";
import type { Removed } from "../store.ts";
import type { KvGuard } from "./guard.ts";
import { keys } from "./keys.ts";
import {
  deleteDeliveries,
  deleteLead,
  fromStored,
  NOTHING_REMOVED,
  removedWith,
  type SameEntry,
  type StoredLead,
  writeLead,
} from "./records.ts";

/** What the parts of the store share. */
export interface Database {
  readonly kv: KvGuard;
  readonly now: () => number;
  readonly sealer: Sealer;
  /** Applies also to leads that were stored with a longer retention. */
  readonly retentionMs: number;
}

/** More than any number of instances that change one lead at once. */
const MOST_RACES = 50;

/** The leads of one database. */
export class LeadRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async get(
    id: string,
    { expired = false }: { readonly expired?: boolean } = {},
  ): Promise<LeadRecord | null> {
    const { value } = await this.entry(id);
    return value !== null && (expired || this.isLive(value))
      ? fromStored(value, this.#db.sealer)
      : null;
  }

  /** The record with its versionstamp, even past its retention. */
  entry(id: string): Promise<Deno.KvEntryMaybe<StoredLead>> {
    return this.#db.kv.read((kv) => kv.get<StoredLead>(keys.lead(id)));
  }

  async change(
    id: string,
    change: (deliveries: Deliveries) => Deliveries | undefined,
  ): Promise<LeadRecord | null> {
    const changed = await this.replace(id, (lead) => {
      const deliveries = this.isLive(lead) ? change(lead.deliveries) : undefined;
      return deliveries && { ...lead, deliveries };
    });
    return changed && fromStored(changed, this.#db.sealer);
  }

  /** Compare-and-set on a stored lead and its queue entries; repeated if another instance was first. */
  async replace(
    id: string,
    next: (lead: StoredLead) => StoredLead | undefined,
  ): Promise<StoredLead | null> {
    const { kv, now } = this.#db;
    for (let race = 0; race < MOST_RACES; race++) {
      const entry = await this.entry(id);
      const lead = entry.value;
      const changed = lead === null ? undefined : next(lead);
      if (lead === null || changed === undefined) return null;
      const { ok } = await kv.commit((kv) => {
        const commit = kv.atomic().check(entry);
        deleteDeliveries(commit, lead);
        writeLead(commit, changed, now());
        return commit;
      });
      if (ok) return changed;
    }
    throw new Error("Cannot change a lead: others kept changing it");
  }

  async remove(id: string): Promise<Removed> {
    const { kv } = this.#db;
    for (let race = 0; race < MOST_RACES; race++) {
      const entry = await this.entry(id);
      const lead = entry.value;
      if (lead === null) return NOTHING_REMOVED;
      const same = await kv.read((kv) => kv.get<SameEntry>(keys.same(lead.index.same)));
      let index = 0;
      const { ok } = await kv.commit((kv) => {
        const commit = kv.atomic().check(entry);
        index = deleteLead(commit, lead, { same: same.value });
        return commit;
      });
      if (ok) return removedWith(lead, index);
    }
    throw new Error("Cannot remove a lead: others kept changing it");
  }

  /** Whether a lead exists and is within its retention. */
  isLive(lead: StoredLead | null): lead is StoredLead {
    if (lead === null) return false;
    const { now, retentionMs } = this.#db;
    return now() < Math.min(lead.expiresAt, lead.receivedAt + retentionMs);
  }
}
