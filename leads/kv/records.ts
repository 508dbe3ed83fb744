/**
 * @module A lead as it lies in KV, and the entries that go with it.
 *
 * Content may be sealed; all else stands open, because it is needed to work off the queue and names
 * nobody. The index entries follow from the record, here and nowhere else.
 */

import type { Deliveries, LeadContent, LeadRecord } from "../lead.ts";
import type { Sealed, Sealer } from "../sealing.ts";
import { keys } from "./keys.ts";

/** The stored form of a {@link LeadRecord}. */
export interface StoredLead extends Omit<LeadRecord, "lead"> {
  readonly content: LeadContent | Sealed;
}

export function toStored({ lead, ...rest }: LeadRecord, sealer: Sealer): StoredLead {
  return { ...rest, content: sealer.seal(lead, rest.id) };
}

/** @throws {CannotOpen} */
export function fromStored({ content, ...rest }: StoredLead, sealer: Sealer): LeadRecord {
  return { ...rest, lead: sealer.open(content, rest.id) };
}

/** Writes a lead and the queue and dead-letter entries that its deliveries call for. */
export function writeLead(commit: Deno.AtomicOperation, lead: StoredLead, now: number): void {
  const expiry = { expireIn: Math.max(1, lead.expiresAt - now) };
  commit.set(keys.lead(lead.id), lead, expiry);
  for (const key of deliveryKeys(lead)) commit.set(key, null, expiry);
}

/** Removes the queue and dead-letter entries of a lead as it was. */
export function deleteDeliveries(commit: Deno.AtomicOperation, lead: StoredLead): void {
  for (const key of deliveryKeys(lead)) commit.delete(key);
}

function deliveryKeys(
  { id, deliveries }: { readonly id: string; readonly deliveries: Deliveries },
): Deno.KvKey[] {
  return Object.entries(deliveries).flatMap(([target, { state, due }]) => {
    if (state === "waiting") return [keys.due(target, due, id)];
    return state === "dead" ? [keys.dead(target, id)] : [];
  });
}
