/**
 * @module The stored form of a lead and the entries derived from it. The content may be sealed; the rest
 * is plain, because the queue needs it, and identifies no one.
 */

import { dayOf } from "../../lib/clock.ts";
import { isChoice } from "../../schemas/lead.ts";
import { type LeadContent, type LeadRecord, retentionEnd } from "../lead.ts";
import { CannotOpen, type Sealed, type Sealer } from "../sealing.ts";
import { UnusableLead } from "../ports.ts";
import { keys } from "./keys.ts";

export interface StoredLead extends Omit<LeadRecord, "lead"> {
  readonly content: LeadContent | Sealed;
  /** What it chose, as JSON: it is counted by that, also while its key is missing. */
  readonly choices?: string;
}

/** The index entry by which a duplicate is recognised. */
export type SameEntry = { readonly id: string; readonly until: number };

export function toStored({ lead, ...rest }: LeadRecord, sealer: Sealer): StoredLead {
  const choices = Object.fromEntries(
    Object.entries(lead).filter(([name]) => isChoice(name)).sort(),
  );
  return { ...rest, content: sealer.seal(lead, rest.id), choices: JSON.stringify(choices) };
}

/** Opens the content. @throws {UnusableLead} */
export function fromStored(
  { content, choices: _, ...rest }: StoredLead,
  sealer: Sealer,
): LeadRecord {
  try {
    return { ...rest, lead: sealer.open(content, rest.id) };
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    throw new UnusableLead(rest.id, error.message, { cause: error });
  }
}

const YEAR_MS = 365 * 86_400_000;

/** When KV may delete an entry; Infinity: never. KV throws unless it is a whole number above 0. */
export function expiry(at: number, now: number): { expireIn?: number } {
  return at === Infinity ? {} : { expireIn: Math.max(1, Math.ceil(at - now)) };
}

/**
 * Writes a lead, counts it, and writes the entries that last as long as it. The purge removes them: KV
 * deletes all that has expired at once, and blocks the file for seconds after a long pause, so that it
 * gets only what a purge has missed for a year, such as entries of a damaged lead.
 */
export function writeLead(commit: Deno.AtomicOperation, lead: StoredLead, now: number): void {
  const options = expiry(retentionEnd(lead) + YEAR_MS, now);
  count(commit, lead, 1n);
  commit.set(keys.lead(lead.id), lead, options);
  commit.set(keys.byEmail(lead.index.email, lead.id), null, options);
  for (const key of deliveryKeys(lead)) commit.set(key, null, options);
}

/** Deletes the entries of a lead that is about to be written again, or is deleted in the same commit. */
export function deleteDeliveries(commit: Deno.AtomicOperation, lead: StoredLead): void {
  count(commit, lead, -1n);
  for (const key of deliveryKeys(lead)) commit.delete(key);
}

/** Adds to a counter without a conflict: each commit checks its lead, so that none is counted twice. */
function count(commit: Deno.AtomicOperation, lead: StoredLead, leads: bigint): void {
  const { receivedAt, choices, deliveries } = lead;
  if (choices === undefined) return;
  const states = Object.entries(deliveries).map(([target, { state }]) => [target, state]).sort();
  const text = JSON.stringify(Object.fromEntries(states));
  // Within the limit of a key; names of targets are far shorter.
  const key = keys.count(dayOf(receivedAt), choices, text.length > 1_000 ? "{}" : text);
  commit.sum(key, BigInt.asUintN(64, leads));
}

function deliveryKeys({ id, deliveries }: StoredLead): Deno.KvKey[] {
  const targets = Object.entries(deliveries);
  if (targets.length === 0) return [keys.stored(id)];
  return targets.flatMap(([target, { state, due }]) => {
    if (state === "waiting") return [keys.due(target, due, id)];
    return state === "dead" ? [keys.dead(target, id)] : [];
  });
}
