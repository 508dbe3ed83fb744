/**
 * @module The life of one lead, from the request to its answer. Read it from top to bottom.
 *
 * A 200 is a promise: the lead is stored, or every target has it. So is a 502: it is stored nowhere.
 * After an ambiguous commit the record is looked up before the client gets an answer.
 */

import {
  type Client,
  type ClientLimits,
  inTurn,
  type Limits,
  type Sender,
} from "./client_limits.ts";
import type { Clock } from "./clock.ts";
import { reconcile, resolveAmbiguousCommit } from "./ambiguous_commit.ts";
import { contentOf, isDelivered, isTestLead, type LeadRecord } from "./lead.ts";
import { errorName, type Log } from "./log.ts";
import type { Outbox } from "./outbox.ts";
import { createPseudonyms, type Pseudonyms } from "./privacy.ts";
import { take } from "./rate_limit.ts";
import { CommitUnknown, type IntakeStore } from "./store.ts";
import type { LeadRequest } from "../schemas/lead.ts";
import type { Allowance } from "../schemas/values.ts";

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

/** What the store made of a lead. */
type Placement =
  | { readonly kind: "stored"; readonly record: LeadRecord }
  | { readonly kind: "unstored"; readonly record: LeadRecord; readonly commit?: CommitUnknown }
  | { readonly kind: "duplicate"; readonly record: LeadRecord }
  | { readonly kind: "test" }
  | { readonly kind: "limited" };

/**
 * Beyond the allowance itself: a race may also be lost to a duplicate, or to an entry that expired. Each
 * other loss means that another lead of this client was admitted, so that refusing is right.
 */
const MORE_RACES = 3;

/** Takes leads. */
export class Intake {
  readonly #deps: IntakeDeps;
  /** Inline attempts in flight, so that a duplicate sent meanwhile gets the same answer. */
  readonly #answers = new Map<string, Promise<boolean>>();
  #names: Pseudonyms | undefined;

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
   * Takes a valid lead. Does not reject for what KV or a target does.
   *
   * @param options.requestId is logged beside the lead's id
   */
  async submit(
    lead: LeadRequest,
    { sender, requestId }: { readonly sender: Sender; readonly requestId: string },
  ): Promise<Outcome> {
    const { clients, clock } = this.#deps;
    if (clients.isOut(sender)) return { kind: "limited" };
    const { address } = sender;
    const client = clients.client(address);
    const placement = await inTurn(client, () => this.#place(lead, { address, client }), {
      clock,
      late: () => this.#placeLate(lead, client),
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
      case "unstored":
        return await this.#deliverUnstored(placement, requestId);
    }
  }

  /** Counts the lead and stores it, in one commit. */
  async #place(
    lead: LeadRequest,
    { address, client }: { readonly address: string; readonly client: Client },
  ): Promise<Placement> {
    const { clock, store, leadLimit } = this.#deps;
    const verdict = () => take(leadLimit, { arrival: client.leads, now: clock.now() });
    // Used up while this lead waited for its turn.
    if (!verdict().allowed) return { kind: "limited" };

    let record: LeadRecord | undefined;
    let existingLead: LeadRecord | null = null;
    let duplicateOf: LeadRecord | null = null;
    try {
      const names = this.#names ??= createPseudonyms(await store.secret());
      if (!isTestLead(lead)) record = this.#recordOf(lead, names);
      for (let race = 0; race < leadLimit.count + MORE_RACES; race++) {
        const { allowed, arrival } = verdict();
        if (!allowed) {
          await this.#storeClamped(client, { name: names.address(address), arrival });
          break;
        }
        const wanted = duplicateOf === null ? record : undefined;
        const limit = { client: names.address(address), arrival, seen: client.versionstamp };
        const versionstamp = await store.accept(limit, wanted);
        if (versionstamp !== null) {
          Object.assign(client, { leads: arrival, versionstamp });
          return placed(record, duplicateOf);
        }
        const conflict = await store.conflict(limit, wanted);
        client.leads = conflict.arrival;
        client.versionstamp = conflict.versionstamp;
        existingLead = conflict.existingLead;
        // The KV Connect client repeats calls: the conflict may be with this very commit.
        if (record !== undefined && existingLead?.id === record.id) return placed(record, null);
        // Confirmed before a 200 on its account: the commit of the original may still be ambiguous.
        if (existingLead !== null) duplicateOf = await store.confirm(existingLead.id);
      }
      return { kind: "limited" };
    } catch (error) {
      client.leads = verdict().arrival; // without KV the limit is kept in memory
      this.#deps.log.error("kv.failed", { reason: errorName(error) });
      if (duplicateOf !== null || isTestLead(lead)) return placed(record, duplicateOf);
      if (existingLead !== null) return unconfirmed(existingLead);
      return await this.#lookUp(record ?? this.#recordOf(lead, spareNames()), error);
    }
  }

  /** Counts a lead in memory alone, because its client's leads before it still wait for KV. */
  #placeLate(lead: LeadRequest, client: Client): Placement {
    const { clock, leadLimit, log } = this.#deps;
    const { allowed, arrival } = take(leadLimit, { arrival: client.leads, now: clock.now() });
    if (!allowed) return { kind: "limited" };
    client.leads = arrival;
    log.error("kv.failed", { reason: "earlier leads of the same client still wait for it" });
    if (isTestLead(lead)) return { kind: "test" };
    return { kind: "unstored", record: this.#recordOf(lead, this.#names ?? spareNames()) };
  }

  /**
   * Writes back an arrival time that was stored beyond the window: otherwise each instance that reads
   * it would clamp it to its own now, and refuse the client again.
   */
  async #storeClamped(
    client: Client,
    { name, arrival }: { readonly name: string; readonly arrival: number },
  ): Promise<void> {
    if (client.leads <= arrival) return;
    client.leads = arrival;
    const limit = { client: name, arrival, seen: client.versionstamp };
    // Refused in any case: where this fails, the next instance tries.
    const versionstamp = await this.#deps.store.accept(limit).catch(() => null);
    if (versionstamp !== null) client.versionstamp = versionstamp;
  }

  /** After a failed commit: is the lead stored or not? */
  async #lookUp(record: LeadRecord, failure: unknown): Promise<Placement> {
    if (!(failure instanceof CommitUnknown)) return { kind: "unstored", record };
    const held = await this.#deps.store.get(record.id).catch(() => null);
    return held === null
      ? { kind: "unstored", record, commit: failure }
      : { kind: "stored", record };
  }

  async #deliver(record: LeadRecord, requestId: string): Promise<boolean> {
    const { outbox, inlineTimeoutMs, log } = this.#deps;
    const answer = outbox.deliver(record, inlineTimeoutMs)
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
   * The lead is not known to be stored: sends it straight to the targets. If they do not take it, the
   * client waits until it is known whether it is stored after all.
   */
  async #deliverUnstored(
    { record, commit }: { record: LeadRecord; commit?: CommitUnknown },
    requestId: string,
  ): Promise<Outcome> {
    const { outbox, log } = this.#deps;
    const resolved = Promise.withResolvers<void>();
    if (commit !== undefined) outbox.leaveAlone(record.id, resolved.promise);
    const delivered = await outbox.deliverUnstored(record);
    if (commit !== undefined) {
      const found = delivered
        ? "unknown"
        : await resolveAmbiguousCommit({ record, commit }, this.#deps);
      const agreed = found === "unknown"
        ? reconcile({ record, commit }, { delivered, deps: this.#deps })
        : Promise.resolve();
      void agreed.finally(resolved.resolve);
      if (found === "held") {
        log.info("lead.stored", { lead: record.id, requestId, delivered: false });
        return { kind: "accepted", delivered: false };
      }
    }
    log.error("lead.not_stored", { lead: record.id, requestId, delivered });
    return delivered ? { kind: "accepted", delivered } : { kind: "not_stored" };
  }

  #recordOf(request: LeadRequest, names: Pseudonyms): LeadRecord {
    const { clock, newId, outbox, retentionMs } = this.#deps;
    const now = clock.now();
    const lead = contentOf(request);
    return {
      id: newId(now),
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

/**
 * A duplicate of a lead that is stored but could not be confirmed, so that it may yet be removed: sent
 * straight to the targets, under the id that they may have seen, unless all have it.
 */
function unconfirmed(existingLead: LeadRecord): Placement {
  const kind = isDelivered(existingLead.deliveries) ? "duplicate" : "unstored";
  return { kind, record: existingLead };
}

/** For a lead that no store will see. */
function spareNames(): Pseudonyms {
  return createPseudonyms(crypto.getRandomValues(new Uint8Array(32)));
}
