/**
 * @module Whether leads can be kept at all, tried before the service takes any.
 *
 * A file that cannot be written to will not recover by itself, and neither will a missing key: the start
 * fails. A database that does not answer, because its server is down or another process holds its lock,
 * may come back; until then leads go straight to the targets or are answered 502.
 *
 * Every start waits for this, so that modules are loaded only if something is wrong or sealed.
 */

import type { SealingKey } from "../../schemas/values.ts";
import { KV_DEADLINE_MS } from "../store.ts";
import type { KvAccess } from "./guard.ts";
import { keys } from "./keys.ts";
import type { StoredSecret } from "./secret.ts";

/** What is tried. */
export interface ProbeOptions {
  readonly sealingKeys: readonly SealingKey[];
  /** Whether it is on this machine: then it is written to as well, and stays open for the service. */
  readonly isLocal: boolean;
}

/**
 * Makes a database file, and its folder, for the user of the service alone: SQLite gives the files
 * beside it the same mode. What is there already stays as it is.
 *
 * @param path undefined: the database is no file
 */
export async function makePrivateFile(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const folder = /^(.+)\/[^/]*$/.exec(path)?.[1];
  if (folder !== undefined) await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    (await Deno.open(path, { write: true, createNew: true, mode: 0o600 })).close();
  } catch { /* it is there, or opening it as a database tells what is wrong */ }
}

/**
 * Reads what every lead needs and, on this machine, commits something that changes nothing. Where no
 * answer comes in time, nothing is known, and nothing is thrown.
 *
 * @throws {CannotOpen} where the database is sealed and no key opens it
 * @throws {KvFailure} or whatever opening throws, where a local one cannot be opened or written to
 */
export async function probeKv(
  open: () => Promise<KvAccess>,
  options: ProbeOptions,
): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  // Unlike the first setTimeout of a process, it loads nothing: 0.5 instead of 5 ms.
  AbortSignal.timeout(KV_DEADLINE_MS).addEventListener("abort", () => resolve());
  await Promise.race([tryOut(open, options), late]);
}

async function tryOut(
  open: () => Promise<KvAccess>,
  { sealingKeys, isLocal }: ProbeOptions,
): Promise<void> {
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
    const { explained, isLocked } = await import("./cause.ts");
    if (!(error instanceof CannotOpen) && (!isLocal || isLocked(error))) return;
    throw explained(error);
  } finally {
    // A connection to a server is not the one that the service will use.
    if (!isLocal) kv?.close?.();
  }
}
