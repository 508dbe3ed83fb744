/**
 * @module A lead: its content, when it arrived, and the state of its deliveries. The record is the only
 * truth; the store derives the queue and the dead letters from it.
 */

import type { LeadRequest } from "../schemas/lead.ts";
import type { StoredFieldName } from "../schemas/lead_fields.ts";

export interface Attempt {
  /** The start in epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  /** `ok`, or a word for what went wrong, such as `http_503` or `timeout`. */
  readonly result: string;
}

export interface Delivery {
  readonly state: "waiting" | "delivered" | "dead";
  /** While waiting: when it is next due; a claimed job is due when its lease ends. */
  readonly due: number;
  /** A process has claimed it and attempts it until then, by its own clock. */
  readonly leased?: true;
  /** The first and the last attempts. */
  readonly attempts: readonly Attempt[];
  /** How many attempts between them are no longer stored; absent: none. */
  readonly omitted?: number;
  /** How many attempts belong to earlier rounds, which do not count for the schedule; absent: none. */
  readonly earlier?: number;
}

export type Deliveries = Readonly<Record<string, Delivery>>;

/** How long the same content counts as the same lead, unless it is removed earlier. */
export const SAME_LEAD_MS = 24 * 3_600_000;

export interface LeadRecord {
  /** A UUIDv7, so that leads sort by arrival. */
  readonly id: string;
  readonly receivedAt: number;
  /** `receivedAt` and the retention; see {@link retentionEnd}. */
  readonly expiresAt: number;
  readonly lead: LeadContent;
  readonly deliveries: Deliveries;
  /** Names of the lead's index entries. */
  readonly index: { readonly same: string; readonly email: string };
}

/** What the sender wrote; an older lead may lack members, or have those of fields that have gone. */
export type LeadContent = Pick<LeadRequest, StoredFieldName & keyof LeadRequest>;

/** RFC 2606 §2: `.invalid` never exists. Such leads are neither stored nor sent, except by the doctor. */
export function isTestLead(lead: LeadRequest): boolean {
  return /[.@]invalid$/i.test(lead.email);
}

/**
 * The end of a lead's retention, in epoch milliseconds: a record past it counts as absent. Retention
 * counts from the arrival, or from the last dead letter; it does not end while a delivery waits.
 *
 * @param most the retention that is configured now, if it is shorter
 */
export function retentionEnd(
  { receivedAt, expiresAt, deliveries }: Pick<
    LeadRecord,
    "receivedAt" | "expiresAt" | "deliveries"
  >,
  most = Infinity,
): number {
  const all = Object.values(deliveries);
  if (all.some(({ state }) => state === "waiting")) return Infinity;
  const deaths = all.filter(({ state }) => state === "dead").map(({ due }) => due);
  return Math.max(receivedAt, ...deaths) + Math.min(expiresAt - receivedAt, most);
}

/** A delivery with the whole schedule before it, after the attempts of earlier rounds. */
export function newRound(due: number, before?: Delivery): Delivery {
  if (before === undefined) return { state: "waiting", due, attempts: [] };
  return { ...dueAgain(before, due), earlier: attemptCount(before) };
}

/** A delivery whose schedule goes on, without a lease. */
export function dueAgain({ leased: _, ...history }: Delivery, due: number): Delivery {
  return { ...history, state: "waiting", due };
}

export function latestRound(delivery: Delivery): readonly Attempt[] {
  const { attempts, earlier = 0 } = delivery;
  return earlier === attemptCount(delivery) ? [] : attempts.slice(earlier - attemptCount(delivery));
}

export function attemptCount({ attempts, omitted = 0 }: Delivery): number {
  return attempts.length + omitted;
}

/** Whether every target has acknowledged; false without a target. */
export function isDelivered(deliveries: Deliveries): boolean {
  const states = Object.values(deliveries);
  return states.length > 0 && states.every(({ state }) => state === "delivered");
}
