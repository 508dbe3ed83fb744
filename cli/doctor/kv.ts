/**
 * @module Checks the database: access, the sealing keys, and leads that go to no target. Never creates a
 * database: the service does that, under its own user.
 */

import { kvKind, kvPlace } from "../../lib/kv_path.ts";
import { type KvAccess, KvGuard } from "../../leads/kv/guard.ts";
import { keys } from "../../leads/kv/keys.ts";
import { StoreSecret } from "../../leads/kv/secret.ts";
import { createKvStore } from "../../leads/kv/create.ts";
import { safeReason } from "../../lib/log.ts";
import { CannotOpen, Sealer } from "../../leads/sealing.ts";
import { strandedLeads } from "../../leads/target_state.ts";
import { oneLine } from "../leads/text.ts";
import { type Environment, fail, type Finding, ok, warn } from "./finding.ts";

/** How many leads are read, and how many of those that cannot be are named. */
const MOST_READ = 10_000;
const MOST_NAMED = 10;

export async function checkKv({ config, openKv }: Environment): Promise<Finding[]> {
  const { kvPath, leadEncryptionKeys } = config;
  const place = kvPlace(kvPath);
  if (kvPath === undefined) {
    const fix =
      "Run deno deploy database assign NAME --app APP, unless you have: else deploys fail.";
    return [warn("kv", "the doctor cannot see whether a database is assigned", fix)];
  }
  const kind = kvKind(kvPath);
  if (kind === "memory") {
    const fix = "Set KV_PATH to a file or a KV Connect URL.";
    return [fail("kv", "leads in memory are gone with the process", fix)];
  }
  // Any error but NotFound: opening the file reports it.
  const found = kind !== "file" || await Deno.stat(kvPath).catch((error: Error) => error);
  if (found instanceof Deno.errors.NotFound) {
    return [ok("kv", `${place}: does not exist yet; the service creates it`)];
  }
  using opened = new DisposableStack();
  const open = async (): Promise<KvAccess> => {
    const kv = await openKv(kvPath);
    opened.defer(() => kv.close?.());
    return kv;
  };
  try {
    const guard = new KvGuard(open);
    const began = performance.now();
    await guard.commit((kv) => kv.atomic().delete(keys.probe()));
    const took = `commits in ${Math.round(performance.now() - began)} ms`;
    await new StoreSecret(guard, new Sealer(leadEncryptionKeys)).probe();
    return [ok("kv", `${place}: ${took}`), ...await checkLeads(open, config)];
  } catch (error) {
    if (error instanceof CannotOpen) {
      const fix = "Set LEAD_ENCRYPTION_KEYS as it was, newer keys first.";
      return [fail("sealing", error.message, fix)];
    }
    const reason = safeReason(error);
    const fix = error instanceof Deno.errors.NotCapable
      ? "Run the commands of deno.json with --allow-read and --allow-write for the file's folder."
      : kind === "remote"
      ? "Correct KV_PATH and DENO_KV_ACCESS_TOKEN; behind http:// the server must speak HTTP/2."
      : reason.startsWith("the disk")
      ? "Free space on the disk, and check it."
      : reason.endsWith(" damaged")
      ? "Restore a backup: docs/self-host.md has the commands."
      : "Set KV_PATH to a database of the service, or to a new file in a folder that it may write.";
    return [fail("kv", `Cannot use KV at ${place}: ${reason}`, fix)];
  }
}

/** Leads that cannot be read; and those without a target, which wait for `leads send`. */
async function checkLeads(
  open: () => Promise<KvAccess>,
  { leadTargets, leadEncryptionKeys, leadRetentionMs: retentionMs }: Environment["config"],
): Promise<Finding[]> {
  const unusable: string[] = [];
  const store = createKvStore({
    open,
    now: Date.now,
    sealer: new Sealer(leadEncryptionKeys),
    retentionMs,
    unusable: ({ id, message }) => unusable.push(`${id} (${message})`),
  });
  let read = 0;
  for await (const _ of store.all()) if (++read === MOST_READ) break;
  const stranded = await strandedLeads(store, leadTargets.map(({ name: id }) => ({ id })));
  const first = leadTargets.length === 0 ? "Set LEAD_TARGETS, then run" : "Run";
  return [
    ...unusable.slice(0, MOST_NAMED).map((lead) =>
      warn("leads", oneLine(`Cannot read lead ${lead}`), "Restore a backup, or the missing key.")
    ),
    ...stranded.map(({ message, fix }) =>
      warn("leads", oneLine(message), oneLine(`${first} ${fix}.`))
    ),
  ];
}
