/**
 * @module A stored lead: its content, when it arrived, and the state of its deliveries. The record is the
 * only truth; the queue and the dead letters are indexes that the store derives from it.
 */

import type { LeadRequest } from "../schemas/lead.ts";

/** One attempt to deliver a lead to a target. */
export interface Try {
  /** Epoch milliseconds at the start. */
  readonly at: number;
  readonly durationMs: number;
  /** `ok`, or a word for what went wrong, such as `http_503` or `timeout`. */
  readonly result: string;
}

/** The delivery to one target. */
export interface Delivery {
  readonly state: "waiting" | "delivered" | "dead";
  /** While waiting: when it is next due; a claimed job is due when its lease ends. */
  readonly due: number;
  readonly tries: readonly Try[];
}

/** Deliveries by target id. */
export type Deliveries = Readonly<Record<string, Delivery>>;

/** A lead at rest. */
export interface LeadRecord {
  /** UUIDv7 (RFC 9562): leads sort by arrival. Also the `webhook-id` of every try. */
  readonly id: string;
  readonly receivedAt: number;
  /** When retention ends; a record past it counts as absent. */
  readonly expiresAt: number;
  readonly lead: LeadContent;
  readonly deliveries: Deliveries;
  /** Names of the index entries of this lead, so that all of them can be found from it. */
  readonly index: { readonly same: string; readonly email: string };
}

/** What the sender wrote, made safe; the honeypot is not kept. */
export type LeadContent = Omit<LeadRequest, "website">;

/**
 * The lead as it may be kept and passed on. The schema admits any code point; here NUL and lone
 * surrogates become U+FFFD and a company one line, so that no target, export or log meets them.
 */
export function contentOf({ email, company, message, plan, locale }: LeadRequest): LeadContent {
  return {
    email,
    company: wellFormed(company).replace(/[\r\n\u2028\u2029]+/g, " "),
    ...(message === undefined ? {} : { message: wellFormed(message) }),
    ...(plan === undefined ? {} : { plan }),
    locale,
  };
}

function wellFormed(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u{FFFD}");
}

/**
 * RFC 2606 §2: `.invalid` never exists. Such leads test the way in and are neither kept nor sent; the
 * doctor sends one to test the way out.
 */
export function isTestLead(lead: LeadRequest): boolean {
  return /[.@]invalid$/i.test(lead.email);
}

/** True if every target has acknowledged; false also without a target. */
export function isDelivered(deliveries: Deliveries): boolean {
  const states = Object.values(deliveries);
  return states.length > 0 && states.every(({ state }) => state === "delivered");
}
