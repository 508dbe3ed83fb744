/** @module Puts the parts of the lead pipeline together. */

import { v7 as uuidV7 } from "uuid";
import { Clients } from "./clients.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createTargets } from "./delivery/targets.ts";
import { Intake } from "./intake.ts";
import type { Log } from "./log.ts";
import { Outbox } from "./outbox.ts";
import type { Allowance } from "./rate_limit.ts";
import { type KvAccess, KvLeadStore } from "./kv/store.ts";

/** The settings of the pipeline; durations in milliseconds. */
export interface LeadSettings {
  readonly leadTargets: readonly URL[];
  readonly leadWebhookSecrets: readonly string[];
  readonly leadRateLimit: Allowance;
  readonly leadAttemptLimit: Allowance;
  readonly leadInlineTimeoutMs: number;
  readonly leadRetentionMs: number;
}

/** What the pipeline is given from outside. */
export interface LeadEnvironment {
  readonly kv: KvAccess;
  readonly log: Log;
  readonly clock?: Clock;
}

/** The way in and the way on. */
export interface Leads {
  readonly intake: Intake;
  readonly outbox: Outbox;
}

export async function createLeads(
  settings: LeadSettings,
  { kv, log, clock = systemClock }: LeadEnvironment,
): Promise<Leads> {
  const store = new KvLeadStore(kv, clock.now);
  const targets = await createTargets(settings.leadTargets, {
    secrets: settings.leadWebhookSecrets,
    now: clock.now,
  });
  const outbox = new Outbox({ store, targets, clock, random: Math.random, log });
  const intake = new Intake({
    store,
    outbox,
    clients: new Clients(),
    clock,
    log,
    newId: (now) => uuidV7({ msecs: now }),
    leadLimit: settings.leadRateLimit,
    attemptLimit: settings.leadAttemptLimit,
    inlineTimeoutMs: settings.leadInlineTimeoutMs,
    retentionMs: settings.leadRetentionMs,
  });
  return { intake, outbox };
}
