/**
 * @module The stored form of a lead and the entries derived from it. The content may be sealed; the rest
 * is plain, because the queue needs it, and identifies no one.
 */

import type { Delivery, LeadContent, LeadRecord } from "../lead.ts";
import { CannotOpen, isSealed, type Sealed, type Sealer } from "../sealing.ts";
import { type Removed, UnusableLead } from "../store.ts";
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

/** Opens the content. @throws {UnusableLead} */
export function fromStored({ content, ...rest }: StoredLead, sealer: Sealer): LeadRecord {
  try {
    return { ...rest, lead: sealer.open(content, rest.id) };
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    throw new UnusableLead(rest.id, error.message, { cause: error });
  }
}

/** Whether a value is the lead of that id, as far as the code relies on it. */
export function isStoredLead(value: unknown, id: string): value is StoredLead {
  if (!isObject<StoredLead>(value) || value.id !== id) return false;
  const { receivedAt, expiresAt, deliveries, index, content } = value;
  return isTime(receivedAt) && isTime(expiresAt) &&
    isObject(index) && areTexts(index.same, index.email) &&
    isObject(deliveries) && Object.values(deliveries).every(isDelivery) &&
    (isSealed(content) || isObject(content) && areTexts(
          content.email,
          content.company,
          content.locale,
          content.message ?? "",
          content.plan ?? "",
        ));
}

function isDelivery(value: unknown): boolean {
  if (!isObject<Delivery>(value)) return false;
  const { state, due, tries, omitted = 0 } = value;
  return ["waiting", "delivered", "dead"].includes(state) && isTime(due) && isTime(omitted) &&
    Array.isArray(tries) &&
    tries.every((one) =>
      isObject<Delivery["tries"][number]>(one) && isTime(one.at) && isTime(one.durationMs) &&
      areTexts(one.result)
    );
}

function isObject<T>(value: unknown): value is T & object {
  return typeof value === "object" && value !== null;
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

/** Whether `Date` can represent it. */
function isTime(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) <= 8.64e15;
}

/** When a lead arrived: a UUIDv7 begins with 48 bits of epoch milliseconds (RFC 9562 §5.7). */
export function arrivalOf(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
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

/** Writes the entries of a lead that are nothing but a key. */
export function writeEntries(commit: Deno.AtomicOperation, lead: StoredLead, now: number): void {
  for (const key of [keys.byEmail(lead.index.email, lead.id), ...deliveryKeys(lead)]) {
    commit.set(key, null, expiry(lead.expiresAt, now));
  }
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
