/**
 * @module Checks at the start whether leads can be stored.
 *
 * A read-only file or a missing key does not recover automatically: the start fails. A server that is
 * down or a file that another process locks may recover: the start continues.
 *
 * Every start waits for this, so that modules are imported only if something is wrong or sealed.
 */

import type { SealingKey } from "../../config/settings.ts";
import { KV_DEADLINE_MS } from "../ports.ts";
import type { KvAccess } from "./guard.ts";
import { keys } from "./keys.ts";
import type { StoredSecret } from "./secret.ts";

type Open = () => Promise<KvAccess>;

interface ProbeOptions {
  readonly sealingKeys: readonly SealingKey[];
  /** A local database is written to as well, and stays open for the service. */
  readonly isLocal: boolean;
}

/**
 * Creates a database file and its folder, accessible only to the user of the service: SQLite gives the
 * files beside it the same mode. Existing ones are left unchanged.
 *
 * @param path undefined: the database is not a file
 */
export async function makePrivateFile(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const folder = /^(.+)\/[^/]*$/.exec(path)?.[1];
  if (folder !== undefined) await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    (await Deno.open(path, { write: true, createNew: true, mode: 0o600 })).close();
  } catch { /* it exists, or opening it as a database reports the problem */ }
}

/**
 * Reads the secret that every lead needs and, on a local database, makes a commit that changes nothing.
 * Does not throw if no answer comes in time.
 *
 * @throws {CannotOpen} if the database is sealed and no key opens it
 * @throws {KvFailure} or whatever opening throws, if a local one cannot be opened or written to
 */
export async function probeKv(open: Open, options: ProbeOptions): Promise<void> {
  // Unlike the first setTimeout of a process, this loads nothing: 0.5 instead of 5 ms.
  const signal = AbortSignal.timeout(KV_DEADLINE_MS);
  const late = new Promise((resolve) => signal.addEventListener("abort", resolve));
  await Promise.race([probe(open, options), late]);
}

async function probe(open: Open, { sealingKeys, isLocal }: ProbeOptions): Promise<void> {
  let kv: KvAccess | undefined;
  try {
    kv = await open();
    const [{ value }] = await Promise.all([
      kv.get<StoredSecret>(keys.secret()),
      isLocal ? kv.atomic().delete(keys.probe()).commit() : undefined,
    ]);
    if (typeof value === "object" && value !== null) {
      const { Sealer } = await import("../sealing.ts");
      const { openSecret } = await import("./secret.ts");
      openSecret(value, new Sealer(sealingKeys));
    }
  } catch (error) {
    const { CannotOpen } = await import("../sealing.ts");
    const { explained, isLocked } = await import("./error_reasons.ts");
    if (!(error instanceof CannotOpen) && (!isLocal || isLocked(error))) return;
    throw explained(error);
  } finally {
    // The service will use another connection to the server.
    if (!isLocal) kv?.close?.();
  }
}
