/**
 * @module Leads come in: one atomic operation holds a lead, all that goes with it and its client's new
 * limit, guarded by versionstamps. `expireIn` only tidies up: what has expired is decided on read.
 */

import type { LeadRecord } from "../lead.ts";
import { CommitUnknown, type IntakeStore, type LimitWrite, type Obstacle } from "../store.ts";
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
): Pick<IntakeStore, "accept" | "obstacle"> {
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

  async function obstacle(limit: LimitWrite, record?: LeadRecord): Promise<Obstacle> {
    try {
      return await readObstacle(limit, record);
    } catch (error) {
      if (record === undefined || error instanceof CommitUnknown) throw error;
      throw new CommitUnknown(Promise.resolve(), { cause: error });
    }
  }

  async function readObstacle(limit: LimitWrite, record?: LeadRecord): Promise<Obstacle> {
    const sameKey = keys.same(record?.index.same ?? ""); // nothing lies under the empty name
    const [held, same] = await guard.read((kv) =>
      kv.getMany<[LimitEntry, SameEntry]>([keys.limit(limit.client), sameKey])
    );
    const twin = same.value === null || same.value.until <= clock()
      ? null
      : await leads.get(same.value.id);
    // What has expired but still stands in the way is cleared, unless it has changed since.
    if (same.value !== null && twin === null) {
      await guard.commit((kv) => kv.atomic().check(same).delete(sameKey));
    }
    return { arrival: held.value?.arrival ?? 0, versionstamp: held.versionstamp, same: twin };
  }

  return { accept, obstacle };
}
