/** @module Reads stored leads, and goes on past those that cannot be used. */

import { StoredLeadShape } from "../../schemas/stored_lead.ts";
import { type ReadOptions, UnusableLead } from "../ports.ts";
import type { StoredLead } from "./codec.ts";
import { isUndecodable } from "./error_reasons.ts";
import type { KvGuard } from "./guard.ts";
import { keys } from "./keys.ts";

/** Ids are hexadecimal. */
const AFTER_ALL = "~";

/** A stored lead with its versionstamp, or why it cannot be used. */
export type Found = Deno.KvEntry<StoredLead> | UnusableLead;

export class LeadReader {
  readonly #kv: Pick<KvGuard, "read">;

  constructor(kv: Pick<KvGuard, "read">) {
    this.#kv = kv;
  }

  /** A lead, also past its retention; null if absent. */
  async find(id: string): Promise<Found | null> {
    try {
      const entry = await this.#kv.read((kv) => kv.get(keys.lead(id)));
      return entry.versionstamp === null ? null : checked(entry);
    } catch (error) {
      if (!isUndecodable(error)) throw error;
      return new UnusableLead(id, "its bytes are damaged", { cause: error });
    }
  }

  /** As `find`, at most ten. */
  async findTogether(ids: readonly string[]): Promise<readonly (Found | null)[]> {
    try {
      const entries = await this.#kv.read((kv) => kv.getMany<unknown[]>(ids.map(keys.lead)));
      return entries.map((entry) => entry.versionstamp === null ? null : checked(entry));
    } catch (error) {
      if (!isUndecodable(error)) throw error;
      return await Promise.all(ids.map((id) => this.find(id)));
    }
  }

  /** All leads by arrival, from an id on, at most `most` at once; `reverse`: the newest first. */
  async *pages(
    { from = "", to = AFTER_ALL, most = 100, reverse = false }: ReadOptions = {},
  ): AsyncIterable<readonly Found[]> {
    let [start, end] = [from, to];
    for (;;) {
      try {
        const range = { start: keys.lead(start), end: keys.lead(end) };
        const page = await this.#kv.read((kv) =>
          Array.fromAsync(kv.list(range, { limit: most, reverse }), checked)
        );
        yield page;
        if (page.length < most) return;
        const last = idOf(page.at(-1)!);
        if (reverse) end = last;
        else start = `${last}\0`; // the least id after it
      } catch (error) {
        if (!isUndecodable(error)) throw error;
        return yield* this.#oneByOne((id) => id >= start && id < end, { most, reverse });
      }
    }
  }

  /**
   * For a list with a damaged value: Deno decodes a batch as a whole, so that it fails without the key. The
   * index of people has the ids of all leads.
   */
  async *#oneByOne(
    isIn: (id: string) => boolean,
    { most, reverse }: { readonly most: number; readonly reverse: boolean },
  ): AsyncIterable<readonly Found[]> {
    const index = await this.#kv.read((kv) =>
      Array.fromAsync(kv.list({ prefix: keys.people() }), ({ key }) => String(key.at(-1)))
    );
    const ids = index.filter(isIn).sort();
    if (reverse) ids.reverse();
    while (ids.length > 0) {
      const found = await Promise.all(ids.splice(0, most).map((id) => this.find(id)));
      yield found.filter((one) => one !== null);
    }
  }
}

/** @throws {UnusableLead} if it is one */
export function usable(found: Found): Deno.KvEntry<StoredLead> {
  if (found instanceof UnusableLead) throw found;
  return found;
}

export function idOf(found: Found): string {
  return found instanceof UnusableLead ? found.id : found.value.id;
}

/** Every lead that is read goes through here. */
function checked(entry: Deno.KvEntry<unknown>): Found {
  const id = String(entry.key.at(-1));
  const { data } = StoredLeadShape.safeParse(entry.value);
  if (data?.id === id) return entry as Deno.KvEntry<StoredLead>;
  return new UnusableLead(id, "what is stored is not a lead");
}
