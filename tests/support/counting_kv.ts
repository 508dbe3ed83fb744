/** @module A database that notes each call: reads, and commits (not what is put together before). */

import type { KvAccess } from "../../leads/kv/guard.ts";

/** Passes everything on to `kv` and appends a word for each round trip to `calls`. */
export function countingKv(kv: Deno.Kv, calls: string[]): KvAccess {
  return {
    get: (...args) => {
      calls.push("get");
      return kv.get(...args);
    },
    getMany: (...args) => {
      calls.push("getMany");
      return kv.getMany(...args);
    },
    list: (...args) => {
      calls.push("list");
      return kv.list(...args);
    },
    atomic: () => {
      const operation = kv.atomic();
      const commit = operation.commit.bind(operation);
      operation.commit = () => {
        calls.push("commit");
        return commit();
      };
      return operation;
    },
  };
}
