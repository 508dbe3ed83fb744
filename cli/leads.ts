/** @module `deno task leads`: reads the environment, opens KV and runs a command of `cli/leads/`. */

import { parseConfig } from "../config/config.ts";
import { exit, EXIT_CONFIG, orExit } from "../config/exit.ts";
import { isFile, isRemote, kvPlace } from "../config/kv_path.ts";
import { explained } from "../leads/kv/cause.ts";
import { rewriteFile } from "../leads/kv/rewrite.ts";
import { createKvStore } from "../leads/kv/store.ts";
import { errorName } from "../leads/log.ts";
import { Sealer } from "../leads/sealing.ts";
import { EXIT_FAILED, standardOutput } from "./terminal.ts";
import type { Leads } from "./leads/context.ts";
import { runLeads } from "./leads/program.ts";

/** Deno itself reads DENO_KV_ACCESS_TOKEN. */
const VARIABLES = ["KV_PATH", "LEAD_RETENTION", "LEAD_ENCRYPTION_KEYS"];

/** The reason for each lead that was skipped. */
const unreadable: string[] = [];

async function open(): Promise<Leads> {
  const env = Object.fromEntries(VARIABLES.map((name) => [name, Deno.env.get(name)]));
  const config = await orExit(() => parseConfig(env), { code: EXIT_CONFIG });
  const { kvPath } = config;
  /** Deno's errors about a KV server quote its URL, which may contain credentials, and its response. */
  const redacted = <T>(step: () => Promise<T>) =>
    step().catch((error: unknown) => {
      const cause = explained(error);
      throw isRemote(kvPath) ? new Error(errorName(cause)) : cause;
    });
  const what = `Cannot open KV at ${kvPlace(config)} (KV_PATH)`;
  const kv = await orExit(async () => {
    await mustExist(kvPath);
    return await redacted(() => Deno.openKv(kvPath));
  }, { what });
  const store = createKvStore({
    open: () => Promise.resolve(kv),
    now: Date.now,
    sealer: new Sealer(config.leadEncryptionKeys),
    // Purging cannot be undone, and the service's retention may be longer than the default: if unset,
    // each lead's own expiry applies.
    retentionMs: env["LEAD_RETENTION"] ? config.leadRetentionMs : Infinity,
    unusable: ({ message }) => unreadable.push(message),
  });
  // Fail early if KV does not respond.
  await orExit(() => redacted(() => store.get("-")), { what });
  return { store, rewrite: isFile(kvPath) ? () => rewriteFile(kvPath) : undefined };
}

/** Opening a missing file would create an empty one. */
async function mustExist(kvPath: string | undefined): Promise<void> {
  if (kvPath === undefined || isRemote(kvPath)) return;
  if (kvPath === ":memory:") throw new Error("it is in the memory of the service's process");
  try {
    await Deno.stat(kvPath);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error("it does not exist; start the service first, or set KV_PATH");
  }
}

const output = standardOutput(0);
const isInteractive = Deno.stdout.isTerminal() && Deno.stdin.isTerminal();
const code = await runLeads(Deno.args, {
  ...output,
  confirm: isInteractive ? (question) => confirm(question) : undefined,
  now: Date.now,
  open,
});
if (unreadable.length > 0) {
  output.err(`${unreadable.length} skipped. ${[...new Set(unreadable)].join("; ")}\n`);
}
await exit(unreadable.length > 0 ? Math.max(EXIT_FAILED, code) : code);
