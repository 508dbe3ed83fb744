/** @module The store of leads on Deno KV, put together. */

import type { CannotOpen } from "../sealing.ts";
import type { LeadStore } from "../store.ts";
import { createAcceptance } from "./acceptance.ts";
import type { Grouping } from "./group_commit.ts";
import { type KvAccess, KvGuard } from "./guard.ts";
import { type Database, LeadRepository } from "./lead_repository.ts";
import { createMaintenance } from "./maintenance.ts";
import { createOperatorMethods } from "./operator.ts";
import { createQueues } from "./queues.ts";
import { StoreSecret } from "./secret.ts";

/** How the store is set up. */
export interface KvStoreOptions extends Omit<Database, "kv"> {
  /** The database; opened with the first call, and again after a failure. */
  readonly open: () => Promise<KvAccess>;
  /** How leads that come in go together; without it as any database bears it. */
  readonly grouping?: Grouping;
  /** Told of each lead that cannot be opened when all are read; without it the reading fails. */
  readonly unreadable?: (error: CannotOpen) => void;
}

/** {@link LeadStore} on Deno KV. */
export function createKvStore(
  { open, grouping, unreadable, ...rest }: KvStoreOptions,
): LeadStore {
  const db: Database = { ...rest, kv: new KvGuard(open) };
  const storeSecret = new StoreSecret(db.kv, db.sealer);
  const leads = new LeadRepository(db);
  return {
    get: (id) => leads.get(id),
    change: (id, change) => leads.change(id, change),
    remove: (id) => leads.remove(id),
    secret: storeSecret.get,
    ...createAcceptance(db, { leads, grouping }),
    ...createQueues(db, leads),
    ...createMaintenance(db, leads),
    ...createOperatorMethods(db, { leads, storeSecret, unreadable }),
  };
}
