/**
 * @module Reads, changes and removes single leads. Each change is a compare-and-set on the record,
 * together with all entries derived from it.
 */

import type { Deliveries, LeadRecord } from "../lead.ts";
import type { Sealer } from "../sealing.ts";
import { lazy } from "../../schemas/lazy.ts";
import { type Removed, UnusableLead } from "../store.ts";
import { isUndecodable } from "./cause.ts";
import { type KvGuard, TooLarge } from "./guard.ts";
import { keys } from "./keys.ts";
import { type Found, LeadReader, usable } from "./lead_reader.ts";
import {
  arrivalOf,
  deleteDeliveries,
  deleteLead,
  fromStored,
  NOTHING_REMOVED,
  removedWith,
  type SameEntry,
  type StoredLead,
  writeEntries,
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

/** Queue and index entries read at once. */
const BATCH = 500;

/** More than any number of instances that change one lead at once. */
const MOST_RACES = 50;

/** The leads of one database. */
export class LeadRepository {
  readonly #db: Database;
  readonly reader: LeadReader;

  constructor(db: Database) {
    this.#db = db;
    this.reader = new LeadReader(db.kv);
  }

  async get(
    id: string,
    { expired = false }: { readonly expired?: boolean } = {},
  ): Promise<LeadRecord | null> {
    const found = await this.reader.find(id);
    if (found === null || !(expired || this.isLive(found))) return null;
    return fromStored(usable(found).value, this.#db.sealer);
  }

  async change(
    id: string,
    change: (deliveries: Deliveries) => Deliveries | undefined,
  ): Promise<LeadRecord | null> {
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
      const entry = await this.reader.entry(id);
      const changed = entry === null ? undefined : next(entry);
      if (entry === null || changed === undefined) return false;
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

  async remove(id: string): Promise<Removed> {
    const { kv } = this.#db;
    for (let race = 0; race < MOST_RACES; race++) {
      const entry = await this.reader.find(id);
      if (entry === null) return NOTHING_REMOVED;
      if (entry instanceof UnusableLead) return await this.removeUnusable([entry]);
      const lead = entry.value;
      const same = await kv.getOrRemove<SameEntry>(keys.same(lead.index.same));
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

  /** Removes leads whose record does not tell what is derived from it: all entries are searched. */
  async removeUnusable(leads: readonly UnusableLead[]): Promise<Removed> {
    const { kv } = this.#db;
    const ids = new Set(leads.map(({ id }) => id));
    const removed = { ...NOTHING_REMOVED, leads: ids.size };
    const people = keys.people();
    const kinds = [
      ["queued", keys.queues()],
      ["dead", keys.allDead()],
      ["index", keys.allStored()],
      ["index", people],
    ] as const;
    for (const [kind, prefix] of kinds) {
      for await (const key of this.#keysBelow(prefix)) {
        const id = String(key.at(-1));
        if (!ids.has(id)) continue;
        // Together: after an interruption, `erase` would not find the lead without its person.
        const lead = prefix === people ? keys.lead(id) : key;
        await kv.commit((kv) => kv.atomic().delete(key).delete(lead));
        removed[kind]++;
      }
    }
    // Last, so that an interrupted removal can be repeated.
    for (const id of ids) await kv.commit((kv) => kv.atomic().delete(keys.lead(id)));
    return removed;
  }

  /**
   * The keys of entries that are nothing but a key. A damaged one fails each list, which does not name it:
   * then all of them are written again.
   */
  async keysIn(
    range: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): Promise<Deno.KvKey[]> {
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
    for await (const found of this.reader.all()) {
      if (found instanceof UnusableLead) continue;
      await kv.commit((kv) => {
        const commit = kv.atomic().check(found);
        writeEntries(commit, found.value, now());
        return commit;
      });
    }
  });

  async *#keysBelow(prefix: Deno.KvKey): AsyncIterable<Deno.KvKey> {
    for (let start: Deno.KvKey = [...prefix, ""];;) {
      const range = { prefix, start };
      const page = await this.keysIn(range, { limit: BATCH });
      yield* page;
      if (page.length < BATCH) return;
      start = [...page.at(-1)!, ""]; // the least key after the last one
    }
  }

  /** Whether a lead is within its retention; one that cannot be read, by the time in its id. */
  isLive(found: Found): boolean {
    const { now, retentionMs } = this.#db;
    if (found instanceof UnusableLead) return !(now() >= arrivalOf(found.id) + retentionMs);
    const { receivedAt, expiresAt } = found.value;
    return now() < Math.min(expiresAt, receivedAt + retentionMs);
  }
}
