/**
 * @module The operator's program, `deno task leads`: a composition root beside `main.ts`. Reads the
 * environment, opens KV, and runs a command of `cli/leads/`.
 */

import { parseConfig } from "../config/config.ts";
import { exit, EXIT_CONFIG, EXIT_START, orExit } from "../config/exit.ts";
import { isFile, isRemote, kvPlace } from "../config/kv_path.ts";
import { explained } from "../leads/kv/cause.ts";
import { rewriteFile } from "../leads/kv/rewrite.ts";
import { createKvStore } from "../leads/kv/store.ts";
import { errorName } from "../leads/log.ts";
import { Sealer } from "../leads/sealing.ts";
import type { Stores, Terminal } from "./leads/command.ts";
import { runProgram } from "./leads/program.ts";
import { write } from "./terminal.ts";

/** The variables of the service that matter here; Deno itself reads DENO_KV_ACCESS_TOKEN. */
const VARIABLES = ["KV_PATH", "LEAD_RETENTION", "LEAD_ENCRYPTION_KEYS"];

/** Why leads were left out, one entry for each. */
const unreadable: string[] = [];

async function openStores(): Promise<Stores> {
  const env = Object.fromEntries(VARIABLES.map((name) => [name, Deno.env.get(name)]));
  const config = await orExit(() => parseConfig(env), { code: EXIT_CONFIG });
  const place = `KV at ${kvPlace(config)} (KV_PATH)`;
  /** Deno's errors about a KV server repeat its URL, which may hold credentials, and its answer. */
  const discreet = <T>(step: () => Promise<T>) =>
    step().catch((error: unknown) => {
      const cause = explained(error);
      throw isRemote(config.kvPath) ? new Error(errorName(cause)) : cause;
    });
  const kv = await orExit(async () => {
    await mustExist(config.kvPath);
    return await discreet(() => Deno.openKv(config.kvPath));
  }, { what: `Cannot open ${place}` });

  // The service's retention may be longer than the default, and purging cannot be undone: unset, it
  // is what each lead was stored with.
  const retentionMs = env["LEAD_RETENTION"] ? config.leadRetentionMs : Infinity;
  const store = createKvStore({
    open: () => Promise.resolve(kv),
    now: Date.now,
    sealer: new Sealer(config.leadEncryptionKeys),
    retentionMs,
    unreadable: ({ message }) => unreadable.push(message),
  });
  // Reading one lead that is not there shows at once whether anybody answers.
  await orExit(() => discreet(() => store.get("-")), { what: `Cannot read from ${place}` });
  const { kvPath } = config;
  const rewrite = isFile(kvPath) ? () => rewriteFile(kvPath) : undefined;
  return { store, rewrite, now: Date.now };
}

/** Opening a missing file would create an empty one, and the operator would find no leads. */
async function mustExist(kvPath: string | undefined): Promise<void> {
  if (kvPath === undefined || isRemote(kvPath)) return;
  if (kvPath === ":memory:") throw new Error("it lives inside the service's process");
  try {
    await Deno.stat(kvPath);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(`there is none; start the service first, or set KV_PATH`);
  }
}

function terminal(): Terminal {
  const isTerminal = Deno.stdout.isTerminal();
  return {
    out: (text) => write(Deno.stdout, { text, ifClosed: 0 }),
    err: (text) => write(Deno.stderr, { text, ifClosed: 0 }),
    columns: isTerminal ? Deno.consoleSize().columns : Infinity,
    colours: isTerminal && !Deno.noColor,
    confirm: isTerminal && Deno.stdin.isTerminal() ? (question) => confirm(question) : undefined,
  };
}

const code = await runProgram(Deno.args, { terminal: terminal(), open: openStores });
if (unreadable.length > 0) {
  const text = `${unreadable.length} left out. ${[...new Set(unreadable)].join("; ")}\n`;
  write(Deno.stderr, { text, ifClosed: 0 });
}
await exit(unreadable.length > 0 ? Math.max(EXIT_START, code) : code);
