/** @module The store of leads on Deno KV. */

import type { LeadStore, UnusableLead } from "../store.ts";
import { createAcceptance } from "./acceptance.ts";
import type { Grouping } from "./group_commit.ts";
import { type KvAccess, KvGuard } from "./guard.ts";
import { type Database, LeadRepository } from "./lead_repository.ts";
import { createMaintenance } from "./maintenance.ts";
import { createOperatorMethods } from "./operator.ts";
import { createQueues } from "./queues.ts";
import { StoreSecret } from "./secret.ts";

/** Options of {@link createKvStore}. */
export interface KvStoreOptions extends Omit<Database, "kv"> {
  /** Opens the database: with the first call, after a failure and after a timeout. */
  readonly open: () => Promise<KvAccess>;
  /** By default one that every database allows. */
  readonly grouping?: Grouping;
  /** Called for each lead that `purge` (once), `all` and `reseal` skip; without it those two reject. */
  readonly unusable?: (error: UnusableLead) => void;
}

/** Creates a {@link LeadStore} on Deno KV. */
export function createKvStore(
  { open, grouping, unusable, ...rest }: KvStoreOptions,
): LeadStore {
  const db: Database = { ...rest, kv: new KvGuard(open) };
  const storeSecret = new StoreSecret(db.kv, db.sealer);
  const leads = new LeadRepository(db);
  return {
    get: (id, options) => leads.get(id, options),
    change: (id, change) => leads.change(id, change),
    remove: (id) => leads.remove(id),
    secret: storeSecret.get,
    ...createAcceptance(db, { leads, grouping }),
    ...createQueues(db, leads),
    ...createMaintenance(db, { leads, unusable }),
    ...createOperatorMethods(db, { leads, storeSecret, unusable }),
  };
}
