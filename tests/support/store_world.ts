/** @module A store with a fake clock, on a database file whose entries a test can damage. */

import type { KvStoreOptions } from "../../leads/kv/create.ts";
import type { Deliveries, LeadRecord } from "../../leads/lead.ts";
import type { LeadStore } from "../../leads/ports.ts";
import { countingKv, kvWith, storeOn } from "./kv_with.ts";
import { type DamagedKv, withDamagedKv } from "./damaged_kv.ts";
import { putLead } from "./delivering.ts";
import { FakeClock } from "./fake_clock.ts";

const RETENTION_MS = 90 * 86_400_000;

export type StoreWorld = ReturnType<typeof createWorld>;

function createWorld(damaged: DamagedKv) {
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
  function storeWith(options: Partial<KvStoreOptions> = {}): LeadStore {
    return storeOn(access, {
      now: clock.now,
      retentionMs: RETENTION_MS,
      unusable: ({ id, message }) => passedOver.push([id, message]),
      ...options,
    });
  }
  const store = storeWith();
  async function put(dues: Record<string, number> = {}, record: Partial<LeadRecord> = {}) {
    const deliveries: Deliveries = Object.fromEntries(
      Object.entries(dues).map(([name, due]) => [name, { state: "waiting", due, attempts: [] }]),
    );
    return (await putLead({ store, clock }, { deliveries, ...record })).id;
  }
  const entries = (prefix: Deno.KvKey) =>
    Array.fromAsync(damaged.kv.list({ prefix }), ({ key }) => key.slice(2));
  /** Does something between what the next commit was based on and the commit. */
  const beforeCommit = (work: () => unknown) => void (before = work);
  return { ...damaged, clock, calls, passedOver, store, storeWith, put, entries, beforeCommit };
}

/** Registers a test with a store of its own. */
export function test(title: string, run: (world: StoreWorld) => Promise<void>): void {
  Deno.test(title, () => withDamagedKv((damaged) => run(createWorld(damaged))));
}
