/**
 * @module The port through which the life of a lead is kept. `leads/kv/` implements it on Deno KV.
 *
 * Every method may reject: with {@link CommitUnknown} where a write may yet land, with any other
 * error where it surely has not, or a read failed.
 */

import type { Deliveries, LeadRecord } from "./lead.ts";

/** A client's lead limit as it is to be written, and as it was when last seen. */
export interface LimitWrite {
  /** Pseudonym of the client's address. */
  readonly client: string;
  readonly arrival: number;
  readonly seen: string | null;
}

/** What stands in the way of a commit. */
export interface Obstacle {
  readonly arrival: number;
  readonly versionstamp: string | null;
  /** The lead of the same content that is already held, if any. */
  readonly same: LeadRecord | null;
}

/** A job in the queue: a lead that is due for a target. */
export interface DueJob {
  readonly id: string;
  readonly due: number;
}

/** Where leads, their queue and the lead limits are kept. */
export interface LeadStore {
  /** The secret of this store's pseudonyms; made on first use and the same for every instance. */
  secret(): Promise<Uint8Array>;

  /**
   * Commits the lead with its queue and index entries, and the client's new arrival time, as one.
   * Without a record only the arrival time is written.
   *
   * @returns the versionstamp, or null where the limit record has changed since it was seen or the
   * same lead is held already; nothing is written then
   * @throws {CommitUnknown} where the outcome is not known
   */
  accept(limit: LimitWrite, record?: LeadRecord): Promise<string | null>;

  /** What has changed, after `accept` returned null. */
  obstacle(limit: LimitWrite, record?: LeadRecord): Promise<Obstacle>;

  /** The lead, unless it is not there or past its retention. */
  get(id: string): Promise<LeadRecord | null>;

  /**
   * Changes a lead's deliveries and its queue entries in one commit, again and again until no other
   * instance interferes.
   *
   * @param change gives the new deliveries, or undefined to leave all as it is
   * @returns the changed lead; null where it is not there or `change` declined
   */
  change(
    id: string,
    change: (deliveries: Deliveries) => Deliveries | undefined,
  ): Promise<LeadRecord | null>;

  /** Removes a lead and everything that points to it. */
  remove(record: LeadRecord): Promise<void>;

  /** The jobs of a target that are due at `now`, the longest waiting first. */
  due(target: string, options: { now: number; most: number }): Promise<DueJob[]>;

  /** When the target's next job is due, whether or not that has passed; undefined without one. */
  nextDue(target: string): Promise<number | undefined>;

  /** Removes a queue entry that no lead stands behind. */
  dropJob(target: string, job: DueJob): Promise<void>;
}

/** A commit whose outcome was not seen in time. */
export class CommitUnknown extends Error {
  override readonly name = "CommitUnknown";
  /** @param landed resolves when it is known after all, true where the write has landed */
  constructor(readonly landed: Promise<boolean>) {
    super("Cannot tell whether the commit has landed: no answer in time");
  }
}
