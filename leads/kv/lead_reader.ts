/**
 * @module Reads stored leads, and goes on past those that cannot be used.
 *
 * Deno decodes a batch of a list as a whole: one damaged value fails it, at every attempt, without its
 * key. A bisection finds the key in 128 reads; after that, lists are split there.
 */

import { UnusableLead } from "../store.ts";
import { isUndecodable } from "./cause.ts";
import type { KvGuard } from "./guard.ts";
import { keys } from "./keys.ts";
import { isStoredLead, type StoredLead } from "./records.ts";

/** Leads read at once. */
const BATCH = 100;

/** A stored lead, or why it cannot be used. */
export type Found = Deno.KvEntry<StoredLead> | UnusableLead;

/** Some leads in order of arrival. */
export interface Page {
  readonly found: readonly Found[];
  /** The least id of the next page; undefined after the last lead. */
  readonly next: string | undefined;
}

/** Reads the leads of one database. */
export class LeadReader {
  readonly #kv: Pick<KvGuard, "read">;
  /** The ids of leads whose bytes are damaged. */
  readonly #damaged = new Set<string>();

  constructor(kv: Pick<KvGuard, "read">) {
    this.#kv = kv;
  }

  /** A lead with its versionstamp, also past its retention; null if absent. @throws {UnusableLead} */
  async entry(id: string): Promise<Deno.KvEntry<StoredLead> | null> {
    const found = await this.find(id);
    return found && usable(found);
  }

  /** As `entry`, but returns why a lead cannot be used. */
  async find(id: string): Promise<Found | null> {
    try {
      const entry = await this.#kv.read((kv) => kv.get(keys.lead(id)));
      return entry.versionstamp === null ? null : checked(entry);
    } catch (error) {
      if (!isUndecodable(error)) throw error;
      return new UnusableLead(id, "its bytes are damaged", { cause: error });
    }
  }

  /** All leads by arrival, one page a call, so that each page has its deadline. */
  async *all(from = ""): AsyncIterable<Found> {
    for (let next: string | undefined = from; next !== undefined;) {
      const page: Page = await this.page(next);
      yield* page.found;
      next = page.next;
    }
  }

  /** The first leads from an id on, by arrival. */
  async page(from: string, most = BATCH): Promise<Page> {
    const found: Found[] = [];
    for (let start = from; found.length < most;) {
      const limit = most - found.length;
      const damaged = [...this.#damaged].filter((id) => id >= start).sort()[0];
      try {
        found.push(...await this.#list({ start, end: damaged, limit }));
      } catch (error) {
        if (!isUndecodable(error)) throw error;
        const id = await this.#locateDamaged(start, limit);
        // Otherwise it was removed meanwhile, or its key is not an id.
        if (!(await this.find(id) instanceof UnusableLead)) throw error;
        this.#damaged.add(id);
        continue;
      }
      if (damaged === undefined || found.length === most) break;
      const one = await this.find(damaged);
      if (one !== null) found.push(one);
      if (!(one instanceof UnusableLead)) this.#damaged.delete(damaged);
      start = after(damaged);
    }
    const last = found.at(-1);
    if (last === undefined || found.length < most) return { found, next: undefined };
    return { found, next: after(last instanceof UnusableLead ? last.id : last.value.id) };
  }

  /** The leads before an id can be listed if and only if the damaged one is not among them. */
  async #locateDamaged(start: string, limit: number): Promise<string> {
    let id = 0n;
    for (let bit = 1n << 127n; bit > 0n; bit >>= 1n) {
      const end = uuidOf(id | bit);
      try {
        await this.#list({ start, end, limit });
        id |= bit;
      } catch (error) {
        if (!isUndecodable(error)) throw error;
      }
    }
    return uuidOf(id);
  }

  async #list({ start, end, limit }: {
    readonly start: string;
    readonly end: string | undefined;
    readonly limit: number;
  }): Promise<Found[]> {
    if (end !== undefined && end <= start) return [];
    const from = keys.lead(start);
    const range = end === undefined
      ? { prefix: keys.leads(), start: from }
      : { start: from, end: keys.lead(end) };
    return await this.#kv.read((kv) => Array.fromAsync(kv.list(range, { limit }), checked));
  }
}

/** @throws {UnusableLead} if it is one */
export function usable(found: Found): Deno.KvEntry<StoredLead> {
  if (found instanceof UnusableLead) throw found;
  return found;
}

/** Every lead that is read goes through here. */
function checked(entry: Deno.KvEntry<unknown>): Found {
  const id = String(entry.key.at(-1));
  if (isStoredLead(entry.value, id)) return entry as Deno.KvEntry<StoredLead>;
  return new UnusableLead(id, "what is stored is not a lead");
}

/** The least id after another one. */
function after(id: string): string {
  return `${id}\0`;
}

function uuidOf(bits: bigint): string {
  return bits.toString(16).padStart(32, "0").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
