/**
 * @module `deno task contract`. Exit code 0: the service keeps its contract; 1: it does not; 2: the
 * harness could not run.
 */

import { pathToFileURL } from "node:url";
import { exitWith, print } from "./cannot_run.ts";
import { type Options, parseOptions, USAGE, UsageError } from "./options.ts";
import { writeReports } from "./report/files.ts";
import { terminalReport } from "./report/terminal.ts";
import { run } from "./run.ts";
import { createLauncher, endOnSignals } from "./service.ts";
import { replayTier } from "./tiers/replay.ts";
import { TIERS } from "./tiers/tiers.ts";
import { readWaivers } from "./waivers.ts";

const HELD = 0;
const VIOLATED = 1;

const HERE = new URL("./", import.meta.url);

async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  if (options.help || options.only.includes("help")) {
    const tiers = TIERS.map(({ name, tries }) => `${name.padEnd(12)}${tries}`).join("\n");
    print(options.help ? USAGE : tiers);
    return HELD;
  }
  const launcher = options.url === undefined ? createLauncher(new URL("../", HERE)) : undefined;
  if (launcher !== undefined) endOnSignals(launcher);
  const result = await run({
    url: options.url,
    live: options.live,
    against: options.against,
    ...await planOf(options),
    seed: options.seed,
    examples: options.examples,
    cases: options.generic ? undefined : casesOf(options),
    document: options.document,
    launcher,
    progress: showProgress,
  });
  if (options.report !== undefined) await writeReports(options.report, result);
  print(terminalReport(result));
  return result.held ? HELD : VIOLATED;
}

/** The tier that replays one counterexample, or the selected tiers. */
async function planOf(options: Options) {
  const { replay, only, live } = options;
  // Waivers and corpus are in the folder of cases; those of this project are one folder above.
  const folder = options.cases === undefined ? HERE : casesOf(options);
  if (replay !== undefined) {
    const tier = replayTier(pathToFileURL(replay), print);
    return { tiers: [tier], complete: false, corpus: undefined, waivers: [] };
  }
  return {
    tiers: selectedTiers(options),
    complete: only.length === 0 && !live,
    corpus: live ? undefined : new URL("corpus/", folder),
    waivers: await readWaivers(folder),
  };
}

function selectedTiers({ only }: Options) {
  const unknown = only.filter((name) => !TIERS.some((tier) => tier.name === name));
  if (unknown.length > 0) {
    const known = TIERS.map(({ name }) => name).join(", ");
    throw new UsageError(`--only knows ${known}, not ${unknown.join(", ")}`);
  }
  return TIERS.filter(({ name }) => only.length === 0 || only.includes(name));
}

function casesOf({ cases }: Options): URL {
  return cases === undefined ? new URL("cases/", HERE) : pathToFileURL(`${cases}/`);
}

/** Overwrites one line of the terminal. */
function showProgress(tier: string, done: number, total: number): void {
  if (!Deno.stderr.isTerminal()) return;
  const line = done < total ? `${tier} ${done} of ${total}` : "";
  Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${line}`));
}

await exitWith(main, "contract");
