/** @module The store of leads on Deno KV. */

import type { LeadStore, UnusableLead } from "../ports.ts";
import { createAcceptance } from "./acceptance.ts";
import { createGroupCommit, type Grouping } from "./group_commit.ts";
import { type KvAccess, KvGuard } from "./guard.ts";
import { type Database, LeadRepository } from "./lead_repository.ts";
import { createMaintenance } from "./maintenance.ts";
import { createOperatorMethods } from "./operator.ts";
import { createQueues } from "./queues.ts";
import { StoreSecret } from "./secret.ts";
import { createTallies } from "./tallies.ts";

export interface KvStoreOptions extends Pick<Database, "now" | "sealer" | "retentionMs"> {
  /** Opens the database: with the first call, after a failure and after a timeout. */
  readonly open: () => Promise<KvAccess>;
  /** By default one that every database allows. */
  readonly grouping?: Grouping;
  /** Called for each lead that `all`, `reseal` and (once) `purge` pass over; by default they reject. */
  readonly unusable?: (error: UnusableLead) => void;
}

export function createKvStore(
  { open, grouping, unusable = reject, ...rest }: KvStoreOptions,
): LeadStore {
  const kv = new KvGuard(open);
  const db = { ...rest, kv, unusable, groupCommit: createGroupCommit(kv, { grouping }) };
  const storeSecret = new StoreSecret(kv, db.sealer);
  const leads = new LeadRepository(db);
  const parts = { ...db, leads };
  return {
    get: (id, options) => leads.get(id, options),
    change: (lead, change) => leads.change(lead, change),
    claim: (jobs, lease) => leads.claim(jobs, lease),
    remove: (id, person) => leads.remove(id, { person }),
    secret: storeSecret.get,
    accept: createAcceptance(parts),
    ...createQueues(parts),
    ...createMaintenance(parts),
    ...createTallies(parts),
    ...createOperatorMethods(parts, storeSecret),
  };
}

function reject(error: UnusableLead): never {
  throw error;
}
