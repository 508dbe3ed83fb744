/** @module The methods for operators' commands: all leads, one person's leads, resealing. */

import { CannotOpen } from "../sealing.ts";
import { type OperatorStore, UnusableLead } from "../store.ts";
import { keys } from "./keys.ts";
import type { Database, LeadRepository } from "./lead_repository.ts";
import { fromStored, NOTHING_REMOVED, type StoredLead, toStored } from "./records.ts";
import type { StoreSecret } from "./secret.ts";

/** Leads read at once. */
const BATCH = 100;

/** Implements {@link OperatorStore}, except `remove`. */
export function createOperatorMethods(
  { kv: guard, sealer }: Database,
  { leads, storeSecret, unusable }: {
    readonly leads: Pick<LeadRepository, "entry" | "isLive" | "replace">;
    readonly storeSecret: StoreSecret;
    readonly unusable: ((error: UnusableLead) => void) | undefined;
  },
): Pick<OperatorStore, "all" | "ofPerson" | "removeStray" | "reseal"> {
  /** All stored leads, one page a call, so that each page has its deadline. */
  async function* stored(from = ""): AsyncIterable<StoredLead> {
    let start = keys.lead(from);
    for (;;) {
      const range = { prefix: keys.leads(), start };
      const page = await guard.read((kv) =>
        Array.fromAsync(kv.list<StoredLead>(range, { limit: BATCH }))
      );
      for (const { value } of page) yield value;
      const last = page.at(-1);
      if (last === undefined || page.length < BATCH) return;
      start = keys.lead(`${last.value.id}\0`); // the least key after the last one
    }
  }

  return {
    async *all({ from } = {}) {
      for await (const each of stored(from)) {
        if (!leads.isLive(each)) continue;
        try {
          yield fromStored(each, sealer);
        } catch (error) {
          if (!(error instanceof CannotOpen) || unusable === undefined) throw error;
          unusable(new UnusableLead(each.id, error.message, { cause: error }));
        }
      }
    },

    async ofPerson(email) {
      const person = { prefix: keys.person(email) };
      const entries = await guard.read((kv) => Array.fromAsync(kv.list(person)));
      return entries.map(({ key }) => String(key.at(-1)));
    },

    async removeStray(email, id) {
      const lead = await leads.entry(id);
      if (lead.value !== null) return NOTHING_REMOVED;
      await guard.commit((kv) => kv.atomic().check(lead).delete(keys.byEmail(email, id)));
      return { ...NOTHING_REMOVED, index: 1 };
    },

    async reseal() {
      await storeSecret.reseal();
      const count = { leads: 0, resealed: 0 };
      for await (const { id, content } of stored()) {
        count.leads++;
        if (sealer.isCurrent(content)) continue;
        await leads.replace(id, (lead) => toStored(fromStored(lead, sealer), sealer));
        count.resealed++;
      }
      return count;
    },
  };
}
