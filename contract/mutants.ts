/**
 * @module Proves that the harness bites: runs it against the service with one small fault at a time,
 * and against the service as it is, through the same proxy. Every fault has to be noticed, and nothing
 * on the clean service. Exit code 0: so it was; 1: not; 2: could not run.
 */

import { parseArgs } from "node:util";
import { MUTANTS, NO_FAULT, spoiltLauncher } from "./mutants/mutants.ts";
import { createSchemathesisJudge } from "./mutants/schemathesis.ts";
import { figures, isNeeded, judge, spread } from "./mutants/verdict.ts";
import { MUTANTS_FILE } from "./report/files.ts";
import { run, type RunResult } from "./run.ts";
import { createLauncher, type Launcher } from "./service.ts";
import type { Tier } from "./session.ts";
import { TIERS } from "./tiers/tiers.ts";
import { readWaivers } from "./waivers.ts";

const USAGE = `Runs the harness against the service with one seeded fault at a time.

  deno task contract:mutants [options]

  --only NAMES     these mutants, by commas; --only help lists them, --only none: none
  --full           all tiers for every mutant; else those that are quick, or the slow one that has to
                   notice. The clean service meets all tiers in any case
  --tiers NAMES    these tiers alone, by commas
  --clean N        runs of the service without fault, which must raise no alarm (default: 20)
  --examples N     examples of each property (default: 40)
  --schemathesis   also tell what Schemathesis catches on its own (needs Python)
  --at-once N      runs at a time (default: 3)
  --report DIR     write mutants.json there, which the report of the harness takes up
  --help

Exit code 0: every fault is caught and no alarm is false; 1: not so; 2: could not run.
`;

const HERE = new URL("./", import.meta.url);

/** The seed of the runs with a fault; those without have seeds from 1 on. */
const SEED = 42;

const { values } = parseArgs({
  args: Deno.args,
  options: {
    only: { type: "string" },
    full: { type: "boolean", default: false },
    tiers: { type: "string" },
    clean: { type: "string", default: "20" },
    examples: { type: "string", default: "40" },
    schemathesis: { type: "boolean", default: false },
    "at-once": { type: "string", default: "3" },
    report: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const listed = (text: string | undefined) => text?.split(",").map((name) => name.trim());
const tierNames = listed(values.tiers);
const tiers = TIERS.filter(({ name }) => tierNames?.includes(name) ?? true);
const waivers = readWaivers(await Deno.readTextFile(new URL("waivers.yaml", HERE)));

/** Of the runs that are under way. */
const launchers = new Set<Launcher>();
let isEnding = false;

/** One run of the harness, with a fault or with none. */
async function attempt(
  fault: Parameters<typeof spoiltLauncher>[1],
  { seed, tiers }: { readonly seed: number; readonly tiers: readonly Tier[] },
): Promise<RunResult> {
  if (isEnding) throw new Error("The run is over");
  const launcher = spoiltLauncher(createLauncher(new URL("../", HERE)), fault);
  launchers.add(launcher);
  return await run({
    url: undefined,
    live: false,
    tiers,
    complete: tiers.length === TIERS.length,
    seed,
    examples: Number(values.examples),
    cases: new URL("cases/", HERE),
    corpus: undefined,
    waivers,
    launcher,
  }).finally(() => launchers.delete(launcher));
}

/** No service outlives this program when it is told to end. */
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, async () => {
    isEnding = true;
    await Promise.all([...launchers].map((launcher) => launcher.stopAll()));
    Deno.exit(2);
  });
}

/** Runs `work` for every item, a few at a time; the results are in the order of the items. */
async function few<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = [...items.entries()];
  async function lane(): Promise<void> {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, item] = next;
      // What is under way is brought to its end, so that no service is left behind; no more is begun.
      results[index] = await work(item).catch((error) => {
        left.length = 0;
        throw error;
      });
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: Number(values["at-once"]) }, lane));
  for (const one of lanes) if (one.status === "rejected") throw one.reason;
  return results;
}

// deno-lint-ignore no-console -- the program's output
const say = console.log;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** @returns how many runs of the clean service raise an alarm */
async function falseAlarms(runs: number): Promise<number> {
  const seeds = Array.from({ length: runs }, (_, index) => index + 1);
  const held = await few(seeds, async (seed) => {
    const { held, open, ms } = await attempt(NO_FAULT, { seed, tiers });
    say(`${held ? "✓" : "✗"} clean run ${seed} ${seconds(ms)}`);
    for (const { where, message, check } of open) say(`    ${where}: ${message} (${check})`);
    return held;
  });
  return held.filter((is) => !is).length;
}

async function main(): Promise<number> {
  if (values.help) return say(USAGE), 0;
  const names = listed(values.only);
  if (names?.includes("help")) {
    for (const { name, fault } of MUTANTS) say(`${name.padEnd(28)} ${fault}`);
    return 0;
  }
  const started = performance.now();
  const clean = Number(values.clean);
  const alarms = await falseAlarms(clean);
  const schemathesis = values.schemathesis
    ? await createSchemathesisJudge(new URL("../", HERE))
    : undefined;
  const verdicts = await few(
    spread(MUTANTS.filter(({ name }) => names?.includes(name) ?? true)),
    async (mutant) => {
      const chosen = tiers.filter(({ name }) => values.full || isNeeded(name, mutant));
      const verdict = await judge(mutant, {
        attempt: (one) => attempt(one, { seed: SEED, tiers: chosen }),
        schemathesis,
      });
      const { name, caughtBy, isCaught, bySchemathesis, first, ms } = verdict;
      const by = [...caughtBy, ...bySchemathesis === true ? ["(Schemathesis)"] : []].join(", ");
      const mark = isCaught ? "✓" : "✗ NOT CAUGHT";
      say(`${mark} ${name.padEnd(26)} ${by.padEnd(30)} ${seconds(ms)}  ${first}`);
      return verdict;
    },
  );
  say(`\n${alarms} of ${clean} clean runs raised an alarm`);
  for (const line of figures(verdicts, tiers.map(({ name }) => name))) say(line);
  say(seconds(performance.now() - started));
  if (values.report !== undefined) {
    await Deno.mkdir(values.report, { recursive: true });
    const text = JSON.stringify({ mutants: verdicts, clean, alarms }, null, 1);
    await Deno.writeTextFile(`${values.report}/${MUTANTS_FILE}`, `${text}\n`);
  }
  return verdicts.every(({ isCaught }) => isCaught) && alarms === 0 ? 0 : 1;
}

/** Ends with the cause in one line where it could not run. */
async function outcome(): Promise<number> {
  try {
    return await main();
  } catch (error) {
    // deno-lint-ignore no-console -- the program's output
    console.error(error instanceof Error ? error.stack : error);
    return 2;
  }
}

Deno.exit(await outcome());
