/**
 * @module The life of one lead, from the request to its answer. Read it from top to bottom.
 *
 * A 200 is a promise: KV has stored the lead, or every target has acknowledged it. A 502 means that
 * neither could be confirmed: the client sends the lead again, and it is still one lead, under one id at
 * its targets (`delivery/webhook_id.ts`). A lead that KV stores after its 502 stays and is delivered.
 */

import { type Client, type ClientLimits, inTurn } from "./client_limits.ts";
import { allTrueWithin, type Clock } from "../lib/clock.ts";
import { DELIVERY_TIMEOUT_MS } from "./delivery_worker.ts";
import { isDelivered, isTestLead, type LeadRecord } from "./lead.ts";
import { contentOf } from "./lead_content.ts";
import { type Log, safeReason } from "../lib/log.ts";
import { type Outbox, UNSTORED_WAIT_MS } from "./outbox.ts";
import { createPseudonyms, type Pseudonyms } from "./pseudonyms.ts";
import { take } from "./rate_limit.ts";
import { AmbiguousCommit, type ExistingLead, KV_DEADLINE_MS, type LeadStore } from "./ports.ts";
import { lazy } from "../lib/lazy.ts";
import type { LeadRequest } from "../schemas/lead.ts";
import type { Config } from "../config/settings.ts";

/** How long storing a lead may take, including the wait for its client's earlier leads. */
export const STORING_MS = 2 * KV_DEADLINE_MS;

/** From the last byte of a body to the answer: storing, reading back, a turn, an attempt at the targets. */
export const LONGEST_ANSWER_MS = STORING_MS + KV_DEADLINE_MS + UNSTORED_WAIT_MS +
  DELIVERY_TIMEOUT_MS;

/** Retries beyond the quota, for conflicts with a duplicate or an expired entry. */
const MORE_RACES = 3;

export type Outcome =
  | { readonly kind: "accepted"; readonly delivered: boolean }
  /** Validated and counted, but neither stored nor delivered. */
  | { readonly kind: "tested" }
  | { readonly kind: "limited" }
  | { readonly kind: "not_stored" };

export interface IntakeDeps {
  readonly clients: ClientLimits;
  readonly settings: Config;
  readonly store: Pick<LeadStore, "secret" | "accept" | "get">;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: (now: number) => string;
}

interface Job {
  readonly request: LeadRequest;
  readonly address: string;
  readonly client: Client;
  record?: LeadRecord;
}

/** The result of storing a lead, or the outcome of one that is not to be stored. */
type StoreResult =
  | { readonly kind: "stored" | "ambiguous" | "unstored"; readonly record: LeadRecord }
  | { readonly kind: "duplicate"; readonly record: ExistingLead }
  | Outcome;

export interface Intake extends Pick<ClientLimits, "attempt" | "limits"> {
  /** Accepts a valid lead within {@link LONGEST_ANSWER_MS}; never rejects. Logs the request id. */
  submit(
    request: LeadRequest,
    options: { readonly clientKey: string; readonly requestId: string },
  ): Promise<Outcome>;
}

export function createIntake(
  { clients, settings, store, outbox, clock, log, newId }: IntakeDeps,
): Intake {
  const { leadRateLimit: limit, leadRetentionMs } = settings;
  const inlineMs = Math.min(settings.leadInlineTimeoutMs, DELIVERY_TIMEOUT_MS);
  /** Inline attempts in flight, so that a duplicate sent meanwhile gets the same answer. */
  const answers = new Map<string, Promise<boolean>>();
  const pseudonyms = lazy(async () => createPseudonyms(await store.secret()));

  const submit: Intake["submit"] = async (request, { clientKey: address, requestId }) => {
    if (clients.limits(address).lead.remaining === 0) return { kind: "limited" };
    const job: Job = { request, address, client: clients.client(address) };
    const placement = await inTurn(job.client, () => place(job), {
      clock,
      ms: STORING_MS,
      late: (hasBegun) => placeLate(job, hasBegun),
    });
    if (!("record" in placement)) return placement;
    const { kind, record } = placement;
    if (kind === "duplicate") {
      return accepted(await answerDuplicate(record, requestId));
    }
    // An ambiguous commit may have happened: the lead is read back once.
    const isStored = kind === "stored" ||
      (kind === "ambiguous" && await store.get(record.id).catch(() => null) !== null);
    if (isStored) {
      const delivered = await answerOf(record.id, outbox.deliver(record, inlineMs));
      log.info("lead.stored", { lead: record.id, requestId, delivered });
      return accepted(delivered);
    }
    const delivered = await outbox.deliverUnstored(record);
    log.error("lead.not_stored", { lead: record.id, requestId, delivered });
    return delivered ? accepted(true) : { kind: "not_stored" };
  };

  function verdict({ leads }: Client) {
    return take(limit, { state: leads, now: clock.now() });
  }

  /** Counts the lead and stores it, in one commit. */
  async function place(job: Job): Promise<StoreResult> {
    const { request, address, client } = job;
    // The quota was used up while this lead waited for its turn.
    if (!verdict(client).allowed) return { kind: "limited" };

    let duplicateOf: ExistingLead | null = null;
    try {
      const names = await pseudonyms();
      if (!isTestLead(request)) job.record = recordOf(request, names);
      for (let race = 0; race < limit.count + MORE_RACES; race++) {
        const { allowed, state } = verdict(client);
        const write = { client: names.address(address), state, seen: client.versionstamp };
        if (!allowed) {
          if (client.leads === state) break;
          client.leads = state;
          // Clamped: otherwise every instance would refuse the client again.
          const result = await store.accept(write).catch(() => null);
          if (typeof result === "string") client.versionstamp = result;
          break;
        }
        const record: LeadRecord | undefined = duplicateOf === null ? job.record : undefined;
        const result = await store.accept(write, record);
        if (typeof result === "string") {
          Object.assign(client, { leads: state, versionstamp: result });
          if (duplicateOf !== null) return { kind: "duplicate", record: duplicateOf };
          return record === undefined ? TESTED : { kind: "stored", record };
        }
        const { existingLead, versionstamp } = result;
        Object.assign(client, { leads: result.state, versionstamp });
        // The KV Connect client repeats calls: the commit may conflict with itself.
        if (record !== undefined && existingLead?.id === record.id) {
          return { kind: "stored", record };
        }
        duplicateOf ??= existingLead;
      }
      return { kind: "limited" };
    } catch (error) {
      client.leads = verdict(client).state; // without KV the limit is counted in memory
      log.error("kv.failed", { reason: safeReason(error) });
      if (duplicateOf !== null) return { kind: "duplicate", record: duplicateOf };
      return placeWithoutKv(job, error instanceof AmbiguousCommit);
    }
  }

  /** KV has not answered this lead, or earlier leads of the same client, in time. */
  function placeLate(job: Job, hasBegun: boolean): StoreResult {
    const { client, record } = job;
    const { allowed, state } = verdict(client);
    if (!allowed && !hasBegun) return { kind: "limited" };
    client.leads = state;
    log.error("kv.failed", { reason: `no answer within ${STORING_MS} ms` });
    return placeWithoutKv(job, hasBegun && record !== undefined);
  }

  function placeWithoutKv({ request, record }: Job, isAmbiguous: boolean): StoreResult {
    if (isTestLead(request)) return TESTED;
    return { kind: isAmbiguous ? "ambiguous" : "unstored", record: record ?? recordOf(request) };
  }

  /** What is a dead letter is attempted again: its target may be well by now. */
  async function answerDuplicate(
    { id, deliveries }: ExistingLead,
    requestId: string,
  ): Promise<boolean> {
    if (isDelivered(deliveries)) return true;
    async function sendAgain(): Promise<boolean> {
      const { again, delivered } = await outbox.deliverAgain(id, inlineMs);
      if (again) log.info("lead.sent_again", { lead: id, requestId, delivered });
      return delivered;
    }
    function failed(error: unknown): boolean {
      log.error("kv.failed", { reason: safeReason(error) });
      return false;
    }
    const work = () => allTrueWithin([sendAgain().catch(failed)], { ms: inlineMs, clock });
    return await (answers.get(id) ?? answerOf(id, work()));
  }

  /** Gives duplicates that arrive meanwhile the same answer. */
  function answerOf(id: string, work: Promise<boolean>): Promise<boolean> {
    const answer = work.finally(() => answers.delete(id));
    answers.set(id, answer);
    return answer;
  }

  /** Without names the record must not be stored: neither a duplicate nor its person would be found. */
  function recordOf(request: LeadRequest, names?: Pseudonyms): LeadRecord {
    const now = clock.now();
    const lead = contentOf(request);
    return {
      id: newId(now),
      receivedAt: now,
      expiresAt: now + leadRetentionMs,
      lead,
      deliveries: outbox.initialDeliveries(now),
      index: { same: names?.content(lead) ?? "", email: names?.email(lead.email) ?? "" },
    };
  }

  return {
    attempt: (address) => clients.attempt(address),
    limits: (address) => clients.limits(address),
    submit,
  };
}

function accepted(delivered: boolean): Outcome {
  return { kind: "accepted", delivered };
}

const TESTED: Outcome = { kind: "tested" };
