/** @module Stores on databases whose calls are replaced, recorded or fail. */

import type { KvAccess } from "../../leads/kv/guard.ts";
import { createKvStore, type KvStoreOptions } from "../../leads/kv/create.ts";
import { Sealer } from "../../leads/sealing.ts";
import type { LeadStore } from "../../leads/ports.ts";

type Commit = Deno.AtomicOperation["commit"];

interface Replacements extends Partial<Omit<KvAccess, "close">> {
  readonly commit?: (commit: Commit) => ReturnType<Commit>;
}

export function kvWith(kv: KvAccess, { commit, ...calls }: Replacements): KvAccess {
  return {
    get: kv.get.bind(kv),
    getMany: kv.getMany.bind(kv),
    list: kv.list.bind(kv),
    atomic() {
      const operation = kv.atomic();
      const own = operation.commit.bind(operation);
      if (commit !== undefined) operation.commit = () => commit(own);
      return operation;
    },
    ...calls,
  };
}

export function countingKv(kv: Deno.Kv, calls: string[]): KvAccess {
  function counted<T>(name: string, call: () => T): T {
    calls.push(name);
    return call();
  }
  return kvWith(kv, {
    get: (...args) => counted("get", () => kv.get(...args)),
    getMany: (...args) => counted("getMany", () => kv.getMany(...args)),
    list: (...args) => counted("list", () => kv.list(...args)),
    commit: (commit) => counted("commit", commit),
  });
}

/** Every call fails at once, so that no commit is ambiguous. */
export function brokenKv(): KvAccess {
  const fail = () => {
    throw new Error("KV is out of order");
  };
  const reject = () => Promise.resolve().then(fail);
  return { get: reject, getMany: reject, list: fail, atomic: fail };
}

/** By default nothing is sealed, and nothing expires. */
export function storeOn(kv: KvAccess, options: Partial<KvStoreOptions> = {}): LeadStore {
  const open = () => Promise.resolve(kv);
  return createKvStore({
    open,
    now: Date.now,
    sealer: new Sealer([]),
    retentionMs: Infinity,
    ...options,
  });
}

export async function dumpOf(kv: Deno.Kv): Promise<string> {
  const decoder = new TextDecoder("latin1");
  return JSON.stringify(await Array.fromAsync(kv.list({ prefix: [] })), (_, value) => {
    if (value instanceof Uint8Array) return decoder.decode(value);
    return typeof value === "bigint" ? String(value) : value;
  });
}
