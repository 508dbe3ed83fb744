/** @module A store with a fake clock, on a database file whose entries a test can damage. */

import type { KvAccess } from "../../leads/kv/guard.ts";
import { createKvStore, type KvStoreOptions } from "../../leads/kv/store.ts";
import type { Deliveries, LeadRecord } from "../../leads/lead.ts";
import { createLeadIds } from "../../leads/lead_id.ts";
import { Sealer } from "../../leads/sealing.ts";
import type { LeadStore } from "../../leads/store.ts";
import { countingKv } from "./counting_kv.ts";
import { type DamagedKv, withDamagedKv } from "./damaged_kv.ts";
import { recordOf } from "./delivering.ts";
import { FakeClock } from "./fake_clock.ts";
import { kvWith } from "./kv_with.ts";

const RETENTION_MS = 90 * 86_400_000;

export interface StoreWorld extends DamagedKv {
  readonly clock: FakeClock;
  readonly store: LeadStore;
  /** Names of the calls to KV. */
  readonly calls: string[];
  /** The leads that were passed over: id and reason. */
  readonly passedOver: string[][];
  /** Another store on the same file. */
  storeWith(options?: Partial<KvStoreOptions> & { readonly kv?: KvAccess }): LeadStore;
  /** Stores a lead of a person with its id as name, which is due for targets since these times. */
  put(dues?: Readonly<Record<string, number>>, record?: Partial<LeadRecord>): Promise<string>;
  /** The keys that begin with a prefix, without the first two parts. */
  entries(prefix: Deno.KvKey): Promise<Deno.KvKey[]>;
  /** Does something between what the next commit was based on and the commit. */
  beforeCommit(work: () => unknown): void;
}

export function withStore(test: (world: StoreWorld) => Promise<void>): Promise<void> {
  return withDamagedKv(async (damaged) => {
    const clock = new FakeClock();
    const calls: string[] = [];
    const passedOver: string[][] = [];
    let before: (() => unknown) | undefined;
    const access = kvWith(countingKv(damaged.kv, calls), {
      async commit(commit) {
        const work = before;
        before = undefined;
        await work?.();
        return await commit();
      },
    });
    const storeWith: StoreWorld["storeWith"] = ({ kv = access, ...options } = {}) =>
      createKvStore({
        open: () => Promise.resolve(kv),
        now: clock.now,
        sealer: new Sealer([]),
        retentionMs: RETENTION_MS,
        unusable: ({ id, message }) => passedOver.push([id, message]),
        ...options,
      });
    const store = storeWith();
    const newId = createLeadIds();
    await test({
      ...damaged,
      clock,
      store,
      calls,
      passedOver,
      storeWith,
      async put(dues = {}, record = {}) {
        const { receivedAt = clock.now() } = record;
        const id = newId(receivedAt);
        const deliveries: Deliveries = Object.fromEntries(
          Object.entries(dues).map(([name, due]) => [name, { state: "waiting", due, tries: [] }]),
        );
        const index = { same: id, email: id };
        const times = { receivedAt, expiresAt: receivedAt + RETENTION_MS };
        const limit = { client: id, arrival: clock.now(), seen: null };
        await store.accept(limit, { ...recordOf(), id, deliveries, index, ...times, ...record });
        return id;
      },
      entries: (prefix) => Array.fromAsync(damaged.kv.list({ prefix }), ({ key }) => key.slice(2)),
      beforeCommit: (work) => void (before = work),
    });
  });
}
