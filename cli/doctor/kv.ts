/**
 * @module Checks the database: a round trip with an entry of the doctor's own, the sealing keys, and queues
 * without a target. Never creates a database: the service does that, under its own user.
 */

import { isFile, isRemote, kvPlace } from "../../config/kv_path.ts";
import { createTargets } from "../../leads/delivery/targets.ts";
import { explained } from "../../leads/kv/cause.ts";
import { type KvAccess, KvGuard } from "../../leads/kv/guard.ts";
import { StoreSecret } from "../../leads/kv/secret.ts";
import { createKvStore } from "../../leads/kv/store.ts";
import { errorName } from "../../leads/log.ts";
import { CannotOpen, Sealer } from "../../leads/sealing.ts";
import { type Environment, fail, type Finding, ok, warn } from "./finding.ts";

export async function checkKv({ config, openKv }: Environment): Promise<Finding[]> {
  const { kvPath } = config;
  const place = kvPlace(config);
  if (isFile(kvPath) && !await exists(kvPath)) {
    return [ok("kv", `${place}: does not exist yet; the service creates it`)];
  }
  using opened = new DisposableStack();
  async function open(): Promise<KvAccess> {
    const kv = await openKv(kvPath);
    opened.defer(() => kv.close?.());
    return kv;
  }
  try {
    const guard = new KvGuard(open);
    return [
      await roundTrip(place, { writer: guard, reader: new KvGuard(open) }),
      ...await sealing(guard, config),
      ...await orphanedQueues(open, config),
    ];
  } catch (error) {
    const fix = isRemote(kvPath)
      ? "Correct KV_PATH and DENO_KV_ACCESS_TOKEN; behind http:// the server must speak HTTP/2."
      : "Set KV_PATH to a database of the service, or to a new file in a folder that it may write.";
    return [fail("kv", `Cannot use KV at ${place}: ${errorName(explained(error))}`, fix)];
  }
}

/** Any error but NotFound counts as existing: opening the file reports what is wrong. */
async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(
    () => true,
    (error) => !(error instanceof Deno.errors.NotFound),
  );
}

/** Reads over a second connection: a database in memory belongs to one connection alone. */
async function roundTrip(
  place: string,
  { writer, reader }: { readonly writer: KvGuard; readonly reader: KvGuard },
): Promise<Finding> {
  const key = ["frontdoor-doctor", crypto.randomUUID()];
  const began = performance.now();
  await writer.commit((kv) => kv.atomic().set(key, began));
  const took = `written in ${Math.round(performance.now() - began)} ms`;
  try {
    const { value } = await reader.read((kv) => kv.get(key));
    if (value === began) return ok("kv", `${place}: ${took}, found by another connection`);
    return fail(
      "kv",
      `${place} is not durable: another connection does not find what was written`,
      "Set KV_PATH to a file or a KV Connect URL; on Deno Deploy assign a database to the application.",
    );
  } finally {
    await writer.commit((kv) => kv.atomic().delete(key));
  }
}

/** A sealed database accepts no lead without its key. */
async function sealing(kv: KvGuard, { leadEncryptionKeys: keys }: Environment["config"]) {
  try {
    await new StoreSecret(kv, new Sealer(keys)).probe();
    return [];
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    const fix = "Set LEAD_ENCRYPTION_KEYS as it was, newer keys first.";
    return [fail("sealing", error.message, fix)];
  }
}

/** A changed URL is a new target; the leads queued for the old one are never delivered. */
async function orphanedQueues(
  open: () => Promise<KvAccess>,
  { leadTargets, leadWebhookSecrets: secrets }: Environment["config"],
): Promise<Finding[]> {
  const now = Date.now;
  const store = createKvStore({ open, now, sealer: new Sealer([]), retentionMs: Infinity });
  const targets = await createTargets(leadTargets, { secrets, now });
  const configured = new Set(targets.flatMap(({ id, formerId }) => [id, formerId]));
  const fix = "Put its URL back into LEAD_TARGETS, beside the new one, until its queue is empty.";
  return (await store.queued()).filter((id) => !configured.has(id)).map((id) =>
    warn(
      "queue",
      `leads are queued for ${id}, which is not in LEAD_TARGETS: they are not sent`,
      fix,
    )
  );
}
