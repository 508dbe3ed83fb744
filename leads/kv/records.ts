/**
 * @module The stored form of a lead and the entries derived from it. The content may be sealed; the rest
 * is plain, because the queue needs it, and identifies no one.
 */

import type { LeadContent, LeadRecord } from "../lead.ts";
import type { Sealed, Sealer } from "../sealing.ts";
import type { Removed } from "../store.ts";
import { keys } from "./keys.ts";

/** A {@link LeadRecord} as it is stored. */
export interface StoredLead extends Omit<LeadRecord, "lead"> {
  readonly content: LeadContent | Sealed;
}

/** The index entry by which a duplicate is recognised. */
export type SameEntry = { readonly id: string; readonly until: number };

/** Seals the content if there is a key. */
export function toStored({ lead, ...rest }: LeadRecord, sealer: Sealer): StoredLead {
  return { ...rest, content: sealer.seal(lead, rest.id) };
}

/** Opens the content. @throws {CannotOpen} */
export function fromStored({ content, ...rest }: StoredLead, sealer: Sealer): LeadRecord {
  return { ...rest, lead: sealer.open(content, rest.id) };
}

/** When KV may delete an entry. KV throws unless it is a whole number above 0. */
export function expiry(at: number, now: number): { expireIn: number } {
  return { expireIn: Math.max(1, Math.ceil(at - now)) };
}

/** Writes a lead and its queue and dead-letter entries. */
export function writeLead(commit: Deno.AtomicOperation, lead: StoredLead, now: number): void {
  const options = expiry(lead.expiresAt, now);
  commit.set(keys.lead(lead.id), lead, options);
  for (const key of deliveryKeys(lead)) commit.set(key, null, options);
}

/** Deletes the queue and dead-letter entries of a lead. */
export function deleteDeliveries(commit: Deno.AtomicOperation, lead: StoredLead): void {
  for (const key of deliveryKeys(lead)) commit.delete(key);
}

/** Deletes a lead and everything derived from it. @returns how many index entries */
export function deleteLead(
  commit: Deno.AtomicOperation,
  lead: StoredLead,
  { same }: { readonly same: SameEntry | null },
): number {
  commit.delete(keys.lead(lead.id)).delete(keys.byEmail(lead.index.email, lead.id));
  deleteDeliveries(commit, lead);
  if (same?.id !== lead.id) return 1; // after a day the entry may belong to another lead
  commit.delete(keys.same(lead.index.same));
  return 2;
}

/** The count for a lead that does not exist. */
export const NOTHING_REMOVED: Removed = { leads: 0, queued: 0, dead: 0, index: 0 };

/** The count for a removed lead with so many index entries. */
export function removedWith({ deliveries }: StoredLead, index: number): Removed {
  const states = Object.values(deliveries).map(({ state }) => state);
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  return { leads: 1, queued: count("waiting"), dead: count("dead"), index };
}

function deliveryKeys({ id, deliveries }: StoredLead): Deno.KvKey[] {
  const targets = Object.entries(deliveries);
  if (targets.length === 0) return [keys.stored(id)];
  return targets.flatMap(([target, { state, due }]) => {
    if (state === "waiting") return [keys.due(target, due, id)];
    return state === "dead" ? [keys.dead(target, id)] : [];
  });
}
