/** @module Whether a copy of the database tells what people wrote, and whether the service can read it. */

import { StoreSecret } from "../../leads/kv/secret.ts";
import { CannotOpen, Sealer } from "../../leads/sealing.ts";
import { type Check, type Environment, fail, ok, warn } from "./check.ts";
import { fromDatabase } from "./database.ts";

/** A database sealed with a key that is not at hand takes no lead at all. */
export const sealing: Check = {
  name: "sealing",
  requires: ["LEAD_ENCRYPTION_KEYS", "KV_PATH"],
  async run(environment) {
    const { leadEncryptionKeys: keys } = environment.config;
    const lacking = await keyLacking(environment);
    if (lacking !== undefined) {
      return [fail(
        "sealing",
        keys.some(({ id }) => id === lacking)
          ? `the key "${lacking}" of LEAD_ENCRYPTION_KEYS does not open the database, ` +
            "which is sealed with one of that name"
          : `LEAD_ENCRYPTION_KEYS lacks the key "${lacking}" with which the database is sealed`,
        "Set LEAD_ENCRYPTION_KEYS as it was, newer keys in front: without the key no lead is stored.",
      )];
    }
    if (keys.length > 0) return [ok("sealing", "what people write is sealed in the database")];
    return [warn(
      "sealing",
      "what people write lies open in the database",
      'Set LEAD_ENCRYPTION_KEYS: echo "2026:$(openssl rand -base64 32)", and keep a copy of it.',
    )];
  },
};

/** The id of the key without which the store's secret stays shut; undefined where it can be opened. */
async function keyLacking(environment: Environment): Promise<string | undefined> {
  const sealer = new Sealer(environment.config.leadEncryptionKeys);
  try {
    await fromDatabase(environment, (kv) => new StoreSecret(kv, sealer).probe());
  } catch (error) {
    if (error instanceof CannotOpen) return error.key;
    // A database that cannot be read at all is a finding of the check of KV.
  }
  return undefined;
}
