/**
 * @module The stored form of a lead, and the entries derived from it: here and nowhere else. Content may
 * be sealed; the queue needs the rest in the clear, and it identifies no one.
 */

import type { Deliveries, LeadContent, LeadRecord } from "../lead.ts";
import type { Sealed, Sealer } from "../sealing.ts";
import type { Removed } from "../store.ts";
import { keys } from "./keys.ts";

/** The stored form of a {@link LeadRecord}. */
export interface StoredLead extends Omit<LeadRecord, "lead"> {
  readonly content: LeadContent | Sealed;
}

/** The index entry by which a duplicate is recognised. */
export interface SameEntry {
  readonly id: string;
  readonly until: number;
}

/** The stored form of a lead, sealed where there is a key. */
export function toStored({ lead, ...rest }: LeadRecord, sealer: Sealer): StoredLead {
  return { ...rest, content: sealer.seal(lead, rest.id) };
}

/** The lead behind its stored form. @throws {CannotOpen} */
export function fromStored({ content, ...rest }: StoredLead, sealer: Sealer): LeadRecord {
  return { ...rest, lead: sealer.open(content, rest.id) };
}

/** From when on KV may delete an entry: it throws for what is no whole number above 0. */
export function expiry(at: number, now: number): { expireIn: number } {
  return { expireIn: Math.max(1, Math.ceil(at - now)) };
}

/** Writes a lead and the queue and dead-letter entries that its deliveries call for. */
export function writeLead(commit: Deno.AtomicOperation, lead: StoredLead, now: number): void {
  const options = expiry(lead.expiresAt, now);
  commit.set(keys.lead(lead.id), lead, options);
  for (const key of deliveryKeys(lead)) commit.set(key, null, options);
}

/** Removes the queue and dead-letter entries of a lead as it was. */
export function deleteDeliveries(commit: Deno.AtomicOperation, lead: StoredLead): void {
  for (const key of deliveryKeys(lead)) commit.delete(key);
}

/** Removes a lead as it was and all that points to it. @returns how many index entries those are */
export function deleteLead(
  commit: Deno.AtomicOperation,
  lead: StoredLead,
  { same }: { readonly same: SameEntry | null },
): number {
  commit.delete(keys.lead(lead.id)).delete(keys.byEmail(lead.index.email, lead.id));
  deleteDeliveries(commit, lead);
  if (same?.id !== lead.id) return 1; // a day later the same content is another lead's
  commit.delete(keys.same(lead.index.same));
  return 2;
}

/** What goes where there is nothing. */
export const NOTHING_REMOVED: Removed = { leads: 0, queued: 0, dead: 0, index: 0 };

/** What goes with a lead as it was, and so many index entries. */
export function removedWith(
  { deliveries }: StoredLead,
  { index }: Pick<Removed, "index">,
): Removed {
  const states = Object.values(deliveries).map(({ state }) => state);
  return {
    leads: 1,
    queued: states.filter((state) => state === "waiting").length,
    dead: states.filter((state) => state === "dead").length,
    index,
  };
}

function deliveryKeys(
  { id, deliveries }: { readonly id: string; readonly deliveries: Deliveries },
): Deno.KvKey[] {
  return Object.entries(deliveries).flatMap(([target, { state, due }]) => {
    if (state === "waiting") return [keys.due(target, due, id)];
    return state === "dead" ? [keys.dead(target, id)] : [];
  });
}
