/**
 * @module Accepts leads: one atomic operation writes a lead, its queue and index entries and its
 * client's new limit, checked by versionstamps. Expiry is decided on read; `expireIn` only cleans up.
 */

import { type LeadRecord, SAME_LEAD_MS } from "../lead.ts";
import { AmbiguousCommit, type LeadStore, type LimitWrite, UnusableLead } from "../ports.ts";
import { fromStored, toStored as limitToStored } from "../rate_limit.ts";
import { keys } from "./keys.ts";
import type { StoreDeps } from "./lead_repository.ts";
import { expiry, type SameEntry, toStored, writeLead } from "./codec.ts";

export function createAcceptance(
  { leads, kv: guard, groupCommit, now: clock, sealer }: StoreDeps,
): LeadStore["accept"] {
  async function commit({ client, state, seen }: LimitWrite, record?: LeadRecord) {
    const now = clock();
    const limitKey = keys.limit(client);
    const { value, until } = limitToStored(state);
    const setLimit = (commit: Deno.AtomicOperation) =>
      commit.check({ key: limitKey, versionstamp: seen }).set(limitKey, value, expiry(until, now));
    if (record === undefined) {
      return await groupCommit({ claims: [client], addTo: setLimit });
    }
    const { id, index } = record;
    const same = keys.same(index.same);
    const sameUntil = now + SAME_LEAD_MS;
    const stored = toStored(record, sealer);
    const versionstamp = await groupCommit({
      claims: [client, index.same],
      addTo: (commit) => {
        setLimit(commit)
          .check({ key: same, versionstamp: null })
          .set(same, { id, until: sameUntil } satisfies SameEntry, expiry(sameUntil, now));
        writeLead(commit, stored, now);
      },
    });
    if (versionstamp !== null) {
      leads.remember(record, { key: keys.lead(id), value: stored, versionstamp });
    }
    return versionstamp;
  }

  async function conflict({ client }: LimitWrite, record?: LeadRecord) {
    const sameKey = keys.same(record?.index.same ?? ""); // no entry has the empty name
    const [{ value, versionstamp }, same] = await Promise.all([
      guard.getOrRemove<unknown>(keys.limit(client)),
      guard.getOrRemove<SameEntry>(sameKey),
    ]);
    const existingLead = await existing(same.value);
    // An expired entry still fails the check of the commit.
    if (same.versionstamp !== null && existingLead === null) {
      await guard.commit((kv) => kv.atomic().check(same).delete(sameKey));
    }
    return { state: fromStored(value), versionstamp, existingLead };
  }

  /** The stored lead of an entry: also if its key is missing, but not if it is damaged. */
  async function existing(same: SameEntry | null) {
    const found = same !== null && same.until > clock() && await leads.reader.find(same.id);
    const isUsable = found && !(found instanceof UnusableLead) && leads.isLive(found);
    return isUsable ? found.value : null;
  }

  return async (limit, record) =>
    await commit(limit, record) ??
      await conflict(limit, record).catch((error: unknown) => {
        // An earlier try of the commit may have happened.
        if (record === undefined || error instanceof AmbiguousCommit) throw error;
        throw new AmbiguousCommit({ cause: error });
      });
}
