/** @module Opens the database for operators' programs: `deno task leads` and `deno task inbox`. */

import { parseConfig } from "../../config/config.ts";
import { envFileNote } from "../../config/env_file.ts";
import { EXIT_CONFIG, orExit } from "../../lib/process.ts";
import { isNetworked, kvFile, kvKind, kvPlace } from "../../lib/kv_path.ts";
import { rewriteFile } from "../../leads/kv/scrub_file.ts";
import { createKvStore } from "../../leads/kv/create.ts";
import type { KvAccess } from "../../leads/kv/guard.ts";
import { safeReason } from "../../lib/log.ts";
import { Sealer } from "../../leads/sealing.ts";
import type { UnusableLead } from "../../leads/ports.ts";
import type { Leads } from "./context.ts";

/** Deno itself reads DENO_KV_ACCESS_TOKEN. */
const VARIABLES = ["KV_PATH", "LEAD_TARGETS", "LEAD_RETENTION", "LEAD_ENCRYPTION_KEYS"];

/** Ends the process with the reason if the database cannot be opened. */
export async function openLeads(
  getEnv: (name: string) => string | undefined,
  { openKv, unusable }: {
    readonly openKv: (path: string | undefined) => Promise<KvAccess>;
    readonly unusable: (error: UnusableLead) => void;
  },
): Promise<Leads & { readonly isRemote: boolean }> {
  const env = Object.fromEntries(VARIABLES.map((name) => [name, getEnv(name)]));
  await orExit(() => envFileNote(env, { isTask: true }), { code: EXIT_CONFIG });
  const config = await orExit(() => parseConfig(env), { code: EXIT_CONFIG });
  const { kvPath, leadTargets } = config;
  const file = kvFile(kvPath);
  // Purging cannot be undone, and the service's retention may be longer than the default: if unset,
  // each lead's own expiry applies.
  const retentionMs = env["LEAD_RETENTION"] ? config.leadRetentionMs : Infinity;
  const store = createKvStore({
    open: () => openKv(kvPath),
    now: Date.now,
    sealer: new Sealer(config.leadEncryptionKeys),
    retentionMs,
    unusable,
  });
  await orExit(async () => {
    if (kvKind(kvPath) === "memory") {
      throw new Error("it is in the memory of the service's process");
    }
    // Opening a missing file would create an empty one.
    const found = file && await Deno.stat(file).catch((error: Error) => error);
    if (found instanceof Deno.errors.NotFound) {
      throw new Error("it does not exist; start the service first, or set KV_PATH");
    }
    if (found instanceof Error) throw found;
    // Fail early if KV does not respond. Deno's errors about a server quote its URL, which may contain
    // credentials, and its response.
    await store.get("-").catch((error: unknown) => {
      throw isNetworked(kvPath) ? new Error(safeReason(error)) : error;
    });
  }, { what: `Cannot open KV at ${kvPlace(kvPath)} (KV_PATH)` });
  const targets = leadTargets.map(({ name: id }) => ({ id }));
  return {
    store,
    rewrite: file === undefined ? undefined : () => rewriteFile(file),
    targets: targets.length > 0 ? targets : undefined,
    retentionMs,
    isRemote: isNetworked(kvPath),
  };
}
