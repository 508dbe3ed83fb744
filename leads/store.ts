/**
 * @module The port through which leads are stored; `leads/kv/` implements it on Deno KV.
 *
 * Every method may reject: with {@link AmbiguousCommit} if a write may have happened or may still happen,
 * with any other error if it certainly has not, or if a read failed.
 */

import type { Deliveries, LeadRecord } from "./lead.ts";

/** How long one call to the database may take: as long as SQLite waits for another process's lock. */
export const KV_DEADLINE_MS = 5_000;

/** A client's lead limit as it is to be written, and as it was when last seen. */
export interface LimitWrite {
  /** Pseudonym of the client's address. */
  readonly client: string;
  readonly arrival: number;
  readonly seen: string | null;
}

/** Why a commit was refused: the limit record as it is now, and the lead that is already stored. */
export interface CommitConflict {
  readonly arrival: number;
  readonly versionstamp: string | null;
  /** The stored lead of the same content, if any. */
  readonly existingLead: LeadRecord | null;
}

/** A job in the queue: a lead that is due for a target. */
export interface DueJob {
  readonly id: string;
  readonly due: number;
}

/** What the intake needs. */
export interface IntakeStore {
  /** The secret of the pseudonyms: made on first use, the same for every instance. */
  secret(): Promise<Uint8Array>;

  /**
   * Commits the lead with its queue and index entries, and the client's new arrival time, as one.
   * Without a record only the arrival time is written.
   *
   * @returns the versionstamp, or null where the limit record has changed since it was seen or the
   * same lead is held already, which may be this very one: see {@link conflict}
   */
  accept(limit: LimitWrite, record?: LeadRecord): Promise<string | null>;

  /**
   * Reads why `accept` returned null.
   *
   * @throws {AmbiguousCommit} where that cannot be read, of a lead: a commit that KV refuses may be an
   * earlier try of the same commit, whose answer was lost
   */
  conflict(limit: LimitWrite, record?: LeadRecord): Promise<CommitConflict>;

  /** The lead, unless it does not exist or is past its retention. */
  get(id: string): Promise<LeadRecord | null>;
}

/** What the outbox and the maintenance need. */
export interface QueueStore {
  /**
   * Changes a lead's deliveries and its queue entries in one commit.
   *
   * @param change gives the new deliveries, or undefined to leave all as it is
   * @returns the changed lead; null where it is not there or `change` declined
   */
  change(
    id: string,
    change: (deliveries: Deliveries) => Deliveries | undefined,
  ): Promise<LeadRecord | null>;

  /** The jobs of a target that are due at `now`, the longest waiting first. */
  due(target: string, options: { now: number; most: number }): Promise<DueJob[]>;

  /** When the target's next job is due, whether or not that has passed; undefined without one. */
  nextDue(target: string): Promise<number | undefined>;

  /** How many leads wait for a target (counted up to a bound), and how old the oldest of them is. */
  backlog(target: string): Promise<{ depth: number; oldestAgeMs: number }>;

  /** The ids of all targets that leads wait for, configured or not. */
  queued(): Promise<string[]>;

  /** Removes a queue entry that its lead does not call for. */
  dropStray(target: string, job: DueJob): Promise<void>;

  /** Removes leads past their retention, the oldest first; returns how many. */
  purge(most: number): Promise<number>;

  /** Runs `rewrite` if the database's file is due for it. @returns whether this process did it */
  rewriteDaily(rewrite: () => Promise<void>): Promise<boolean>;
}

/** What operators' commands need. */
export interface OperatorStore {
  /** Every lead within its retention that can be opened, by arrival; a second reading may differ. */
  all(): AsyncIterable<LeadRecord>;

  /** The ids of a person's leads, by pseudonym; those past their retention too. */
  ofPerson(email: string): Promise<string[]>;

  /** Removes a lead and everything that points to it; counts the entries that were there. */
  remove(id: string): Promise<Removed>;

  /** Removes an index entry of a person whose lead is not there any more. */
  removeStray(email: string, id: string): Promise<Removed>;

  /** Seals leads and the store's secret anew where they are not sealed with the newest key. */
  reseal(progress: (done: number) => void): Promise<{ leads: number; resealed: number }>;
}

/** Where leads, their queue and the lead limits are kept. */
export type LeadStore = IntakeStore & QueueStore & OperatorStore;

/** Entries that were removed, by kind. */
export interface Removed {
  readonly leads: number;
  readonly queued: number;
  readonly dead: number;
  readonly index: number;
}

/** A commit without an answer: it may have happened, or may still happen. */
export class AmbiguousCommit extends Error {
  override readonly name = "AmbiguousCommit";
  constructor(options?: ErrorOptions) {
    super("Cannot tell whether the commit has happened", options);
  }
}
