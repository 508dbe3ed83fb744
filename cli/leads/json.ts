/** @module A lead as JSON, as commands print it. */

import { type LeadRecord, retentionEnd } from "../../leads/lead.ts";
import { stateOf } from "./select.ts";
import { iso } from "./text.ts";

/** A lead as JSON: times in ISO 8601, content at the top level, deliveries by target. */
export function toJson(record: LeadRecord): Record<string, unknown> {
  const { id, receivedAt, lead, deliveries } = record;
  const end = retentionEnd(record);
  return {
    id,
    receivedAt: iso(receivedAt),
    expiresAt: end === Infinity ? null : iso(end),
    state: stateOf(record),
    ...lead,
    deliveries: Object.fromEntries(
      Object.entries(deliveries).map(([target, { due, attempts, ...delivery }]) => [target, {
        ...delivery,
        ...(delivery.state === "waiting" && { due: iso(due) }),
        attempts: attempts.map(({ at, durationMs, result }) => ({
          at: iso(at),
          durationMs,
          result,
        })),
      }]),
    ),
  };
}
