/** @module A database as another one is, but for some of its calls. */

import type { KvAccess } from "../../leads/kv/guard.ts";

type Commit = Deno.AtomicOperation["commit"];

/** What is called in place of a database's own. */
export interface Instead extends Partial<Omit<KvAccess, "close">> {
  /** Called with each commit, to make it or not. */
  readonly commit?: (commit: Commit) => ReturnType<Commit>;
}

/** Passes on to `kv` what it is given nothing else for. */
export function kvWith(kv: KvAccess, { commit, ...calls }: Instead): KvAccess {
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
