/**
 * @module Proves that the harness bites: runs it against the service with one small fault at a time,
 * and against the service as it is, through the same proxy. Every fault has to be noticed, and nothing
 * on the clean service. Exit code 0: so it was; 1: not; 2: could not run.
 */

import { parseArgs } from "node:util";
import { DocumentError } from "./document.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { MUTANTS, spoiltLauncher } from "./mutants/mutants.ts";
import { createSchemathesisJudge } from "./mutants/schemathesis.ts";
import { MUTANTS_FILE } from "./report/files.ts";
import { run, type RunResult } from "./run.ts";
import { createLauncher } from "./service.ts";
import { TIERS } from "./tiers/tiers.ts";
import { readWaivers } from "./waivers.ts";

const USAGE = `Runs the harness against the service with one seeded fault at a time.

  deno task contract:mutants [options]

  --only NAMES     these mutants, by commas; --only help lists them
  --tiers NAMES    these tiers, by commas (default: all)
  --clean N        runs of the service without fault, which must raise no alarm (default: 20)
  --examples N     examples of each property (default: 40)
  --schemathesis   also tell what Schemathesis catches on its own (needs Python)
  --at-once N      runs at a time (default: 2)
  --report DIR     write mutants.json there, which the report of the harness takes up
  --help

Exit code 0: every fault is caught and no alarm is false; 1: not so; 2: could not run.
`;

const HERE = new URL("./", import.meta.url);

/** What came of a mutant. */
interface Verdict {
  readonly name: string;
  readonly breaks: string;
  readonly fault: string;
  /** The tiers that noticed; none: it got through. */
  readonly caughtBy: readonly string[];
  /** Whether Schemathesis alone notices; undefined where it was not asked. */
  readonly bySchemathesis: boolean | undefined;
  /** The first finding, in one line. */
  readonly first: string;
  readonly ms: number;
}

const { values } = parseArgs({
  args: Deno.args,
  options: {
    only: { type: "string" },
    tiers: { type: "string" },
    clean: { type: "string", default: "20" },
    examples: { type: "string", default: "40" },
    schemathesis: { type: "boolean", default: false },
    "at-once": { type: "string", default: "2" },
    report: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const listed = (text: string | undefined) => text?.split(",").map((name) => name.trim());
const tierNames = listed(values.tiers);
const tiers = TIERS.filter(({ name }) => tierNames?.includes(name) ?? true);
const waivers = readWaivers(await Deno.readTextFile(new URL("waivers.yaml", HERE)));

/** One run of the harness, with a mutant or without. */
function attempt(seed: number, mutant?: Mutant): Promise<RunResult> {
  return run({
    url: undefined,
    live: false,
    tiers,
    complete: tierNames === undefined,
    seed,
    examples: Number(values.examples),
    cases: new URL("cases/", HERE),
    corpus: undefined,
    waivers,
    launcher: spoiltLauncher(createLauncher(new URL("../", HERE)), mutant),
  });
}

const schemathesis = values.schemathesis
  ? await createSchemathesisJudge(new URL("../", HERE))
  : undefined;

async function judge(mutant: Mutant): Promise<Verdict> {
  const { name, breaks, fault } = mutant;
  const started = performance.now();
  try {
    const { open } = await attempt(42, mutant);
    const [first] = open;
    return {
      name,
      breaks,
      fault,
      caughtBy: [...new Set(open.flatMap(({ tiers }) => tiers))],
      bySchemathesis: await schemathesis?.(mutant),
      first: first === undefined ? "" : `${first.where}: ${first.message} (${first.check})`,
      ms: performance.now() - started,
    };
  } catch (error) {
    // A document that cannot be read at all is noticed before any tier runs.
    if (!(error instanceof DocumentError)) throw error;
    const ms = performance.now() - started;
    const bySchemathesis = await schemathesis?.(mutant).catch(() => true);
    return { name, breaks, fault, caughtBy: ["start"], bySchemathesis, first: error.message, ms };
  }
}

/** Runs `work` for every item, a few at a time, in order of the items. */
async function few<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  async function lane(): Promise<void> {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at]!);
  }
  await Promise.all(Array.from({ length: Number(values["at-once"]) }, lane));
  return results;
}

// deno-lint-ignore no-console -- the program's output
const say = console.log;

async function main(): Promise<number> {
  if (values.help) return say(USAGE), 0;
  const names = listed(values.only);
  if (names?.includes("help")) {
    for (const { name, fault } of MUTANTS) say(`${name.padEnd(28)} ${fault}`);
    return 0;
  }
  const mutants = MUTANTS.filter(({ name }) => names?.includes(name) ?? true);
  const clean = Array.from({ length: Number(values.clean) }, (_, index) => index + 1);
  const alarms = (await few(clean, async (seed) => {
    const { held, open } = await attempt(seed);
    const what = open.map(({ where, message }) => `${where}: ${message}`).join("; ");
    say(`${held ? "✓" : "✗"} clean run ${seed}${held ? "" : `: ${what}`}`);
    return held;
  })).filter((held) => !held).length;
  const verdicts = await few(mutants, async (mutant) => {
    const verdict = await judge(mutant);
    const { name, caughtBy, bySchemathesis, first, ms } = verdict;
    const mark = caughtBy.length > 0 ? "✓" : "✗";
    const by = [...caughtBy, ...bySchemathesis === true ? ["(Schemathesis)"] : []].join(", ") ||
      "NOT CAUGHT";
    say(`${mark} ${name.padEnd(28)} ${by.padEnd(30)} ${(ms / 1000).toFixed(1)} s  ${first}`);
    return verdict;
  });
  const missed = verdicts.filter(({ caughtBy }) => caughtBy.length === 0);
  say(
    `\n${verdicts.length - missed.length} of ${verdicts.length} mutants caught; ` +
      `${alarms} of ${clean.length} clean runs raised an alarm`,
  );
  for (const { name } of [...tiers, { name: "matrix" }]) {
    const all = verdicts.filter(({ caughtBy }) => caughtBy.includes(name));
    const alone = all.filter(({ caughtBy }) => caughtBy.length === 1);
    say(`  ${name.padEnd(12)} catches ${String(all.length).padStart(3)}, alone ${alone.length}`);
  }
  if (schemathesis !== undefined) {
    const theirs = verdicts.filter(({ bySchemathesis }) => bySchemathesis === true).length;
    say(`  Schemathesis catches ${theirs} of ${verdicts.length} on its own`);
  }
  for (const { name, fault } of missed) say(`✗ ${name}: ${fault}`);
  if (values.report !== undefined) {
    const report = { mutants: verdicts, clean: clean.length, alarms };
    await Deno.mkdir(values.report, { recursive: true });
    const text = `${JSON.stringify(report, null, 1)}\n`;
    await Deno.writeTextFile(`${values.report}/${MUTANTS_FILE}`, text);
  }
  return missed.length === 0 && alarms === 0 ? 0 : 1;
}

Deno.exit(await main());
