/** @module One lead among many: its short name, how to find it, and what it looks like as JSON. */

import type { LeadRecord } from "../../leads/lead.ts";
import type { LeadStore } from "../../leads/store.ts";
import { stateOf } from "./filter.ts";

/** The end of an id is random; its beginning is the time and the same for leads that came together. */
const SHORT = 8;

const WHOLE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ids named where more than one fits. */
const MOST_NAMED = 3;

/** The end of a lead's id: enough to name it, as a rule. */
export function shortId({ id }: Pick<LeadRecord, "id">): string {
  return id.slice(-SHORT);
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
  const found: LeadRecord[] = [];
  if (WHOLE.test(wanted)) {
    const record = await store.get(wanted);
    if (record !== null) found.push(record);
  } else if (wanted !== "") {
    for await (const record of store.all()) {
      if (!record.id.startsWith(wanted) && !record.id.endsWith(wanted)) continue;
      found.push(record);
      if (found.length > MOST_NAMED) break;
    }
  }
  const [record, another] = found;
  if (record === undefined) {
    throw new Error(
      `Cannot find lead ${text}: no id begins or ends so; see list for those there are`,
    );
  }
  if (another === undefined) return record;
  const ids = found.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = found.length > MOST_NAMED ? " and more" : "";
  throw new Error(`Cannot tell which lead ${text} is: ${ids.join(", ")}${more}`);
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

/** ISO 8601, in UTC. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
