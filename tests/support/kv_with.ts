/** @module Replaces some calls of a database. */

import type { KvAccess } from "../../leads/kv/guard.ts";

type Commit = Deno.AtomicOperation["commit"];

interface Replacements extends Partial<Omit<KvAccess, "close">> {
  /** Called with each commit, to run it or not. */
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
