/** @module Opens the database of a process, and checks at the start whether leads can be stored. */

import type { Config } from "../../config/settings.ts";
import { isNetworked, kvFile, kvPlace } from "../../lib/kv_path.ts";
import { lazy } from "../../lib/lazy.ts";
import { ExplainedError } from "../../lib/log.ts";
import { EXIT_CONFIG, orExit } from "../../lib/process.ts";
import { KV_DEADLINE_MS } from "../ports.ts";
import { explained, isLocked } from "./error_reasons.ts";
import type { KvAccess } from "./guard.ts";
import { keys } from "./keys.ts";
import { openSecret, type StoredSecret } from "./secret.ts";

export interface Database {
  /** Opens a remote database each time, a local one once. */
  readonly open: () => Promise<KvAccess>;
  readonly file: string | undefined;
  readonly isLocal: boolean;
}

type Settings = Pick<Config, "kvPath" | "leadEncryptionKeys">;

export function databaseAt(
  { kvPath }: Pick<Settings, "kvPath">,
  openKv: (path: string | undefined) => Promise<KvAccess>,
): Database {
  const file = kvFile(kvPath);
  const open = async () => {
    makePrivateFile(file);
    return await openKv(kvPath);
  };
  const isLocal = !isNetworked(kvPath);
  return { open: isLocal ? lazy(open) : open, file, isLocal };
}

/**
 * Creates a database file and its folder, accessible only to the user of the service: SQLite gives the
 * files beside it the same mode. Existing ones are left unchanged.
 */
function makePrivateFile(path: string | undefined): void {
  if (path === undefined) return;
  const folder = /^(.+)\/[^/]*$/.exec(path)?.[1];
  if (folder !== undefined) Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch { /* it exists, or opening it as a database reports the problem */ }
}

/**
 * Reads the secret that every lead needs and, on a local database, makes a commit that changes nothing.
 * Ends the process with the reason if a local database cannot be opened or written to, or if no key opens
 * a sealed one; not if no answer comes in time.
 */
export async function checkDatabase(database: Database, settings: Settings): Promise<void> {
  // Unlike the first setTimeout of a process, this loads nothing: 0.5 instead of 5 ms.
  const signal = AbortSignal.timeout(KV_DEADLINE_MS);
  const late = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  await orExit(() => Promise.race([check(database, settings), late]), {
    code: EXIT_CONFIG,
    what: `Cannot use KV at ${kvPlace(settings.kvPath)} (KV_PATH)`,
  });
}

async function check({ open, isLocal }: Database, settings: Settings): Promise<void> {
  let kv: KvAccess | undefined;
  try {
    kv = await open();
    const [{ value }] = await Promise.all([
      kv.get<StoredSecret>(keys.secret()),
      isLocal ? kv.atomic().delete(keys.probe()).commit() : undefined,
    ]);
    if (typeof value !== "object" || value === null) return;
    const { Sealer } = await import("../sealing.ts"); // 21 ms
    openSecret(value, new Sealer(settings.leadEncryptionKeys));
  } catch (error) {
    const isSealed = error instanceof ExplainedError;
    if (!isSealed && (!isLocal || isLocked(error))) return;
    throw explained(error);
  } finally {
    // The service will use another connection to the server.
    if (!isLocal) kv?.close?.();
  }
}
