/** @module Holds what senders were told against what is stored and what was delivered. Pure. */

import type { LeadRecord } from "../../leads/lead.ts";
import type { Taken } from "./flaky_receiver.ts";
import type { Sent } from "./senders.ts";

/** One broken promise. */
export interface Violation {
  /** The sender's address, which names the lead, and the ids under which it is known. */
  readonly lead: string;
  readonly ids: readonly string[];
  readonly what: string;
}

/** The balance of a run. */
export interface Account {
  readonly leads: number;
  readonly accepted: number;
  readonly refused: number;
  /** Leads whose senders were never told anything. */
  readonly unanswered: number;
  readonly stored: number;
  /** Leads that were delivered at least once. */
  readonly delivered: number;
  /** Deliveries beyond the first of a lead. */
  readonly duplicates: number;
  readonly violations: readonly Violation[];
}

/** Every lead sent, against every record and every delivery. */
export function account(
  sent: readonly Sent[],
  { stored, taken }: { readonly stored: readonly LeadRecord[]; readonly taken: readonly Taken[] },
): Account {
  const records = Map.groupBy(stored, ({ lead }) => lead.email);
  const deliveries = Map.groupBy(taken, ({ data }) => String(data["email"]));
  const violations = sent.flatMap((entry) => {
    const { email } = entry.lead;
    const held = records.get(email) ?? [];
    const got = deliveries.get(email) ?? [];
    const ids = [...new Set([...held, ...got].map(({ id }) => id))];
    return faults(entry, { held, got }).map((what) => ({ lead: email, ids, what }));
  });
  const known = new Set(sent.map(({ lead }) => lead.email));
  const strangers = [...new Set([...records.keys(), ...deliveries.keys()])]
    .filter((email) => !known.has(email))
    .map((lead) => ({ lead, ids: [], what: "nobody sent it" }));
  const told = (status: number) => sent.filter(({ answers }) => answers.includes(status)).length;
  return {
    leads: sent.length,
    accepted: told(200),
    refused: told(502),
    unanswered: sent.filter(({ answers }) => answers.every((answer) => answer === "lost")).length,
    stored: stored.length,
    delivered: deliveries.size,
    duplicates: taken.length - deliveries.size,
    violations: [...violations, ...strangers],
  };
}

function faults(
  { lead, answers }: Sent,
  { held, got }: { readonly held: readonly LeadRecord[]; readonly got: readonly Taken[] },
): string[] {
  const found: string[] = [];
  const odd = answers.filter((answer) => answer !== 200 && answer !== 502 && answer !== "lost");
  if (odd.length > 0) found.push(`answered ${odd.join(", ")}`);
  if (held.length > 1) found.push(`stored ${held.length} times`);
  if (answers.includes(200) && held.length === 0) found.push("answered 200, not stored");
  if (answers.includes(200) && got.length === 0) found.push("answered 200, not delivered");
  if (answers.length > 0 && answers.every((answer) => answer === 502)) {
    if (held.length > 0) found.push("answered 502, yet stored");
    if (got.length > 0) found.push("answered 502, yet delivered");
  }
  const [record] = held;
  if (record === undefined) {
    if (got.length > 0) found.push("delivered, not stored");
    return found;
  }
  if (got.length === 0) found.push("stored, not delivered");
  for (const { id, data } of got) {
    if (id !== record.id || data["id"] !== record.id) found.push(`delivered under the id ${id}`);
    if (!isSame(data, lead)) found.push("delivered with other content");
  }
  if (!isSame(record.lead, lead)) found.push("stored with other content");
  return found;
}

function isSame(content: object, lead: Sent["lead"]): boolean {
  const held = new Map(Object.entries(content));
  return Object.entries(lead).every(([name, value]) => held.get(name) === value);
}
