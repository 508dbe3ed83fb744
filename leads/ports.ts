/**
 * @module The port through which leads are stored; `leads/kv/` implements it on Deno KV.
 *
 * A method rejects with {@link AmbiguousCommit} if its write may have happened or may still happen, and
 * with any other error if it certainly has not, or if a read failed.
 */

import type { Deliveries, Delivery, LeadRecord } from "./lead.ts";
import { ExplainedError } from "../lib/log.ts";
import type { LimitState } from "./rate_limit.ts";

/** How long one call to the database may take: as long as SQLite waits for another process's lock. */
export const KV_DEADLINE_MS = 5_000;

/** A change to a client's limit record. */
export interface LimitWrite {
  /** Pseudonym of the client's address. */
  readonly client: string;
  readonly state: LimitState;
  /** The versionstamp last seen; null: absent. */
  readonly seen: string | null;
}

/** Why a commit was refused: the current limit record and the lead that is already stored. */
export interface CommitConflict {
  readonly state: LimitState;
  readonly versionstamp: string | null;
  /** The stored lead of the same content. */
  readonly existingLead: ExistingLead | null;
}

/** What a duplicate needs of a stored lead, whose content may be sealed under a missing key. */
export type ExistingLead = Pick<LeadRecord, "id" | "deliveries">;

/** A job in the queue: a lead that is due for a target. */
export interface DueJob {
  readonly target: string;
  readonly id: string;
  readonly due: number;
}

/** How many leads one commit can claim: denokv takes ten checks, and KV reads ten keys at once. */
export const MOST_CLAIMED = 10;

export interface Claims {
  readonly claimed: readonly LeadRecord[];
  readonly unusable: readonly (readonly [DueJob, UnusableLead])[];
}

/** A target that gets no leads until then, and after that one, whose outcome decides. */
export interface Pause {
  /** Epoch milliseconds. */
  readonly until: number;
  /** How many attempts in a row have lengthened it. */
  readonly failures: number;
  /** When the first of the failures in a row began. */
  readonly since?: number;
}

/** A stored value, null if there is none, and its versionstamp. */
export interface Versioned<T> {
  readonly value: T | null;
  readonly versionstamp: string | null;
}

/** What becomes of a lead's deliveries; undefined: nothing. */
export type Change = (deliveries: Deliveries) => Deliveries | undefined;

/** As {@link Change}, for a job. */
export type Lease = (deliveries: Deliveries, job: DueJob) => Deliveries | undefined;

export interface PurgeOptions {
  readonly until?: number;
  /** The targets that get leads; unset: not known, so that all that waits goes on waiting. */
  readonly targets?: readonly string[];
  /** A delivery of a lead past its retention has ended as a dead letter: nothing will attempt it. */
  readonly ended?: (lead: string, target: string, delivery: Delivery) => void;
}

/** How often something happened; nothing of who or what. */
export interface Tally {
  /** The hour (UTC) of a refusal or a dead letter, `2026-11-23T08`; the day of a delivery. */
  readonly period: string;
  readonly what: "refused" | "dead" | "delivered";
  /** The reason of a refusal; else the target. */
  readonly name: string;
  /** The time to delivery, as a step of `tallies.ts`; else 0. */
  readonly step: number;
  readonly times: number;
}

/** What operators have been told; times in epoch milliseconds. */
export interface AlertState {
  /** Until then another process is telling them. */
  readonly leaseUntil: number;
  /** Since when a target has failed, if they know. */
  readonly failing: Readonly<Record<string, number>>;
  /** Dead letters by hour and target. */
  readonly dead: Readonly<Record<string, number>>;
  readonly deadAt: number;
  readonly stranded: number;
  /** The time for which there was a digest; 0: there was none. */
  readonly digest: number;
}

/** How many stored leads have all of this in common. */
export interface LeadCount {
  /** The day (UTC) on which they arrived, such as `2026-11-23`. */
  readonly day: string;
  /** The fields with a choice, by name; absent: they have none. */
  readonly choices: Readonly<Record<string, string>>;
  /** The state of the delivery to each target. */
  readonly states: Readonly<Record<string, Delivery["state"]>>;
  readonly leads: number;
}

export interface ReadOptions {
  /** The least id. */
  readonly from?: string;
  /** Ids end before it. */
  readonly to?: string;
  /** The newest first. */
  readonly reverse?: boolean;
  /** How many leads one call reads. */
  readonly most?: number;
}

/** The store of leads, their queues and the lead limits. */
export interface LeadStore {
  /** The secret of the pseudonyms, shared by all instances; created on first use. */
  secret(): Promise<Uint8Array>;

  /**
   * Commits the lead, if any, its queue and index entries and the client's limit record atomically.
   *
   * @returns the versionstamp, or the conflict, which may be with this very lead
   */
  accept(limit: LimitWrite, record?: LeadRecord): Promise<string | CommitConflict>;

  /** Null if it is absent, or past its retention unless `expired` is set. @throws {UnusableLead} */
  get(id: string, options?: { readonly expired?: boolean }): Promise<LeadRecord | null>;

  /**
   * Changes a lead's deliveries and queue entries in one commit.
   *
   * @param lead its id; or a record from this store, which is read again only if it has changed since
   * @returns the changed lead; null if it is absent or unchanged
   * @throws {UnusableLead} if it cannot be opened, read or written; it is then unchanged
   */
  change(lead: string | LeadRecord, change: Change): Promise<LeadRecord | null>;

  /**
   * Changes the leads of up to {@link MOST_CLAIMED} jobs in one commit, and removes jobs that do not match
   * their lead.
   *
   * @returns the changed leads, none if another process was first; and those that cannot be used
   */
  claim(jobs: readonly DueJob[], lease: Lease): Promise<Claims>;

  /** The first jobs of a target's queue, longest waiting first; also those that are not due yet. */
  queue(target: string, options: { readonly most: number }): Promise<DueJob[]>;

  /** Makes the job of an {@link UnusableLead} due later, without touching its record. */
  putOff(job: DueJob, until: number): Promise<void>;

  pause(target: string): Promise<Versioned<Pause>>;

  /** As `setAlerts`. */
  setPause(target: string, pause: Pause | null, seen: string | null): Promise<string | null>;

  /** How many leads wait for a target (counted up to a bound), and the age of the oldest. */
  backlog(target: string): Promise<{ depth: number; oldestAgeMs: number }>;

  /** Ids of targets, configured or not. */
  targetsWithWaitingLeads(): Promise<string[]>;

  /** How many leads had no target when they arrived (counted up to a bound). */
  countStored(): Promise<number>;

  alerts(): Promise<Versioned<AlertState>>;

  /** Replaces the state. @returns the new version; null if another process was first */
  setAlerts(state: AlertState, seen: string | null): Promise<string | null>;

  /** Adds to what is counted, and forgets what is past the retention. */
  addTallies(tallies: readonly Tally[]): Promise<void>;

  /** What was counted in a period or later, by period. */
  tallies(from: string): Promise<Tally[]>;

  /** Removes leads past their retention; returns how many. */
  purge(options?: PurgeOptions): Promise<number>;

  /** Runs `rewrite` if the database file is due for it; returns whether it did. */
  rewriteDaily(rewrite: () => Promise<void>): Promise<boolean>;

  /** Every lead within its retention that can be opened, by arrival. */
  all(options?: ReadOptions): AsyncIterable<LeadRecord>;

  /** Counts what is stored without reading it, by day; also leads past their retention or unusable. */
  counts(): Promise<LeadCount[]>;

  /** The ids of a person's leads, also past their retention; `email` is a pseudonym. */
  ofPerson(email: string): Promise<string[]>;

  /**
   * Removes a lead and everything derived from it, and the person's index entry also without a lead. An
   * unusable one leaves entries without content, which expire or are removed as strays.
   *
   * @returns whether there was a lead
   */
  remove(id: string, person?: string): Promise<boolean>;

  /** Seals leads and the store's secret with the newest key where they are not. */
  reseal(): Promise<{ leads: number; resealed: number }>;
}

/**
 * A stored lead that cannot be read or changed: its bytes are damaged, its key is missing, or it has
 * become too large. Other leads are not affected.
 */
export class UnusableLead extends ExplainedError {
  override readonly name = "UnusableLead";
  /** @param reason in our own words */
  constructor(readonly id: string, reason: string, options?: ErrorOptions) {
    super(reason, options);
  }
}

/** A commit without an answer: it may have happened, or may still happen. */
export class AmbiguousCommit extends Error {
  override readonly name = "AmbiguousCommit";
  constructor(options?: ErrorOptions) {
    super("Cannot tell whether the commit has happened", options);
  }
}
