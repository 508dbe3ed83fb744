/**
 * @module The life of one lead, from the door to its answer. Read it from top to bottom.
 *
 * A 200 is a promise: the lead is stored, or every target has it. A 502 is one too: it is held
 * nowhere. What is neither known to be stored nor known not to be is looked up before anyone is told.
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

/** How a lead stands after its turn at the store. */
type Placement =
  | { readonly kind: "stored"; readonly record: LeadRecord }
  | { readonly kind: "unstored"; readonly record: LeadRecord; readonly commit?: CommitUnknown }
  | { readonly kind: "same"; readonly record: LeadRecord }
  | { readonly kind: "test" }
  | { readonly kind: "limited" };

/**
 * Beyond the allowance itself: a race may also be lost to a copy of the lead, or to an entry that
 * expired. Each other loss means that somebody else was admitted, so that refusing is right.
 */
const MORE_RACES = 3;

/** Takes leads. */
export class Intake {
  readonly #deps: IntakeDeps;
  /** Inline tries under way, so that a copy of the lead sent meanwhile gets the same answer. */
  readonly #answers = new Map<string, Promise<boolean>>();
  #names: Pseudonyms | undefined;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /** The sender of a request that comes from an address. */
  sender(address: string): Sender {
    return this.#deps.clients.sender(address);
  }

  /** Counts a request, valid or not. @returns false where it is to be refused unread */
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
   * @param options.requestId stands in the log beside the lead's id
   */
  async submit(
    lead: LeadRequest,
    { sender, requestId }: { readonly sender: Sender; readonly requestId: string },
  ): Promise<Outcome> {
    const { clients } = this.#deps;
    if (clients.isOut(sender)) return { kind: "limited" };
    const { address } = sender;
    const client = clients.client(address);
    const placement = await inTurn(client, () => this.#place(lead, { address, client }));
    switch (placement.kind) {
      case "limited":
        return { kind: "limited" };
      case "test":
        return { kind: "accepted", delivered: false };
      case "same":
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
    let same: LeadRecord | null = null;
    let twin: LeadRecord | null = null;
    try {
      const names = this.#names ??= createPseudonyms(await store.secret());
      if (!isTestLead(lead)) record = this.#recordOf(lead, names);
      for (let race = 0; race < leadLimit.count + MORE_RACES; race++) {
        const { allowed, arrival } = verdict();
        if (!allowed) {
          await this.#storeClamped(client, { name: names.address(address), arrival });
          break;
        }
        const wanted = same === null ? record : undefined;
        const limit = { client: names.address(address), arrival, seen: client.versionstamp };
        const versionstamp = await store.accept(limit, wanted);
        if (versionstamp !== null) {
          Object.assign(client, { leads: arrival, versionstamp });
          return placed(record, same);
        }
        const obstacle = await store.obstacle(limit, wanted);
        client.leads = obstacle.arrival;
        client.versionstamp = obstacle.versionstamp;
        // The KV Connect client repeats calls: the obstacle may be this very commit.
        if (record !== undefined && obstacle.same?.id === record.id) return placed(record, null);
        // Confirmed before a 200 on its account: the commit of the original may still be ambiguous.
        twin = obstacle.same;
        if (twin !== null) same = await store.confirm(twin.id);
      }
      return { kind: "limited" };
    } catch (error) {
      client.leads = verdict().arrival; // without KV the limit is kept in memory
      this.#deps.log.error("kv.failed", { reason: errorName(error) });
      if (same !== null || isTestLead(lead)) return placed(record, same);
      if (twin !== null) return unconfirmed(twin);
      return await this.#lookUp(record ?? this.#recordOf(lead, spareNames()), error);
    }
  }

  /**
   * Writes back an arrival time that was stored beyond the window: each instance that reads it would
   * clamp it from its own now, and refuse the client anew.
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

  /** After a failed commit: is the lead held or not? */
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

  /** The answer to a lead that is held already: that of the try under way, or as things stand. */
  async #answerOf(record: LeadRecord): Promise<boolean> {
    return await this.#answers.get(record.id) ?? isDelivered(record.deliveries);
  }

  /**
   * KV does not hold the lead, as far as can be seen: straight to the targets. Where they do not take
   * it, the sender waits for the last word on whether it is held after all.
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

function placed(record: LeadRecord | undefined, same: LeadRecord | null): Placement {
  if (same !== null) return { kind: "same", record: same };
  return record === undefined ? { kind: "test" } : { kind: "stored", record };
}

/**
 * A copy of a lead that is held, but nothing may be promised on its account: straight to the targets,
 * under the id that they may have seen, unless all have it.
 */
function unconfirmed(twin: LeadRecord): Placement {
  return { kind: isDelivered(twin.deliveries) ? "same" : "unstored", record: twin };
}

/** For a lead that no store will see. */
function spareNames(): Pseudonyms {
  return createPseudonyms(crypto.getRandomValues(new Uint8Array(32)));
}
