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
import type { KvAccess } from "./guard.ts";
import { keys } from "./keys.ts";

/** What is tried. */
export interface ProbeOptions {
  readonly sealingKeys: readonly SealingKey[];
  /** Whether it is on this machine: then it is written to as well, and stays open for the service. */
  readonly isLocal: boolean;
}

/** Longer than SQLite waits for another process's lock is of no use. */
const PATIENCE_MS = 5_000;

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
  AbortSignal.timeout(PATIENCE_MS).addEventListener("abort", () => resolve());
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
      kv.get(keys.secret()),
      isLocal ? kv.atomic().delete(keys.probe()).commit() : undefined,
    ]);
    if (typeof value === "object" && value !== null) await mustBeOpened(kv, sealingKeys);
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

async function mustBeOpened(kv: KvAccess, sealingKeys: readonly SealingKey[]): Promise<void> {
  const { Sealer } = await import("../sealing.ts");
  const { KvGuard } = await import("./guard.ts");
  const { StoreSecret } = await import("./secret.ts");
  await new StoreSecret(new KvGuard(() => Promise.resolve(kv)), new Sealer(sealingKeys)).probe();
}
