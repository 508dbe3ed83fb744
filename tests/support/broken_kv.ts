/** @module A database that is out of order: nothing can be read, nothing be written. */

import type { KvAccess } from "../../leads/kv/guard.ts";

/** Takes the place of a database; each call fails at once, so that nothing is in doubt. */
export function brokenKv(): KvAccess {
  const fail = () => {
    throw new Error("KV is out of order");
  };
  const reject = () => Promise.resolve().then(fail);
  return { get: reject, getMany: reject, list: fail, atomic: fail };
}
