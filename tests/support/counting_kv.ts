/** @module A database that records its calls. */

import type { KvAccess } from "../../leads/kv/guard.ts";
import { kvWith } from "./kv_with.ts";

/** Appends the name of each round trip to `calls`. */
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
