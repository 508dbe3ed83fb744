/** @module A database that is out of order: nothing can be read, nothing be written. */

import type { KvAccess } from "../../leads/kv/guard.ts";

/** Stands in for a database; each call fails at once, so that no commit is ambiguous. */
export function brokenKv(): KvAccess {
  const fail = () => {
    throw new Error("KV is out of order");
  };
  const reject = () => Promise.resolve().then(fail);
  return { get: reject, getMany: reject, list: fail, atomic: fail };
}
