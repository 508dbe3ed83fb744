/**
 * @module The database: a round trip under a key of the doctor's own, and whether it lasts. What one
 * connection has written, another must find: a database in memory is one for each connection.
 *
 * Creates no database: that is for the service, under its own user. If there is no file yet, a probe file
 * beside it is tried instead, and removed.
 */

import { isRemote, kvPlace } from "../../config/kv_path.ts";
import { explained } from "../../leads/kv/cause.ts";
import { type KvAccess, KvGuard, KvTimeout } from "../../leads/kv/guard.ts";
import { errorName } from "../../leads/log.ts";
import { AmbiguousCommit } from "../../leads/store.ts";
import { type Check, type Environment, fail, type Finding, ok, warn } from "./check.ts";
import { probeFile } from "./probe_file.ts";

/** The prefix of the doctor's own keys. */
const ROOT = "frontdoor-doctor";

/** Every lead waits for one commit. */
const SLOW_COMMIT_MS = 250;

const KEPT_NOWHERE = "Set KV_PATH to a file on a disk that stays, or to a KV Connect URL; " +
  "on Deno Deploy assign a KV database to the application.";

/** Reads, writes, deletes, and reads what another connection has written. */
export const kv: Check = {
  name: "kv",
  requires: ["KV_PATH"],
  async run(environment) {
    const { config, openKv, clock } = environment;
    const place = kvPlace(config);
    const opened: KvAccess[] = [];
    const file = await probeFile(config.kvPath).catch((error: Error) => error);
    if (file instanceof Error) return [unusable(place, { error: file, environment })];
    const guard = () =>
      new KvGuard(async () => {
        const one = await openKv(file.path);
        opened.push(one);
        return one;
      }, clock);
    try {
      return [await roundTrip(place, { writer: guard(), reader: guard() })];
    } catch (error) {
      return [unusable(place, { error, environment })];
    } finally {
      for (const one of opened) one.close?.();
      await file.clear();
    }
  },
};

async function roundTrip(
  place: string,
  { writer, reader }: { readonly writer: KvGuard; readonly reader: KvGuard },
): Promise<Finding> {
  const key = [ROOT, crypto.randomUUID()];
  const written = crypto.randomUUID();
  await writer.read((kv) => kv.get(key)); // opens
  const began = performance.now();
  await writer.commit((kv) => kv.atomic().set(key, written));
  const commitMs = performance.now() - began;
  try {
    const own = await writer.read((kv) => kv.get(key));
    const readMs = performance.now() - began - commitMs;
    if (own.value !== written) {
      return fail("kv", `${place} does not return what was written`, KEPT_NOWHERE);
    }
    const other = await reader.read((kv) => kv.get(key));
    if (other.value !== written) {
      return fail(
        "kv",
        `${place} does not last: what one connection writes, another does not find`,
        KEPT_NOWHERE,
      );
    }
    const took = `written in ${inMs(commitMs)}, read in ${inMs(readMs)}, ` +
      "found by another connection";
    return commitMs > SLOW_COMMIT_MS
      ? warn("kv", `${place}: ${took}`, "Every lead waits for one write: bring KV nearer.")
      : ok("kv", `${place}: ${took}`);
  } finally {
    await writer.commit((kv) => kv.atomic().delete(key));
  }
}

function inMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** Why it cannot be used, in words of our own: an error's text quotes the URL and the server. */
function unusable(
  place: string,
  { error, environment }: { readonly error: unknown; readonly environment: Environment },
): Finding {
  const at = `Cannot use KV at ${place}: `;
  const cause = error instanceof AmbiguousCommit ? error.cause : explained(error);
  if (cause instanceof Deno.errors.NotCapable) {
    return fail("kv", `${at}the permissions do not allow it`, permissionFix(environment));
  }
  return fail("kv", at + errorName(cause), fixFor(cause, environment));
}

function permissionFix({ config }: Environment): string {
  return isRemote(config.kvPath)
    ? "Start with --allow-net and --allow-env=DENO_KV_ACCESS_TOKEN, as the start task does."
    : "Start with --allow-read and --allow-write for the folder of KV_PATH.";
}

function fixFor(cause: unknown, { config }: Environment): string {
  if (!isRemote(config.kvPath)) {
    return "Set KV_PATH to a database of the service, or to a new file in a folder that it may write.";
  }
  if (cause instanceof KvTimeout) return "See that it runs and that nothing stands between.";
  const message = errorName(cause);
  if (message.includes("DENO_KV_ACCESS_TOKEN")) {
    return "Set DENO_KV_ACCESS_TOKEN to that of the server.";
  }
  return message.includes("server")
    ? "Set KV_PATH to the URL of denokv, or to the connect URL of a database."
    : "See that KV_PATH has the server's host and port; behind http:// it has to speak HTTP/2.";
}
