/** @module A database whose every call fails at once, so that no commit is ambiguous. */

import type { KvAccess } from "../../leads/kv/guard.ts";

export function brokenKv(): KvAccess {
  const fail = () => {
    throw new Error("KV is out of order");
  };
  const reject = () => Promise.resolve().then(fail);
  return { get: reject, getMany: reject, list: fail, atomic: fail };
}
