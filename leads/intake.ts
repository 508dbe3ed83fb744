/**
 * @module The life of one lead, from the request to its answer. Read it from top to bottom.
 *
 * A 200 is a promise: KV holds the lead, or every target has it. A 502 means that neither could be
 * confirmed: the client sends the lead again, and the same lead is one lead. What turns up in KV after
 * a 502 stays there and is delivered.
 */

import { BoundedMap } from "./bounded_map.ts";
import {
  type Client,
  type ClientLimits,
  inTurn,
  type Limits,
  type Sender,
} from "./client_limits.ts";
import type { Clock } from "./clock.ts";
import { DELIVERY_TIMEOUT_MS } from "./delivery_worker.ts";
import { contentOf, isDelivered, isTestLead, type LeadRecord } from "./lead.ts";
import { errorName, type Log } from "./log.ts";
import type { Outbox } from "./outbox.ts";
import { createPseudonyms, type Pseudonyms } from "./privacy.ts";
import { take } from "./rate_limit.ts";
import { AmbiguousCommit, type IntakeStore, KV_DEADLINE_MS, type LimitWrite } from "./store.ts";
import type { LeadRequest } from "../schemas/lead.ts";
import type { Allowance } from "../schemas/values.ts";

/** How long a lead may wait for its client's earlier leads and for KV to take it. */
export const STORING_MS = 2 * KV_DEADLINE_MS;

/**
 * The longest a lead takes from the last byte of its body to the answer: storing, one look whether an
 * ambiguous commit has happened, and one try at the targets. Clients wait longer than that.
 */
export const LONGEST_ANSWER_MS = STORING_MS + KV_DEADLINE_MS + DELIVERY_TIMEOUT_MS;

/**
 * Beyond the allowance itself: a race may also be lost to a duplicate, or to an entry that expired. Each
 * other loss means that another lead of this client was admitted, so that refusing is right.
 */
const MORE_RACES = 3;

/** Leads without a confirmed place in KV whose ids are remembered, and for how long. */
const UNCONFIRMED = 1_000;
const UNCONFIRMED_MS = 3_600_000;

/** What became of a lead. */
export type Outcome =
  | { readonly kind: "accepted"; readonly delivered: boolean }
  | { readonly kind: "limited" }
  | { readonly kind: "not_stored" };

/** What the intake works with. */
export interface IntakeDeps {
  readonly clients: ClientLimits;
  readonly leadLimit: Allowance;
  readonly store: IntakeStore;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Log;
  /** Makes an id that sorts by time. */
  readonly newId: (now: number) => string;
  readonly inlineTimeoutMs: number;
  readonly retentionMs: number;
}

/** A lead on its way into the store. */
interface Job {
  readonly request: LeadRequest;
  readonly address: string;
  readonly client: Client;
  record?: LeadRecord;
  /** Sent before without a confirmed place in KV: its record has the id of then. */
  isRepeated?: boolean;
}

/** What the store made of a lead. */
type Placement =
  | {
    readonly kind: "stored" | "ambiguous" | "unstored" | "duplicate";
    readonly record: LeadRecord;
  }
  | { readonly kind: "test" | "limited" };

/** Takes leads. */
export class Intake {
  readonly #deps: IntakeDeps;
  /** Inline attempts in flight, so that a duplicate sent meanwhile gets the same answer. */
  readonly #answers = new Map<string, Promise<boolean>>();
  /** Under the store's secret, once it is known. */
  #names: Pseudonyms | undefined;
  /** For what no store sees: names of this process's own. */
  readonly #ownNames = createPseudonyms(crypto.getRandomValues(new Uint8Array(32)));
  /** Ids by content: a lead that is sent again keeps its id, so that a target can tell. */
  readonly #unconfirmed = new BoundedMap<{ readonly id: string; readonly at: number }>({
    max: UNCONFIRMED,
    keep: () => false,
  });

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /** The sender of a request that comes from an address. */
  sender(address: string): Sender {
    return this.#deps.clients.sender(address);
  }

  /** Counts a request, valid or not. @returns false if the client is over the attempt limit */
  attempt(sender: Sender): boolean {
    return this.#deps.clients.attempt(sender);
  }

  /** What is left of both limits, as far as this process knows. Costs no KV call. */
  limits(sender: Sender): Limits {
    return this.#deps.clients.limits(sender);
  }

  /**
   * Takes a valid lead, within {@link LONGEST_ANSWER_MS}. Does not reject for what KV or a target does.
   *
   * @param options.requestId is logged beside the lead's id
   */
  async submit(
    request: LeadRequest,
    { sender, requestId }: { readonly sender: Sender; readonly requestId: string },
  ): Promise<Outcome> {
    const { clients, clock } = this.#deps;
    if (clients.isOut(sender)) return { kind: "limited" };
    const { address } = sender;
    const job: Job = { request, address, client: clients.client(address) };
    const placement = await inTurn(job.client, () => this.#place(job), {
      clock,
      ms: STORING_MS,
      late: (hasBegun) => this.#placeLate(job, hasBegun),
    });
    switch (placement.kind) {
      case "limited":
        return { kind: "limited" };
      case "test":
        return { kind: "accepted", delivered: false };
      case "duplicate":
        return { kind: "accepted", delivered: await this.#answerOf(placement.record) };
      case "stored":
        return { kind: "accepted", delivered: await this.#deliver(placement.record, requestId) };
      case "ambiguous":
      case "unstored":
        return await this.#deliverUnconfirmed(placement, requestId);
    }
  }

  /** Counts the lead and stores it, in one commit. */
  async #place(job: Job): Promise<Placement> {
    const { clock, store, leadLimit, log } = this.#deps;
    const { request, address, client } = job;
    const verdict = () => take(leadLimit, { arrival: client.leads, now: clock.now() });
    // Used up while this lead waited for its turn.
    if (!verdict().allowed) return { kind: "limited" };

    let duplicateOf: LeadRecord | null = null;
    try {
      const names = this.#names ??= createPseudonyms(await store.secret());
      if (!isTestLead(request)) job.record ??= this.#recordOf(job, names);
      for (let race = 0; race < leadLimit.count + MORE_RACES; race++) {
        const { allowed, arrival } = verdict();
        const limit = { client: names.address(address), arrival, seen: client.versionstamp };
        if (!allowed) {
          await this.#storeClamped(client, limit);
          break;
        }
        const record: LeadRecord | undefined = duplicateOf === null ? job.record : undefined;
        const versionstamp = await store.accept(limit, record);
        if (versionstamp !== null) {
          Object.assign(client, { leads: arrival, versionstamp });
          return placed(job.record, duplicateOf);
        }
        const { existingLead, ...seen } = await store.conflict(limit, record);
        Object.assign(client, { leads: seen.arrival, versionstamp: seen.versionstamp });
        // The KV Connect client repeats calls: the conflict may be with this very commit.
        if (record !== undefined && existingLead?.id === record.id && !job.isRepeated) {
          return { kind: "stored", record };
        }
        duplicateOf ??= existingLead;
      }
      return { kind: "limited" };
    } catch (error) {
      client.leads = verdict().arrival; // without KV the limit is kept in memory
      log.error("kv.failed", { reason: errorName(error) });
      if (duplicateOf !== null) return { kind: "duplicate", record: duplicateOf };
      return this.#placeWithoutKv(job, error instanceof AmbiguousCommit ? "ambiguous" : "unstored");
    }
  }

  /** KV has not answered in time, or has kept earlier leads of the same client waiting for so long. */
  #placeLate(job: Job, hasBegun: boolean): Placement {
    const { clock, leadLimit, log } = this.#deps;
    const { allowed, arrival } = take(leadLimit, { arrival: job.client.leads, now: clock.now() });
    if (!allowed && !hasBegun) return { kind: "limited" };
    job.client.leads = arrival;
    log.error("kv.failed", { reason: `no answer within ${STORING_MS} ms` });
    const mayBeHeld = hasBegun && job.record !== undefined;
    return this.#placeWithoutKv(job, mayBeHeld ? "ambiguous" : "unstored");
  }

  /** Remembers the lead's id for when it is sent again. */
  #placeWithoutKv(job: Job, kind: "ambiguous" | "unstored"): Placement {
    if (isTestLead(job.request)) return { kind: "test" };
    const record = job.record ??= this.#recordOf(job, this.#names ?? this.#ownNames);
    if (!job.isRepeated) {
      const { id, receivedAt: at, lead } = record;
      this.#unconfirmed.set(this.#ownNames.content(lead), { id, at });
    }
    return { kind, record };
  }

  /**
   * Writes back an arrival time that was stored beyond the window: otherwise each instance that reads
   * it would clamp it to its own now, and refuse the client again.
   */
  async #storeClamped(client: Client, limit: LimitWrite): Promise<void> {
    if (client.leads <= limit.arrival) return;
    client.leads = limit.arrival;
    // Refused in any case: where this fails, the next instance tries.
    const versionstamp = await this.#deps.store.accept(limit).catch(() => null);
    if (versionstamp !== null) client.versionstamp = versionstamp;
  }

  async #deliver(record: LeadRecord, requestId: string): Promise<boolean> {
    const { outbox, inlineTimeoutMs, log } = this.#deps;
    const answer = outbox.deliver(record, Math.min(inlineTimeoutMs, DELIVERY_TIMEOUT_MS))
      .finally(() => this.#answers.delete(record.id));
    this.#answers.set(record.id, answer);
    const delivered = await answer;
    log.info("lead.stored", { lead: record.id, requestId, delivered });
    return delivered;
  }

  /** The answer to a duplicate: that of the attempt in flight, or the state of its deliveries. */
  async #answerOf(record: LeadRecord): Promise<boolean> {
    return await this.#answers.get(record.id) ?? isDelivered(record.deliveries);
  }

  /**
   * After an ambiguous commit the record is looked up, once. A lead that KV is not known to hold goes
   * straight to the targets.
   */
  async #deliverUnconfirmed(
    { kind, record }: { readonly kind: string; readonly record: LeadRecord },
    requestId: string,
  ): Promise<Outcome> {
    const { store, outbox, log } = this.#deps;
    const held = kind === "ambiguous" ? await store.get(record.id).catch(() => null) : null;
    if (held !== null) {
      return { kind: "accepted", delivered: await this.#deliver(record, requestId) };
    }
    const delivered = await outbox.deliverUnstored(record);
    log.error("lead.not_stored", { lead: record.id, requestId, delivered });
    return delivered ? { kind: "accepted", delivered } : { kind: "not_stored" };
  }

  #recordOf(job: Job, names: Pseudonyms): LeadRecord {
    const { clock, newId, outbox, retentionMs } = this.#deps;
    const now = clock.now();
    const lead = contentOf(job.request);
    const before = this.#unconfirmed.size === 0
      ? undefined
      : this.#unconfirmed.get(this.#ownNames.content(lead));
    job.isRepeated = before !== undefined && now - before.at < UNCONFIRMED_MS;
    return {
      id: job.isRepeated ? before!.id : newId(now),
      receivedAt: now,
      expiresAt: now + retentionMs,
      lead,
      deliveries: outbox.enter(now),
      index: { same: names.content(lead), email: names.email(lead.email) },
    };
  }
}

function placed(record: LeadRecord | undefined, duplicateOf: LeadRecord | null): Placement {
  if (duplicateOf !== null) return { kind: "duplicate", record: duplicateOf };
  return record === undefined ? { kind: "test" } : { kind: "stored", record };
}
