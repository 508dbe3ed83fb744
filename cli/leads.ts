/**
 * @module The operator's program, `deno task leads`: a composition root beside `main.ts`. Reads the
 * environment, opens KV, and runs a command of `cli/leads/`.
 */

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

/** The variables of the service that matter here; Deno itself reads DENO_KV_ACCESS_TOKEN. */
const VARIABLES = ["KV_PATH", "LEAD_RETENTION", "LEAD_ENCRYPTION_KEYS"];

/** Why leads were left out, one entry for each. */
const unreadable: string[] = [];

async function open(): Promise<Leads> {
  const env = Object.fromEntries(VARIABLES.map((name) => [name, Deno.env.get(name)]));
  const config = await orExit(() => parseConfig(env), { code: EXIT_CONFIG });
  const { kvPath } = config;
  const place = `KV at ${kvPlace(config)} (KV_PATH)`;
  /** Deno's errors about a KV server repeat its URL, which may hold credentials, and its answer. */
  const discreet = <T>(step: () => Promise<T>) =>
    step().catch((error: unknown) => {
      const cause = explained(error);
      throw isRemote(kvPath) ? new Error(errorName(cause)) : cause;
    });
  const kv = await orExit(async () => {
    await mustExist(kvPath);
    return await discreet(() => Deno.openKv(kvPath));
  }, { what: `Cannot open ${place}` });
  const store = createKvStore({
    open: () => Promise.resolve(kv),
    now: Date.now,
    sealer: new Sealer(config.leadEncryptionKeys),
    // The service's retention may be longer than the default, and purging cannot be undone: unset, it
    // is what each lead was stored with.
    retentionMs: env["LEAD_RETENTION"] ? config.leadRetentionMs : Infinity,
    unreadable: ({ message }) => unreadable.push(message),
  });
  // Reading a lead that does not exist shows at once whether KV answers.
  await orExit(() => discreet(() => store.get("-")), { what: `Cannot read from ${place}` });
  return { store, rewrite: isFile(kvPath) ? () => rewriteFile(kvPath) : undefined };
}

/** Opening a missing file would create an empty one, and the operator would find no leads. */
async function mustExist(kvPath: string | undefined): Promise<void> {
  if (kvPath === undefined || isRemote(kvPath)) return;
  if (kvPath === ":memory:") throw new Error("it lives inside the service's process");
  try {
    await Deno.stat(kvPath);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error("there is none; start the service first, or set KV_PATH");
  }
}

const output = standardOutput(0);
const isWatched = Deno.stdout.isTerminal() && Deno.stdin.isTerminal();
const code = await runLeads(Deno.args, {
  ...output,
  confirm: isWatched ? (question) => confirm(question) : undefined,
  now: Date.now,
  open,
});
if (unreadable.length > 0) {
  output.err(`${unreadable.length} left out. ${[...new Set(unreadable)].join("; ")}\n`);
}
await exit(unreadable.length > 0 ? Math.max(EXIT_FAILED, code) : code);
