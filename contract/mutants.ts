/**
 * @module `deno task contract:mutants`: proves that the harness bites. Runs it against the service
 * with one small fault at a time, and against the service as it is, through the same proxy. Every
 * fault has to be noticed, and nothing on the clean service. Exit code 0: so it was; 1: not; 2:
 * could not run.
 */

import { exitWith, print } from "./cannot_run.ts";
import type { Fault, Mutant } from "./mutants/mutant.ts";
import { mutatedLauncher, NO_FAULT } from "./mutants/mutants.ts";
import { type MutantOptions, MUTANTS_USAGE, parseMutantOptions } from "./mutants/options.ts";
import { interleave, isNeeded, judge, summaryLines, type Verdict } from "./mutants/verdict.ts";
import { MUTANTS_FILE } from "./report/files.ts";
import { run, type RunPlan, type RunResult } from "./run.ts";
import { createLauncher, type Launcher } from "./service.ts";
import { TIERS } from "./tiers/tiers.ts";
import { readWaivers } from "./waivers.ts";
import { CannotRun } from "./cannot_run.ts";

const HERE = new URL("./", import.meta.url);
const PROJECT = new URL("../", HERE);

/** Examples of each property: fewer than usual, for the number of runs. */
const EXAMPLES = 40;

/** The seed of the runs with a fault; those without have seeds from 1 on. */
const SEED = 42;

async function main(args: readonly string[]): Promise<number> {
  const options = parseMutantOptions(args);
  const { mutants, clean, report } = options;
  if (options.help) {
    print(MUTANTS_USAGE);
    return 0;
  }
  if (options.list) {
    for (const { name } of mutants) print(name);
    return 0;
  }
  const started = performance.now();
  const alarms = await falseAlarms(options);
  const verdicts = await verdictsOn(options);
  print(`\n${alarms} of ${clean} clean runs raised an alarm`);
  for (const line of summaryLines(verdicts, TIERS.map(({ name }) => name))) print(line);
  print(seconds(performance.now() - started));
  if (report !== undefined) {
    await Deno.mkdir(report, { recursive: true });
    const text = JSON.stringify({ mutants: verdicts, clean, alarms }, null, 1);
    await Deno.writeTextFile(`${report}/${MUTANTS_FILE}`, `${text}\n`);
  }
  return verdicts.every(({ isCaught }) => isCaught) && alarms === 0 ? 0 : 1;
}

async function falseAlarms({ clean, atOnce }: MutantOptions): Promise<number> {
  const seeds = Array.from({ length: clean }, (_, index) => index + 1);
  async function work(seed: number): Promise<boolean> {
    const { held, open, ms } = await attempt(NO_FAULT, { seed, tiers: TIERS });
    print(`${held ? "✓" : "✗"} clean run ${seed} ${seconds(ms)}`);
    for (const { where, message, check } of open) print(`    ${where}: ${message} (${check})`);
    return held;
  }
  const held = await few(seeds, { atOnce, work });
  return held.filter((is) => !is).length;
}

async function verdictsOn({ mutants, full, atOnce }: MutantOptions): Promise<Verdict[]> {
  async function work(mutant: Mutant): Promise<Verdict> {
    const tiers = TIERS.filter(({ name }) => full || isNeeded(name, mutant));
    const verdict = await judge(mutant, (one) => attempt(one, { seed: SEED, tiers }));
    const { name, caughtBy, isCaught, first, ms } = verdict;
    const mark = isCaught ? "✓" : "✗ NOT CAUGHT:";
    print(`${mark} ${name} (${caughtBy.join(", ")}, ${seconds(ms)})\n    ${first}`);
    return verdict;
  }
  return await few(interleave(mutants), { atOnce, work });
}

async function attempt(
  fault: Fault,
  { seed, tiers }: Pick<RunPlan, "seed" | "tiers">,
): Promise<RunResult> {
  return await run({
    url: undefined,
    live: false,
    tiers,
    complete: tiers.length === TIERS.length,
    seed,
    examples: EXAMPLES,
    cases: new URL("cases/", HERE),
    corpus: undefined,
    waivers: await readWaivers(HERE),
    launcher: launcherWith(fault),
  });
}

/** Works on every item, so many at a time; the results are in the order of the items. */
async function few<T, R>(items: readonly T[], { atOnce, work }: {
  readonly atOnce: number;
  readonly work: (item: T) => Promise<R>;
}): Promise<R[]> {
  const results: R[] = [];
  const left = [...items.entries()];
  async function lane(): Promise<void> {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, item] = next;
      // What is under way is brought to its end, so that no service is left behind; no more is
      // begun.
      results[index] = await work(item).catch((error) => {
        left.length = 0;
        throw error;
      });
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  for (const one of lanes) if (one.status === "rejected") throw one.reason;
  return results;
}

/** All that have been made: those whose run is over have nothing more to end. */
const launchers: Launcher[] = [];
let isEnding = false;

/** A launcher whose services have a fault, and do not outlive this program. */
function launcherWith(fault: Fault): Launcher {
  if (isEnding) throw new CannotRun("Cannot start the service: the run is over");
  const launcher = mutatedLauncher(createLauncher(PROJECT), fault);
  launchers.push(launcher);
  return launcher;
}

function endOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, async () => {
      isEnding = true;
      await Promise.allSettled(launchers.map((launcher) => launcher.stopAll()));
      Deno.exit(2);
    });
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

endOnSignals();
await exitWith(main, "contract:mutants");
