/** @module A lead, in a store without the intake, or in one attempt to deliver it without the queue. */

import { targets } from "../../config/readers.ts";
import { createTargets, targetProblem } from "../../leads/delivery/targets.ts";
import type { LeadContent, LeadRecord } from "../../leads/lead.ts";
import { createLeadIds } from "../../leads/lead_id.ts";
import { NEW_CLIENT } from "../../leads/rate_limit.ts";
import type { DeliveryOutcome } from "../../leads/retry.ts";
import type { LeadStore } from "../../leads/ports.ts";
import { FakeClock } from "./fake_clock.ts";
import { LEAD } from "./test_app.ts";

const RETENTION_MS = 90 * 86_400_000;
const NEVER = new AbortController().signal;

export function recordOf(lead: Partial<LeadContent> = {}): LeadRecord {
  const receivedAt = Date.parse("2026-11-21T12:00:00Z");
  return {
    id: "019aa6b1-7c00-7abc-8def-0123456789ab",
    receivedAt,
    expiresAt: receivedAt + RETENTION_MS,
    lead: { ...LEAD, ...lead },
    deliveries: {},
    index: { same: "", email: "" },
  };
}

const newId = createLeadIds();

export async function putLead(
  { store, clock }: { readonly store: Pick<LeadStore, "accept">; readonly clock: FakeClock },
  some: Partial<LeadRecord> = {},
): Promise<LeadRecord> {
  const { receivedAt = clock.now() } = some;
  const id = newId(receivedAt);
  const times = { receivedAt, expiresAt: receivedAt + RETENTION_MS };
  const record = { ...recordOf(), id, index: { same: id, email: id }, ...times, ...some };
  await store.accept({ client: crypto.randomUUID(), state: NEW_CLIENT, seen: null }, record);
  return record;
}

interface AttemptOptions {
  readonly record?: LeadRecord;
  readonly signal?: AbortSignal;
  readonly secrets?: readonly string[];
}

export async function deliver(
  url: string,
  { record = recordOf(), signal = NEVER, secrets = [] }: AttemptOptions = {},
): Promise<DeliveryOutcome> {
  const [target] = createTargets(parsed(url), { secrets, now: new FakeClock().now });
  return await target!.deliver(record, signal);
}

const parsed = targets(targetProblem);
