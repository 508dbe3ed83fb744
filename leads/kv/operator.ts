/** @module The store with what its operator needs besides: all leads, one person's, sealing anew. */

import type { LeadRecord } from "../lead.ts";
import { CannotOpen } from "../sealing.ts";
import type { OperatorStore, Removed } from "../store.ts";
import { keys } from "./keys.ts";
import { fromStored, NOTHING_REMOVED, type StoredLead, toStored } from "./records.ts";
import { KvLeadStore } from "./store.ts";

/** Entries fetched at once when all leads are read. */
const BATCH = 100;

/** {@link OperatorStore} on Deno KV. */
export class KvOperatorStore extends KvLeadStore implements OperatorStore {
  async *all(): AsyncIterable<LeadRecord> {
    const { sealer, unreadable } = this.options;
    for await (const stored of this.#stored()) {
      if (!this.isLive(stored)) continue;
      let lead: LeadRecord;
      try {
        lead = fromStored(stored, sealer);
      } catch (error) {
        if (!(error instanceof CannotOpen) || unreadable === undefined) throw error;
        unreadable(error);
        continue;
      }
      yield lead;
    }
  }

  async ofPerson(email: string): Promise<string[]> {
    const person = { prefix: keys.person(email) };
    const entries = await this.kv.read((kv) => Array.fromAsync(kv.list(person)));
    return entries.map(({ key }) => String(key.at(-1)));
  }

  async removeStray(email: string, id: string): Promise<Removed> {
    const lead = await this.entry(id);
    if (lead.value !== null) return NOTHING_REMOVED;
    await this.kv.commit((kv) => kv.atomic().check(lead).delete(keys.byEmail(email, id)));
    return { ...NOTHING_REMOVED, index: 1 };
  }

  async reseal(progress: (done: number) => void): Promise<{ leads: number; resealed: number }> {
    const { sealer } = this.options;
    await this.storeSecret.reseal();
    let leads = 0;
    let resealed = 0;
    for await (const { id, content } of this.#stored()) {
      leads++;
      if (!sealer.isCurrent(content)) {
        await this.replace(id, (lead) => toStored(fromStored(lead, sealer), sealer));
        resealed++;
      }
      if (leads % BATCH === 0) progress(leads);
    }
    return { leads, resealed };
  }

  /** All leads as they lie in KV, a page a call, so that each call has its deadline. */
  async *#stored(): AsyncIterable<StoredLead> {
    let start: Deno.KvKey | undefined;
    for (;;) {
      const prefix = keys.leads();
      const range = start === undefined ? { prefix } : { prefix, start };
      const page = await this.kv.read((kv) =>
        Array.fromAsync(kv.list<StoredLead>(range, { limit: BATCH }))
      );
      for (const { value } of page) yield value;
      const last = page.at(-1);
      if (last === undefined || page.length < BATCH) return;
      // The least key after the last one.
      start = keys.lead(`${last.value.id}\0`);
    }
  }
}
