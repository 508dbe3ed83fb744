/**
 * @module Reads stored leads, and goes on past those that cannot be used.
 *
 * Deno decodes a batch of a list as a whole: one damaged value fails it, at every attempt, without its
 * key. A bisection finds the key in 128 reads; after that, lists are split there.
 */

import { StoredLeadShape } from "../../schemas/stored_lead.ts";
import { UnusableLead } from "../ports.ts";
import { isUndecodable } from "./error_reasons.ts";
import type { KvGuard } from "./guard.ts";
import { keys } from "./keys.ts";
import type { StoredLead } from "./codec.ts";

/** A stored lead with its versionstamp, or why it cannot be used. */
export type Found = Deno.KvEntry<StoredLead> | UnusableLead;

export class LeadReader {
  readonly #kv: Pick<KvGuard, "read">;
  readonly #damaged = new Set<string>();

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

  /** All leads by arrival, from an id on, at most `most` at once. */
  async *pages({ from = "", most = 100 } = {}): AsyncIterable<readonly Found[]> {
    for (let start = from;;) {
      const end = [...this.#damaged].filter((id) => id >= start).sort()[0];
      try {
        const page = await this.#list(start, { end, limit: most });
        yield page;
        if (page.length === most) start = after(idOf(page.at(-1)!));
        else if (end === undefined) return;
        else {
          const one = await this.find(end);
          if (one !== null) yield [one];
          if (!(one instanceof UnusableLead)) this.#damaged.delete(end);
          start = after(end);
        }
      } catch (error) {
        if (!isUndecodable(error)) throw error;
        const id = await this.#locateDamaged(start, most);
        // Otherwise it was removed meanwhile, or its key is not an id.
        if (!(await this.find(id) instanceof UnusableLead)) throw error;
        this.#damaged.add(id);
      }
    }
  }

  /** The leads before an id can be listed if and only if the damaged one is not among them. */
  async #locateDamaged(start: string, limit: number): Promise<string> {
    let id = 0n;
    for (let bit = 1n << 127n; bit > 0n; bit >>= 1n) {
      try {
        await this.#list(start, { end: uuidOf(id | bit), limit });
        id |= bit;
      } catch (error) {
        if (!isUndecodable(error)) throw error;
      }
    }
    return uuidOf(id);
  }

  async #list(from: string, { end, limit }: { end: string | undefined; limit: number }) {
    const start = keys.lead(from);
    // KV refuses a range that ends before its start.
    const range = end === undefined
      ? { prefix: keys.leads(), start }
      : { start, end: keys.lead(end > from ? end : from) };
    return await this.#kv.read((kv) => Array.fromAsync(kv.list(range, { limit }), checked));
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

/** The least id after another one. */
function after(id: string): string {
  return `${id}\0`;
}

function uuidOf(bits: bigint): string {
  return bits.toString(16).padStart(32, "0").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
