/**
 * @module The stored form of a lead and the entries derived from it. The content may be sealed; the rest
 * is plain, because the queue needs it, and identifies no one.
 */

import { type LeadContent, type LeadRecord, retentionEnd } from "../lead.ts";
import { CannotOpen, type Sealed, type Sealer } from "../sealing.ts";
import { UnusableLead } from "../ports.ts";
import { keys } from "./keys.ts";

export interface StoredLead extends Omit<LeadRecord, "lead"> {
  readonly content: LeadContent | Sealed;
}

/** The index entry by which a duplicate is recognised. */
export type SameEntry = { readonly id: string; readonly until: number };

/** Seals the content if there is a key. */
export function toStored({ lead, ...rest }: LeadRecord, sealer: Sealer): StoredLead {
  return { ...rest, content: sealer.seal(lead, rest.id) };
}

/** Opens the content. @throws {UnusableLead} */
export function fromStored({ content, ...rest }: StoredLead, sealer: Sealer): LeadRecord {
  try {
    return { ...rest, lead: sealer.open(content, rest.id) };
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    throw new UnusableLead(rest.id, error.message, { cause: error });
  }
}

/** When a lead arrived: a UUIDv7 begins with 48 bits of epoch milliseconds (RFC 9562 §5.7). */
export function arrivalOf(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** When KV may delete an entry; Infinity: never. KV throws unless it is a whole number above 0. */
export function expiry(at: number, now: number): { expireIn?: number } {
  return at === Infinity ? {} : { expireIn: Math.max(1, Math.ceil(at - now)) };
}

/** Writes a lead and the entries that last as long as it: whatever changes its end changes theirs. */
export function writeLead(commit: Deno.AtomicOperation, lead: StoredLead, now: number): void {
  const options = expiry(retentionEnd(lead), now);
  commit.set(keys.lead(lead.id), lead, options);
  commit.set(keys.byEmail(lead.index.email, lead.id), null, options);
  for (const key of deliveryKeys(lead)) commit.set(key, null, options);
}

export function deleteDeliveries(commit: Deno.AtomicOperation, lead: StoredLead): void {
  for (const key of deliveryKeys(lead)) commit.delete(key);
}

function deliveryKeys({ id, deliveries }: StoredLead): Deno.KvKey[] {
  const targets = Object.entries(deliveries);
  if (targets.length === 0) return [keys.stored(id)];
  return targets.flatMap(([target, { state, due }]) => {
    if (state === "waiting") return [keys.due(target, due, id)];
    return state === "dead" ? [keys.dead(target, id)] : [];
  });
}
