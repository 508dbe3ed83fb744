/** @module `deno task contract:mutants`: the harness catches seeded faults, without false alarm. */

import pMap from "p-map";
import { commandFor, runProgram, UsageError, wholeNumber } from "./lib/command_line.ts";
import { print } from "./lib/cannot_run.ts";
import { DocumentError } from "./document/document.ts";
import { type Fault, mutatedLauncher } from "./mutants/proxy.ts";
import { type Mutant, readMutants } from "./mutants/rows.ts";
import { seconds } from "./report/view.ts";
import { run, type RunPlan, type RunResult } from "./run/run.ts";
import { endOnSignals } from "./lib/programs.ts";
import { readWaivers } from "./run/waivers.ts";
import { createLauncher } from "./service/instances/launcher.ts";
import { TIERS } from "./service/tiers.ts";

const SERVICE = new URL("service/", import.meta.url);

const services = createLauncher(new URL("../../", SERVICE));

const ABOUT = "Runs the harness against the service with one seeded fault at a time.";
const EXITS = "0: all faults caught, no false alarm; 1: otherwise; 2: could not run";

const COMMAND = commandFor("contract:mutants", ABOUT, EXITS)
  .option("--only <text>", "only faults whose sentences contain it; none: only the clean runs")
  .option("--full", "all tiers for every fault (default: the fast ones, or the slow one it needs)")
  .option("--clean <n>", "runs without fault, which must raise no alarm", wholeNumber, 20)
  .option("--at-once <n>", "concurrent runs", wholeNumber, 3)
  .option("--report <folder>", "write mutants.json to it");

/** The mutants to run. @throws {UsageError} if there are none */
export function selected(only: string, all: readonly Mutant[]): readonly Mutant[] {
  const mutants = only === "none" ? [] : all.filter(({ name }) => name.includes(only));
  if (mutants.length > 0 || only === "none") return mutants;
  throw new UsageError(`--only: no mutant's name contains ${only}`);
}

/** Examples of each property: fewer than usual, because there are many runs. */
const EXAMPLES = 40;

/** The seed of the runs with a fault; clean runs count from 1. */
const SEED = 42;

async function main(args: readonly string[]): Promise<number> {
  const options = COMMAND.parse(args, { from: "user" }).opts();
  const { clean, full, only = "", report, atOnce } = options;
  if (atOnce === 0) throw new UsageError("--at-once takes 1 or more");
  const mutants = selected(only, await readMutants());
  endOnSignals(services);
  const started = performance.now();
  let alarms = 0;
  async function tryClean(seed: number): Promise<void> {
    const { passed, open, ms } = await attempt({}, { seed, tiers: TIERS });
    print(`${passed ? "✓" : "✗"} clean run ${seed} ${seconds(ms)} s`);
    for (const { where, message, check } of open) print(`    ${where}: ${message} (${check})`);
    if (!passed) alarms++;
  }
  async function tryMutant(mutant: Mutant): Promise<Verdict> {
    const { by } = mutant;
    const isNeeded = ({ name }: { name: string }) =>
      full || by === "coverage" || (by === undefined ? !SLOW.includes(name) : by === name);
    const tiers = TIERS.filter(isNeeded);
    const verdict = await judge(mutant, (one) => attempt(one, { seed: SEED, tiers }));
    const { name, caughtBy, isCaught, first, ms } = verdict;
    const mark = isCaught ? "✓" : "✗ NOT CAUGHT:";
    print(`${mark} ${name} (${caughtBy.join(", ")}, ${seconds(ms)} s)\n    ${first}`);
    return verdict;
  }
  try {
    const seeds = Array.from({ length: clean }, (_, index) => index + 1);
    await pMap(seeds, tryClean, { concurrency: atOnce });
    const verdicts = await pMap(mutants, tryMutant, { concurrency: atOnce });
    const missed = verdicts.filter(({ isCaught }) => !isCaught);
    print(`\n${alarms} of ${clean} clean runs raised an alarm`);
    print(`${verdicts.length - missed.length} of ${verdicts.length} mutants caught`);
    for (const { name } of missed) print(`✗ ${name}`);
    print(`${seconds(performance.now() - started)} s`);
    if (report !== undefined) {
      await Deno.mkdir(report, { recursive: true });
      const text = JSON.stringify({ mutants: verdicts, clean, alarms }, null, 1);
      await Deno.writeTextFile(`${report}/mutants.json`, `${text}\n`);
    }
    return missed.length === 0 && alarms === 0 ? 0 : 1;
  } finally {
    await services.stopAll(); // after an error others are in progress
  }
}

async function attempt(
  fault: Fault,
  { seed, tiers }: Pick<RunPlan, "seed" | "tiers">,
): Promise<RunResult> {
  return await run({
    seed,
    tiers,
    live: false,
    complete: tiers.length === TIERS.length,
    examples: EXAMPLES,
    cases: SERVICE,
    corpus: undefined,
    waivers: await readWaivers(new URL("waivers.yaml", SERVICE)),
    launcher: mutatedLauncher(services, fault),
  });
}

interface Verdict extends Pick<Mutant, "name"> {
  readonly caughtBy: readonly string[];
  readonly isCaught: boolean;
  /** The finding that proves it, else the first finding, in one line. */
  readonly first: string;
  readonly ms: number;
}

const SLOW = ["raw", "limits", "faults"];

/** @throws {Error} if the harness could not run, or the mutant itself fails */
export async function judge(
  mutant: Mutant,
  attempt: (mutant: Mutant) => Promise<Pick<RunResult, "open">>,
): Promise<Verdict> {
  const { name, by, check } = mutant;
  const started = performance.now();
  const result = await attempt(mutant).catch((error) => {
    // An unreadable document is found before any tier runs.
    if (!(error instanceof DocumentError)) throw error;
    return error;
  });
  const ms = performance.now() - started;
  if (result instanceof DocumentError) {
    return { name, caughtBy: ["start"], isCaught: true, first: result.message, ms };
  }
  const { open } = result;
  const proof = open.find((one) =>
    (by === undefined || one.tiers.includes(by)) && (check === undefined || one.check === check)
  );
  const best = proof ?? open[0];
  const first = best === undefined ? "" : `${best.where}: ${best.message} (${best.check})`;
  const caughtBy = [...new Set(open.flatMap(({ tiers }) => tiers))];
  return { name, caughtBy, isCaught: proof !== undefined, first, ms };
}

if (import.meta.main) await runProgram(COMMAND, main);
