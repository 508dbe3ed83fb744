/** @module The store with what its operator needs besides: all leads, one person's, sealing anew. */

import type { LeadRecord } from "../lead.ts";
import type { OperatorStore } from "../store.ts";
import { keys } from "./keys.ts";
import { fromStored, type StoredLead, toStored } from "./records.ts";
import { KvLeadStore } from "./store.ts";

/** Entries fetched at once when all leads are read. */
const BATCH = 100;

/** {@link OperatorStore} on Deno KV. */
export class KvOperatorStore extends KvLeadStore implements OperatorStore {
  async *all(): AsyncIterable<LeadRecord> {
    for await (const { value } of this.#stored()) {
      if (this.isLive(value)) yield fromStored(value, this.options.sealer);
    }
  }

  async ofPerson(email: string): Promise<LeadRecord[]> {
    const person = { prefix: keys.person(email) };
    const entries = await this.kv.read((kv) => Array.fromAsync(kv.list(person)));
    const leads = await Promise.all(entries.map(({ key }) => this.get(String(key.at(-1)))));
    return leads.filter((lead) => lead !== null);
  }

  async reseal(progress: (done: number) => void): Promise<{ leads: number; resealed: number }> {
    const { sealer } = this.options;
    await this.secret(); // sealed with the newest key by being read
    let leads = 0;
    let resealed = 0;
    for await (const { value } of this.#stored()) {
      leads++;
      if (!sealer.isCurrent(value.content)) {
        await this.replace(value.id, (lead) => toStored(fromStored(lead, sealer), sealer));
        resealed++;
      }
      if (leads % BATCH === 0) progress(leads);
    }
    return { leads, resealed };
  }

  async *#stored(): AsyncIterable<Deno.KvEntry<StoredLead>> {
    const kv = await this.options.open();
    yield* kv.list<StoredLead>({ prefix: keys.leads() }, { batchSize: BATCH });
  }
}
