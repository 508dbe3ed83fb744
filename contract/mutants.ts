/**
 * @module `deno task contract:mutants`: runs the harness against the service with one seeded fault at
 * a time, and against the unchanged service through the same proxy. The harness must catch every
 * fault and raise no alarm on the unchanged service.
 */

import { CannotRun, exitWith, print } from "./cannot_run.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { type MutantOptions, MUTANTS_USAGE, parseMutantOptions } from "./mutants/options.ts";
import { mutatedLauncher } from "./mutants/proxy.ts";
import { readMutants } from "./mutants/rows.ts";
import { isNeeded, judge, summaryLines, type Verdict } from "./mutants/verdict.ts";
import { MUTANTS_FILE } from "./report/files.ts";
import { run, type RunPlan, type RunResult, UNLIMITED } from "./run.ts";
import { createLauncher, endOnSignals, type Launcher } from "./service.ts";
import { TIERS } from "./tiers/tiers.ts";
import { readWaivers } from "./waivers.ts";

const HERE = new URL("./", import.meta.url);
const PROJECT = new URL("../", HERE);

/** Examples of each property: fewer than usual, because there are many runs. */
const EXAMPLES = 40;

/** The seed of the runs with a fault; clean runs count from 1. */
const SEED = 42;

/**
 * The proxy parses requests and answers and writes them unchanged. A run with it proves that the proxy
 * alone raises no alarm.
 */
const NO_FAULT: Partial<Mutant> = {
  request: (request) => ({ ...request }),
  reply: (reply) => ({ ...reply }),
};

async function main(args: readonly string[]): Promise<number> {
  const options = parseMutantOptions(args, await readMutants());
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

async function falseAlarms({ clean, atOnce, live }: MutantOptions): Promise<number> {
  const seeds = Array.from({ length: clean }, (_, index) => index + 1);
  async function work(seed: number): Promise<boolean> {
    const { held, open, ms } = await attempt(NO_FAULT, { seed, live, tiers: TIERS });
    print(`${held ? "✓" : "✗"} clean run ${seed} ${seconds(ms)}`);
    for (const { where, message, check } of open) print(`    ${where}: ${message} (${check})`);
    return held;
  }
  const held = await mapConcurrently(seeds, { atOnce, work });
  return held.filter((is) => !is).length;
}

async function verdictsOn({ mutants, full, atOnce, live }: MutantOptions): Promise<Verdict[]> {
  async function work(mutant: Mutant): Promise<Verdict> {
    const tiers = TIERS.filter(({ name }) => full || isNeeded(name, mutant));
    const verdict = await judge(mutant, (one) => attempt(one, { seed: SEED, live, tiers }));
    const { name, caughtBy, isCaught, first, ms } = verdict;
    const mark = isCaught ? "✓" : "✗ NOT CAUGHT:";
    print(`${mark} ${name} (${caughtBy.join(", ")}, ${seconds(ms)})\n    ${first}`);
    return verdict;
  }
  return await mapConcurrently(mutants, { atOnce, work });
}

/** @param options.live tests the service as if it were in production */
async function attempt(
  fault: Partial<Mutant>,
  { seed, tiers, live }: Pick<RunPlan, "seed" | "tiers" | "live">,
): Promise<RunResult> {
  const launcher = launcherWith(fault);
  try {
    return await run({
      url: live ? (await launcher.start(UNLIMITED)).url : undefined,
      live,
      tiers,
      complete: tiers.length === TIERS.length,
      seed,
      examples: EXAMPLES,
      cases: new URL("cases/", HERE),
      corpus: undefined,
      waivers: await readWaivers(new URL("waivers.yaml", HERE)),
      launcher: live ? undefined : launcher,
    });
  } finally {
    await launcher.stopAll();
  }
}

/** Maps items in order, at most `atOnce` at a time. After an error, starts no more. */
async function mapConcurrently<T, R>(items: readonly T[], { atOnce, work }: {
  readonly atOnce: number;
  readonly work: (item: T) => Promise<R>;
}): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  async function runQueue(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, item] = next;
      // Items in progress finish, so that no service is left running.
      results[index] = await work(item).catch((error) => {
        queue.length = 0;
        throw error;
      });
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: atOnce }, runQueue));
  for (const one of workers) if (one.status === "rejected") throw one.reason;
  return results;
}

/** The launchers of all runs; stopping a finished one does nothing. */
const launchers: Launcher[] = [];
let isEnding = false;

/** Creates a launcher whose services have a fault, and registers it for `endOnSignals`. */
function launcherWith(fault: Partial<Mutant>): Launcher {
  if (isEnding) throw new CannotRun("Cannot start the service: the run is over");
  const launcher = mutatedLauncher(createLauncher(PROJECT), fault);
  launchers.push(launcher);
  return launcher;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

endOnSignals({
  async stopAll() {
    isEnding = true;
    await Promise.allSettled(launchers.map((launcher) => launcher.stopAll()));
  },
});
await exitWith(main, "contract:mutants");
