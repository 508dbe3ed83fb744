/** @module The methods for operators' commands: all leads, one person's leads, resealing. */

import { type LeadStore, UnusableLead } from "../ports.ts";
import { keys } from "./keys.ts";
import { usable } from "./lead_reader.ts";
import type { StoreDeps } from "./lead_repository.ts";
import { fromStored, toStored } from "./codec.ts";
import type { StoreSecret } from "./secret.ts";

export function createOperatorMethods(
  { leads, kv: guard, sealer, unusable }: StoreDeps,
  storeSecret: StoreSecret,
): Pick<LeadStore, "all" | "counts" | "ofPerson" | "reseal"> {
  /** @returns what `use` returns; undefined for a lead that cannot be used */
  async function passOver<T>(use: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await use();
    } catch (error) {
      if (!(error instanceof UnusableLead)) throw error;
      unusable(error);
      return undefined;
    }
  }

  return {
    async *all(options) {
      for await (const page of leads.reader.pages(options)) {
        for (const found of page.filter((each) => leads.isLive(each))) {
          const record = await passOver(() => fromStored(usable(found).value, sealer));
          if (record !== undefined) yield record;
        }
      }
    },

    async counts() {
      const entries = await guard.read((kv) =>
        Array.fromAsync(kv.list<Deno.KvU64>({ prefix: keys.counts() }, { batchSize: 500 }))
      );
      return entries.flatMap(({ key, value }) => {
        const [day, choices, states] = key.slice(-3).map(String) as [string, string, string];
        const leads = Number(BigInt.asIntN(64, value.value));
        if (leads <= 0) return [];
        return [{ day, choices: JSON.parse(choices), states: JSON.parse(states), leads }];
      });
    },

    async ofPerson(email) {
      const found = await leads.keysIn({ prefix: keys.person(email) }, {});
      return found.map((key) => String(key.at(-1)));
    },

    async reseal() {
      await storeSecret.reseal();
      const count = { leads: 0, resealed: 0 };
      for await (const page of leads.reader.pages()) {
        count.leads += page.length;
        for (const found of page) {
          await passOver(async () => {
            const { id, content } = usable(found).value;
            if (sealer.isCurrent(content)) return;
            await leads.replace(id, ({ value }) => toStored(fromStored(value, sealer), sealer));
            count.resealed++;
          });
        }
      }
      return count;
    },
  };
}
