/** @module One lead, one target, one try, without the queue around them. */

import { createTargets } from "../../leads/delivery/targets.ts";
import type { LeadContent, LeadRecord } from "../../leads/lead.ts";
import type { DeliveryOutcome } from "../../leads/retry.ts";
import { FakeClock } from "./fake_clock.ts";

const NEVER = new AbortController().signal;

/** A record with the given content, received at noon. */
export function recordOf(lead: Partial<LeadContent> = {}): LeadRecord {
  const receivedAt = Date.parse("2026-11-21T12:00:00Z");
  return {
    id: "019aa6b1-7c00-7abc-8def-0123456789ab",
    receivedAt,
    expiresAt: receivedAt + 90 * 86_400_000,
    lead: { email: "ada@example.com", company: "Example GmbH", locale: "en", ...lead },
    deliveries: {},
    index: { same: "", email: "" },
  };
}

/** What may differ from one try to another. */
export interface TryOptions {
  readonly record?: LeadRecord;
  readonly signal?: AbortSignal;
  readonly secrets?: readonly string[];
}

/** Hands a lead to the target of this URL, as LEAD_TARGETS would name it, at noon. */
export async function deliver(
  url: string,
  { record = recordOf(), signal = NEVER, secrets = [] }: TryOptions = {},
): Promise<DeliveryOutcome> {
  const [target] = await createTargets([new URL(url)], { secrets, now: new FakeClock().now });
  return await target!.deliver(record, signal);
}

/** The ids of the targets of these URLs. */
export async function idsOf(...urls: string[]): Promise<string[]> {
  const targets = await createTargets(urls.map((url) => new URL(url)), {
    secrets: [],
    now: Date.now,
  });
  return targets.map(({ id }) => id);
}
