/**
 * @module The database: whether it takes and keeps an entry under a key of the doctor's own, whether the
 * keys open it, and queues without a target. Creates none: that is for the service, under its own user.
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

/** All that there is to say of the database. */
export async function checkKv({ config, openKv }: Environment): Promise<Finding[]> {
  const { kvPath } = config;
  const place = kvPlace(config);
  if (isFile(kvPath) && !await exists(kvPath)) {
    return [ok("kv", `${place}: does not exist yet; the service creates it`)];
  }
  const opened: KvAccess[] = [];
  async function open(): Promise<KvAccess> {
    const kv = await openKv(kvPath);
    opened.push(kv);
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
  } finally {
    for (const kv of opened) kv.close?.();
  }
}

/** What may not be examined is taken to exist: opening it tells. */
async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(
    () => true,
    (error) => !(error instanceof Deno.errors.NotFound),
  );
}

/** What one connection writes, another must find: a database in memory is one for each connection. */
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
      `${place} does not last: what one connection writes, another does not find`,
      "Set KV_PATH to a file or a KV Connect URL; on Deno Deploy assign a database to the application.",
    );
  } finally {
    await writer.commit((kv) => kv.atomic().delete(key));
  }
}

/** A sealed database takes no lead without its key. */
async function sealing(kv: KvGuard, { leadEncryptionKeys: keys }: Environment["config"]) {
  try {
    await new StoreSecret(kv, new Sealer(keys)).probe();
    return [];
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    return [
      fail("sealing", error.message, "Set LEAD_ENCRYPTION_KEYS as it was, newer keys first."),
    ];
  }
}

/** A changed URL is another target; the leads of the former one wait and are not tried. */
async function orphanedQueues(
  open: () => Promise<KvAccess>,
  { leadTargets, leadWebhookSecrets: secrets }: Environment["config"],
): Promise<Finding[]> {
  const now = Date.now;
  const store = createKvStore({ open, now, sealer: new Sealer([]), retentionMs: Infinity });
  const targets = await createTargets(leadTargets, { secrets, now });
  const named = new Set(targets.map(({ id }) => id));
  const fix = "Put its URL back into LEAD_TARGETS, beside the new one, until no lead waits for it.";
  return (await store.queued()).filter((id) => !named.has(id)).map((id) =>
    warn("queue", `leads wait for ${id}, which LEAD_TARGETS does not name: they are not tried`, fix)
  );
}
