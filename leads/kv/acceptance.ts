/**
 * @module Accepts leads: one atomic operation writes a lead, its queue and index entries and its
 * client's new limit, checked by versionstamps. Expiry is decided on read; `expireIn` only tidies up.
 */

import type { LeadRecord } from "../lead.ts";
import { type CommitConflict, CommitUnknown, type IntakeStore, type LimitWrite } from "../store.ts";
import { GroupCommit, type Grouping } from "./group_commit.ts";
import { keys } from "./keys.ts";
import type { Database, LeadRepository } from "./lead_repository.ts";
import { expiry, type SameEntry, toStored, writeLead } from "./records.ts";

interface LimitEntry {
  readonly arrival: number;
}

/** How long the same content counts as the same lead. */
export const SAME_LEAD_MS = 24 * 3_600_000;

/** How leads come into a database. */
export interface AcceptanceOptions {
  readonly leads: Pick<LeadRepository, "get">;
  /** How leads that come in go together; without it as any database bears it. */
  readonly grouping: Grouping | undefined;
}

/** Takes leads into a database. */
export function createAcceptance(
  { kv: guard, now: clock, sealer }: Database,
  { leads, grouping }: AcceptanceOptions,
): Pick<IntakeStore, "accept" | "conflict"> {
  const commits = new GroupCommit(guard, { grouping });

  function accept(limit: LimitWrite, record?: LeadRecord): Promise<string | null> {
    const now = clock();
    const limitKey = keys.limit(limit.client);
    const entry: LimitEntry = { arrival: limit.arrival };
    const setLimit = (commit: Deno.AtomicOperation) =>
      commit.check({ key: limitKey, versionstamp: limit.seen })
        .set(limitKey, entry, expiry(limit.arrival, now));
    if (record === undefined) {
      return commits.commit({ claims: [limit.client], writes: 1, addTo: setLimit });
    }
    const { id, index, expiresAt, deliveries } = record;
    const same = keys.same(index.same);
    const until = Math.min(now + SAME_LEAD_MS, expiresAt);
    return commits.commit({
      claims: [limit.client, index.same],
      writes: 4 + Object.keys(deliveries).length,
      addTo: (commit) => {
        setLimit(commit)
          .check({ key: same, versionstamp: null })
          .set(same, { id, until } satisfies SameEntry, expiry(until, now))
          .set(keys.byEmail(index.email, id), null, expiry(expiresAt, now));
        writeLead(commit, toStored(record, sealer), now);
      },
    });
  }

  async function conflict(limit: LimitWrite, record?: LeadRecord): Promise<CommitConflict> {
    try {
      return await readConflict(limit, record);
    } catch (error) {
      if (record === undefined || error instanceof CommitUnknown) throw error;
      throw new CommitUnknown(Promise.resolve(), { cause: error });
    }
  }

  async function readConflict(limit: LimitWrite, record?: LeadRecord): Promise<CommitConflict> {
    const sameKey = keys.same(record?.index.same ?? ""); // no entry has the empty name
    const [held, same] = await guard.read((kv) =>
      kv.getMany<[LimitEntry, SameEntry]>([keys.limit(limit.client), sameKey])
    );
    const existingLead = same.value === null || same.value.until <= clock()
      ? null
      : await leads.get(same.value.id);
    // An expired entry still fails the check: it is deleted, unless it has changed since.
    if (same.value !== null && existingLead === null) {
      await guard.commit((kv) => kv.atomic().check(same).delete(sameKey));
    }
    return { arrival: held.value?.arrival ?? 0, versionstamp: held.versionstamp, existingLead };
  }

  return { accept, conflict };
}
