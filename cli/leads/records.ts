/** @module One lead among many: its short id, how to find it, and what it looks like as JSON. */

import type { LeadRecord } from "../../leads/lead.ts";
import type { LeadStore } from "../../leads/store.ts";
import { stateOf } from "./filter.ts";
import { iso } from "./time.ts";

/** The end of a lead's id is random: enough to name it. The beginning is the time. */
export function shortId({ id }: Pick<LeadRecord, "id">): string {
  return id.slice(-8);
}

/**
 * The lead whose id is, begins or ends with a text.
 *
 * @throws {Error} if none or more than one matches
 */
export async function findLead(
  store: Pick<LeadStore, "get" | "all">,
  text: string,
): Promise<LeadRecord> {
  const wanted = text.trim().toLowerCase();
  let found = wanted === "" ? null : await store.get(wanted);
  if (found !== null) return found;
  for await (const record of store.all()) {
    const { id } = record;
    if (wanted === "" || (!id.startsWith(wanted) && !id.endsWith(wanted))) continue;
    if (found !== null) {
      throw new Error(`Cannot tell which lead ${text} is: ${found.id}, ${id} or another one`);
    }
    found = record;
  }
  if (found !== null) return found;
  throw new Error(`Cannot find lead ${text}: no id begins or ends with it; list shows them`);
}

/** A lead for programs: times by ISO 8601, content at the top, deliveries by target. */
export function plain(record: LeadRecord): Record<string, unknown> {
  const { id, receivedAt, expiresAt, lead, deliveries } = record;
  return {
    id,
    receivedAt: iso(receivedAt),
    expiresAt: iso(expiresAt),
    state: stateOf(record),
    ...lead,
    deliveries: Object.fromEntries(
      Object.entries(deliveries).map(([target, { state, due, tries }]) => [target, {
        state,
        ...(state === "waiting" ? { due: iso(due) } : {}),
        tries: tries.map(({ at, durationMs, result }) => ({ at: iso(at), durationMs, result })),
      }]),
    ),
  };
}
